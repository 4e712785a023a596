"""The ports to what a model may decide: what the rules do, and what a slow or failing one costs."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import ModelError
from bowerbird.core.query import Filter, Query
from bowerbird.retrieval.cache import ResultCache
from bowerbird.retrieval.intent import QUOTED
from bowerbird.retrieval.pipeline import Retrieval
from bowerbird.retrieval.present import AS_RANKED
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird import Bowerbird
    from bowerbird.core.answers import Hits
    from bowerbird.core.ports.thinking import Expander, Reranker

QUERY = Query('which port has "redis two"?', filter=Filter(now=1_767_225_600_000))
FAILED = ModelError("the model is not there", "start it")


class Slow:
    """Reports whether a transaction was open when it was called, and returns when it is allowed to."""

    most = 10
    unsure_only = False
    budget_s = 0.05

    def __init__(self, store: Store) -> None:
        self.store = store
        self.leave = Event()
        self.in_transaction: list[bool] = []

    def expand(self, text: str) -> Sequence[str]:
        self._wait()
        return [text]

    def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        self._wait()
        return range(len(texts))[::-1] if question else []

    def _wait(self) -> None:
        self.in_transaction.append(self.store.connection.in_transaction)
        self.leave.wait()


class Failing:
    """Raises the error of a model, or any other."""

    most = 10
    unsure_only = False
    budget_s = 30.0

    def __init__(self, error: Exception = FAILED) -> None:
        self.error = error

    def expand(self, text: str) -> Sequence[str]:
        raise self.error

    def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        raise self.error


class Ordering:
    """Returns the order that it was made with."""

    most = 10
    unsure_only = False
    budget_s = 30.0

    def __init__(self, *order: int) -> None:
        self.returned = order

    def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        return self.returned


@pytest.fixture
def store(bird: Bowerbird) -> Store:
    for number in ("one", "two", "three"):
        bird.remember(f"The port of redis {number} was chosen by the {number} team.")
    opened = bird._wiring.store()
    assert isinstance(opened, Store)
    return opened


@pytest.fixture
def slow(store: Store) -> Iterator[Slow]:
    double = Slow(store)
    yield double
    double.leave.set()


def answer(
    store: Store,
    bird: Bowerbird,
    expander: Expander = QUOTED,
    reranker: Reranker = AS_RANKED,
    query: Query = QUERY,
) -> Hits:
    embedder = bird._wiring.embedder
    return Retrieval(store, embedder, expander=expander, reranker=reranker).answer(query)


def order(hits: Hits) -> list[str]:
    return [hit.id for hit in hits]


def test_the_rules_search_what_is_quoted_as_a_phrase() -> None:
    assert QUOTED.expand('is it "rate limit" or “two ports”, or "rate limit"?') == (
        "rate limit",
        "two ports",
    )
    assert QUOTED.expand("which port") == ()


def test_the_rules_keep_the_order_of_the_ranking() -> None:
    assert [*AS_RANKED.order("which port", ["a", "b", "c"])] == [0, 1, 2]


def test_phrases_of_an_expander_are_searched_beside_the_words(
    store: Store, bird: Bowerbird
) -> None:
    class Other:
        budget_s = 30.0

        def expand(self, text: str) -> Sequence[str]:
            return ("three team",) if text else ()

    query = QUERY.replace(text="which port was chosen?")
    found = answer(store, bird, Other(), query=query)
    assert found[0].text.endswith("three team.")
    assert found[0].score > answer(store, bird, query=query)[0].score
    assert not found.trace.degraded


def test_a_slow_expander_is_left_out_and_the_answer_says_so(
    store: Store, bird: Bowerbird, slow: Slow
) -> None:
    plain, hits = answer(store, bird), answer(store, bird, slow)
    assert set(order(hits)) == set(order(plain))
    assert [str(one) for one in hits.trace.degraded] == [
        "expand: not done within 0.05 s; ask again, or use a faster model"
    ]
    assert slow.in_transaction == [False]


@pytest.mark.parametrize("error", [FAILED, ZeroDivisionError()])
def test_a_failing_expander_is_left_out_and_the_answer_says_so(
    store: Store, bird: Bowerbird, error: Exception
) -> None:
    hits = answer(store, bird, Failing(error))
    assert len(hits) == len(answer(store, bird))
    (said,) = hits.trace.degraded
    assert str(said).startswith("expand: ")


def test_a_reranker_orders_the_hits(store: Store, bird: Bowerbird) -> None:
    plain, turned = answer(store, bird), answer(store, bird, reranker=Ordering(2, 1, 0))
    assert order(turned) == order(plain)[::-1]
    assert not turned.trace.degraded


def test_a_slow_reranker_keeps_the_order_and_the_answer_says_so(
    store: Store, bird: Bowerbird, slow: Slow
) -> None:
    hits = answer(store, bird, reranker=slow)
    assert order(hits) == order(answer(store, bird))
    assert [str(one) for one in hits.trace.degraded] == [
        "rerank: not done within 0.05 s; ask again, or use a faster model"
    ]
    assert slow.in_transaction == [False]


@pytest.mark.parametrize(
    "reranker", [Failing(), Failing(ZeroDivisionError()), Ordering(0, 0, 1), Ordering(0)]
)
def test_a_failing_reranker_keeps_the_order_and_the_answer_says_so(
    store: Store, bird: Bowerbird, reranker: Reranker
) -> None:
    hits = answer(store, bird, reranker=reranker)
    assert order(hits) == order(answer(store, bird))
    (said,) = hits.trace.degraded
    assert str(said).startswith("rerank: ")


def test_a_process_that_keeps_answers_asks_neither_of_them_inside_a_snapshot(
    store: Store, bird: Bowerbird, slow: Slow
) -> None:
    slow.leave.set()
    cache = ResultCache(lambda: 0)
    retrieval = Retrieval(store, bird._wiring.embedder, expander=slow, reranker=slow)
    first, again = (cache.answer(QUERY, store, retrieval) for _ in range(2))
    assert order(first) == order(again)
    # The answer that is kept needed neither.
    assert slow.in_transaction == [False, False]


def test_an_answer_without_its_expander_or_reranker_is_not_kept(
    store: Store, bird: Bowerbird
) -> None:
    cache = ResultCache(lambda: 0)
    embedder = bird._wiring.embedder
    for failing in (
        Retrieval(store, embedder, expander=Failing()),
        Retrieval(store, embedder, reranker=Failing()),
    ):
        assert cache.answer(QUERY, store, failing).trace.degraded
    assert not cache.answer(QUERY, store, Retrieval(store, embedder)).trace.degraded
