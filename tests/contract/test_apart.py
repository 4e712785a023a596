"""While a model computes no transaction is open: a question holds up neither writers nor the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.query import Query
from bowerbird.retrieval.pipeline import Retrieval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bowerbird.core.types import Vector

REFUND = "Refunds are issued from the Stripe dashboard."
LATER = "Whoever wants his money back writes to the Stripe desk."
MEMORIES = (REFUND, "Archived bills go to the S3 bucket.", "Compilation takes nine minutes.")
# It shares no word with its answer, so that the contextual model is asked.
ASKED = "how does a customer get money back?"


class Watched:
    """The contextual model, with something that happens while it reads a question."""

    def __init__(self, model: Any, meanwhile: Callable[[], None]) -> None:
        self._model = model
        self._meanwhile = meanwhile
        self.read = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def embed_query(self, text: str) -> Vector:
        self.read += 1
        self._meanwhile()
        found: Vector = self._model.embed_query(text)
        return found


@pytest.fixture(params=[False, True], ids=["one-shot", "resident"])
def bird(store_path: str, request: pytest.FixtureRequest) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop") as writer:
        for text in MEMORIES:
            writer.remember(text)
    with Bowerbird.open(store_path, project="shop", resident=request.param) as opened:
        yield opened


def watch(bird: Bowerbird, meanwhile: Callable[[Any], None]) -> Watched:
    """Let something happen while the bird's contextual model reads a question."""
    opened: Any = bird._wiring.opened
    watched = Watched(opened.contextual(), lambda: meanwhile(opened.reader()))
    opened._contextual = watched
    return watched


def test_no_transaction_is_open_while_the_model_reads_a_question(bird: Bowerbird) -> None:
    open_: list[bool] = []
    watched = watch(bird, lambda store: open_.append(store.connection.in_transaction))
    assert bird.query(ASKED)[0].text == REFUND
    assert bird.context(ASKED).items[0].text == REFUND
    assert open_ == [False] * watched.read
    assert watched.read


def test_the_log_is_folded_back_while_the_model_reads_a_question(
    bird: Bowerbird, store_path: str
) -> None:
    left: list[int] = []
    other = apsw.Connection(store_path)

    def write_and_fold(_store: Any) -> None:
        with Bowerbird.open(store_path, project="shop") as writer:
            writer.remember(LATER)
            # A reader of a moment before what was written would hold up the log.
            found: Any = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            left.append(found[0])

    watch(bird, write_and_fold)
    bird.query(ASKED)
    other.close()
    assert left == [0]


def test_what_is_written_meanwhile_is_in_the_answer_and_the_model_reads_once(
    bird: Bowerbird, store_path: str
) -> None:
    def write(_store: Any) -> None:
        with Bowerbird.open(store_path, project="shop") as other:
            other.remember(LATER)

    watched = watch(bird, write)
    found = bird.query(ASKED)
    assert {found[0].text, found[1].text} == {REFUND, LATER}
    assert watched.read == 1
    # The stages of the first look at the former moment are told no more.
    names = [stage.name for stage in found.trace.stages]
    assert len(names) == len(set(names))
    again = bird.query(ASKED)
    assert [hit.text for hit in again] == [hit.text for hit in found]


def test_within_a_transaction_that_writes_nothing_of_it_is_ended(bird: Bowerbird) -> None:
    wiring = bird._wiring
    store: Any = wiring.writer()
    before = store.generation()
    with store.transaction():
        retrieval = Retrieval(store, wiring.embedder, wiring.opened.contextual)
        assert retrieval.answer(Query(ASKED))[0].text == REFUND
        assert store.connection.in_transaction
    assert store.generation() == before + 1
