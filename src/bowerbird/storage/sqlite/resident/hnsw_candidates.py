"""Candidates with the HNSW index beside the store, for resident processes."""

import json

from bowerbird.storage.sqlite.nouns.filters import where
from bowerbird.storage.sqlite.nouns.sketch import sketches
from bowerbird.storage.sqlite.search.candidates import RESCORED, CandidateSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Vector
    from bowerbird.storage.sqlite.resident.hnsw import Hnsw

# How many more are nominated than wanted, because some will be filtered out; when too few are left,
# four times as many, up to the most. A filter that lets through less is for the sketches.
_NOMINATED, _MOST_NOMINATED = 2, 6_400


class IndexedSource(CandidateSource):
    """The same candidates; the nearest vectors come from the index, if there is one."""

    def __init__(
        self,
        connection: "apsw.Connection",
        damaged: set[int],
        index: "Callable[[int, int], Hnsw | None]",
    ) -> None:
        """`index` gives the index of a model, by the store's number of entries, or None."""
        super().__init__(connection, damaged)
        self._index = index

    def dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose vectors lie nearest, with their cosines."""
        near = self._by_index(vector, model, filter, limit, entries)
        return near or super().dense(vector, model, filter, limit, entries)

    def tier(self, entries: int, model: int | None) -> str:
        """How nearest vectors are found in a store of that size."""
        if model is not None and self._index(model, entries) is not None:
            return "hnsw"
        return super().tier(entries, model)

    def _by_index(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """By the index and, for what is newer, by sketches; nothing where too few pass the filter."""
        index = self._index(model, entries)
        if index is None:
            return []
        condition, values = where(filter)
        wanted = _NOMINATED * limit
        while True:
            passing = self._connection.execute(
                "SELECT f.id FROM json_each(?) j CROSS JOIN facet f ON f.id = j.value"
                f" WHERE {condition}",
                (json.dumps(index.nearest(vector.values, wanted)), *values),
            )
            rows = [row for (row,) in passing]
            if len(rows) >= limit:
                break
            wanted *= 4
            if wanted > _MOST_NOMINATED:
                return []
        newer = self._connection.execute(
            f"SELECT f.id FROM facet f WHERE f.id > ? AND f.sketch IS NOT NULL AND {condition}"
            " ORDER BY vec_distance_hamming(vec_bit(f.sketch), vec_bit(?)) LIMIT ?",
            (index.stamp.last, *values, sketches([vector.values])[0], RESCORED),
        )
        rows += [row for (row,) in newer]
        return sorted(self.cosines(vector, model, rows).items(), key=lambda item: -item[1])[:limit]
