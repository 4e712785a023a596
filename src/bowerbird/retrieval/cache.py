"""A cache of recent answers, for long-running processes.

One-shot commands neither fill nor load it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.answers import Hits
    from bowerbird.core.clock import Clock
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.retrieval.pipeline import Retrieval

# Number of cached answers, and their lifetime. An answer of ten full passages takes about 20 KB.
MOST = 100
LIFETIME_MS = 300_000


class ResultCache:
    """The answers of one store, keyed by the whole query; cleared after any write by any process."""

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._generation = -1
        self._kept: dict[tuple[Any, ...], tuple[int, Hits]] = {}

    def answer(self, query: "Query", store: "Store", retrieval: "Retrieval") -> "Hits":
        """The answer to a query, from the cache if it would still be the same.

        The scope is part of the query's filter. An entry that expires also invalidates the answer.
        """
        now = self._clock()
        key = (*query.key("filter"), query.filter.key("now"))
        if key in self._kept:
            with store.reading():
                self._forget_outdated(store)
                kept = self._kept.pop(key, None)
                if kept is not None and self._holds(kept[0], now, store):
                    self._kept[key] = kept
                    return _again(kept[1])
        expansion = retrieval.expand(query)
        with store.reading():
            generation = self._forget_outdated(store)
            ranked = retrieval.rank(query, expansion)
            # The contextual model runs without a transaction, so the store may have changed meanwhile.
            same = store.generation() == generation
        hits = retrieval.hits(ranked)
        # Degraded answers are not cached: a stage that could not run may run the next time.
        if same and (query.fast or not hits.trace.degraded):
            # A copy of the trace, because the caller may add notes to its own.
            self._kept[key] = (now, hits.replace(trace=hits.trace.again()))
            if len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]
        return hits

    def _forget_outdated(self, store: "Store") -> int:
        """Drops all answers if the store changed; returns its generation."""
        generation = store.generation()
        if generation != self._generation:
            self._kept.clear()
            self._generation = generation
        return generation

    @staticmethod
    def _holds(then: int, now: int, store: "Store") -> bool:
        return 0 <= now - then < LIFETIME_MS and not store.expired_between(then, now)


def _again(hits: "Hits") -> "Hits":
    """The same answer with its own copy of the trace, which notes that it is cached."""
    trace = hits.trace.again()
    trace.ran("cache", len(hits), "answered a moment ago; nothing was written since")
    return hits.replace(trace=trace, took_ms=trace.took_ms, corrected=dict(hits.corrected))
