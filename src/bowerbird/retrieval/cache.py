"""Answers that were given a moment ago, for processes that stay.

A one-shot command neither fills nor loads this.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.answers import Hits
    from bowerbird.core.clock import Clock
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.retrieval.pipeline import Retrieval

# How many answers are kept, and how long. Ten hits of a full passage each take some 20 KB.
MOST = 100
LIFETIME_MS = 300_000


class ResultCache:
    """The answers of one store, by the whole query; dropped on any write, whoever wrote."""

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._generation = -1
        self._kept: dict[tuple[Any, ...], tuple[int, Hits]] = {}

    def answer(self, query: "Query", store: "Store", retrieval: "Retrieval") -> "Hits":
        """The answer to a query, from a moment ago where it would be the same now.

        The scope is part of the query's filter. What expires meanwhile ends an answer's life too.
        """
        with store.reading():
            generation = store.generation()
            if generation != self._generation:
                self._kept.clear()
                self._generation = generation
            now = self._clock()
            key = (*query.key("filter"), query.filter.key("now"))
            kept = self._kept.pop(key, None)
            if kept is not None and self._holds(kept[0], now, store):
                self._kept[key] = kept
                return _again(kept[1])
            ranked = retrieval.rank(query)
            # The contextual model reads with no moment open: then it may be another one by now.
            same = store.generation() == generation
        hits = retrieval.hits(ranked)
        # What a stage could not give may be there the next time.
        if same and (query.fast or not hits.trace.degraded):
            # With a trace of its own: whoever is handed this answer may remark on it.
            self._kept[key] = (now, hits.replace(trace=hits.trace.again()))
            if len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]
        return hits

    @staticmethod
    def _holds(then: int, now: int, store: "Store") -> bool:
        return 0 <= now - then < LIFETIME_MS and not store.expired_between(then, now)


def _again(hits: "Hits") -> "Hits":
    """The same answer with a trace of its own, which says where it came from."""
    trace = hits.trace.again()
    trace.ran("cache", len(hits), "answered a moment ago; nothing was written since")
    return hits.replace(trace=trace, took_ms=trace.took_ms, corrected=dict(hits.corrected))
