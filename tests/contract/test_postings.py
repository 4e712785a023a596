"""What a process that stays makes of the index's own places is what FTS5 weighs, number by number."""

import random
from collections.abc import Callable, Iterator

import pytest

from bowerbird.core.document import Document, Incoming, Piece
from bowerbird.core.query import Filter
from bowerbird.core.types import ModelIdentity, Project, Vector
from bowerbird.storage.sqlite.resident import postings, residence
from bowerbird.storage.sqlite.resident.residence import ResidentSource
from bowerbird.storage.sqlite.search.candidates import CandidateSource
from bowerbird.storage.sqlite.store import Store

MODEL = ModelIdentity("test", "hand", 8, "1")
SHOP = Project("name:shop", "shop", None)
SILENT = Vector(bytes(8), 0.0)
DRAW = random.Random(11)
VOCABULARY = (
    "queue", "queues", "Redis", "restarted", "restartQueue", "port", "vault", "Über", "naïve",
    "größte", "東京都", "x²", "snake_case", "café", "½", "don't", "token", "shop", "c++", "６３７９",
)  # fmt: skip
ASKED = (
    "queue", "restart", "redis", "shop", "md", "port", "uber", "naive", "großte", "東京", "京都",
    "x²", "½", "snake", "cafe", "nowhere", "don", "heading", "ada", "que*", "gro*", "caf*", "6379",
    "token vault", "redis port", "restart queue", "nowhere queue", "queue*",
)  # fmt: skip


def write(store: Store, number: int, pieces: int) -> None:
    texts = [" ".join(DRAW.choices(VOCABULARY, k=DRAW.randint(1, 40))) for _ in range(pieces)]
    said = [
        Piece(text, i + 1, i + 1, context="Heading of queues" if i % 3 else "", speaker="Ada")
        for i, text in enumerate(texts)
    ]
    path = f"/shop/port/{number}.md"
    document = Document(path, path, "markdown", b"h" * 16, 10, 1_700_000_000_000)
    with store.transaction():
        incoming = Incoming(
            store.projects.ensure(SHOP), document, said, [SILENT] * pieces, "import", "imported"
        )
        store.documents.replace_all([incoming], store.ensure_model(MODEL))


@pytest.fixture
def store(store_path: str, clock: Callable[[], int]) -> Iterator[Store]:
    opened = Store.open(store_path, clock, write=True)
    for number in range(40):
        write(opened, number, DRAW.randint(1, 9))
    yield opened
    opened.close()


def same(found: list[tuple[int, float]], exact: list[tuple[int, float]]) -> None:
    """The same rows in the same order; a machine may round the last digit of a sum otherwise."""
    assert [row for row, _ in found] == [row for row, _ in exact]
    scores = [score for _, score in exact]
    assert [score for _, score in found] == pytest.approx(scores, rel=1e-12)


def agree(store: Store) -> None:
    """All that the words say, from memory and asked of FTS5."""
    store.keep_resident()
    for _ in range(residence._QUESTIONS + 1):
        here = store.candidates
    assert isinstance(here, ResidentSource)
    there = CandidateSource(store.connection)
    for phrases in [[one] for one in ASKED] + [DRAW.sample(ASKED, 5) for _ in range(40)]:
        for limit in (3, 1_000):
            exact = there.lexical(phrases, Filter(), limit)
            same(here.lexical(phrases, Filter(), limit), exact)
        words = [phrase for phrase in phrases if "*" not in phrase] or ["queue"]
        for wanted in (range(1, 50), [3, 7, 999], []):
            found, *counts = here.wholes(words, wanted)
            asked, *known = there.wholes(words, wanted)
            assert counts == known
            same(sorted(found), sorted(asked))


def test_words_score_as_in_full_text(store: Store) -> None:
    agree(store)


def test_and_after_documents_were_replaced_and_taken_out(store: Store) -> None:
    for number in range(0, 40, 3):
        write(store, number, DRAW.randint(1, 9))
    with store.transaction():
        for number in range(1, 40, 5):
            store.documents.remove(store.projects.row(SHOP.uid) or 0, f"/shop/port/{number}.md")
    agree(store)


def test_and_where_documents_are_not_the_sum_of_their_passages(store: Store) -> None:
    with store.transaction():
        store.connection.execute("DELETE FROM facet WHERE id % 7 = 0")
    agree(store)


def test_and_where_little_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "MOST_BYTES", 4_000)
    agree(store)


def test_and_in_a_store_that_holds_nothing(store_path: str, clock: Callable[[], int]) -> None:
    empty = Store.open(store_path, clock, write=True)
    agree(empty)
    empty.close()


def test_a_reader_stays_one(store: Store) -> None:
    reader = Store.open(store.path, store.clock, write=False)
    agree(reader)
    assert reader.connection.pragma("query_only") == 1
    reader.close()
