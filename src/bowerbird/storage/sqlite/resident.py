"""Candidates in a process that stays: what a one-shot command reads anew is kept in memory.

Everything is keyed on the generation counter, so that a write by any process drops it.
"""

import json
import os

from bowerbird.storage.sqlite.building import Building
from bowerbird.storage.sqlite.candidates import RESCORED, Candidates
from bowerbird.storage.sqlite.filters import expired_between, where
from bowerbird.storage.sqlite.hnsw import SUFFIX, Hnsw, available
from bowerbird.storage.sqlite.matrix import Matrix
from bowerbird.storage.sqlite.sketch import sketch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Vector

    Mask = NDArray[np.bool_]

# Up to so many entries their vectors are kept: 67 MB and 25 ms a scan at 256 dims. Above, sketches.
MOST_KEPT = 250_000
# From so many entries an HNSW index nominates, where usearch is installed.
HNSW_FROM = 500_000
# How many more are nominated than wanted, because some will be filtered out; when too few are left,
# four times as many, up to the most. A filter that lets through less is for the sketches.
_NOMINATED, _MOST_NOMINATED = 2, 6_400
# When the store has so much more than the index, that is built anew.
_OUTGROWN = 1.1
# Filters whose allowed rows are remembered: a byte an entry each.
_MOST_MASKS = 8


class ResidentCandidates(Candidates):
    """The same answers, from memory while the store stands still.

    The matrix is read when the store is met twice at the same generation: where every question
    follows a write, reading all vectors for each would cost more than it saves.
    """

    def __init__(
        self,
        connection: "apsw.Connection",
        vectors_loaded: bool,
        generation: "Callable[[], int]",
        building: Building,
    ) -> None:
        super().__init__(connection, vectors_loaded)
        self._generation = generation
        self._building = building
        self._index: Hnsw | None = None
        self._index_seen: tuple[int, ...] = ()
        self._met = -1
        self._matrix: Matrix | None = None
        self._masks: dict[Filter, tuple[int | None, Mask]] = {}

    def dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose vectors lie nearest, exactly, out of memory where they are kept."""
        matrix = self._current(model, entries)
        if matrix is None:
            near = self._by_index(vector, model, filter, limit, entries)
            return near or super().dense(vector, model, filter, limit, entries)
        return matrix.nearest(vector, self._allowed(matrix, filter), limit)

    def cosines(self, vector: "Vector", model: int, rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some rows."""
        matrix = self._matrix
        if matrix is None or matrix.model != model or matrix.generation != self._generation():
            return super().cosines(vector, model, rows)
        return matrix.cosines(vector, rows)

    def tier(self, entries: int, model: int | None) -> str:
        """How nearest vectors are found in a store of that size."""
        if entries <= MOST_KEPT:
            return "exact"
        if model is not None and self._current_index(model, entries) is not None:
            return "hnsw"
        return super().tier(entries, model)

    def _by_index(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """By the index and, for what is newer, by sketches; nothing where too few pass the filter."""
        index = self._current_index(model, entries)
        if index is None or not self._vectors_loaded:
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
            (index.stamp.last, *values, sketch(vector.values), RESCORED),
        )
        rows += [row for (row,) in newer]
        return sorted(self.cosines(vector, model, rows).items(), key=lambda item: -item[1])[:limit]

    def _current_index(self, model: int, entries: int) -> Hnsw | None:
        """The index as it stands beside the store; one that is missing or outgrown is built aside."""
        if entries < HNSW_FROM or not available():
            return None
        try:
            found = os.stat(self._building.path + SUFFIX)
            seen: tuple[int, ...] = (model, found.st_mtime_ns, found.st_ino)
        except FileNotFoundError:
            seen = ()
        if seen != self._index_seen:
            identity, replica = self._building.facts(self._connection, model)
            opened = Hnsw.opened(self._building.path + SUFFIX, identity, replica)
            self._index, self._index_seen = opened, seen
        if self._index is None or entries > _OUTGROWN * self._index.stamp.count:
            self._building.start(model)
        return self._index

    def _current(self, model: int, entries: int) -> Matrix | None:
        """The matrix of this generation, read where that pays."""
        generation = self._generation()
        matrix = self._matrix
        if matrix is not None and (matrix.generation, matrix.model) == (generation, model):
            return matrix
        self._matrix = None
        self._masks.clear()
        stood_still = generation == self._met
        self._met = generation
        if not stood_still or entries > MOST_KEPT:
            return None
        self._matrix = Matrix.read(self._connection, generation, model)
        return self._matrix

    def _allowed(self, matrix: Matrix, filter: "Filter") -> "Mask":
        """The matrix' rows that pass a filter, kept until something is written or expires."""
        key = filter.replace(now=None if filter.now is None else 0)
        kept = self._masks.pop(key, None)
        if kept is None or self._expired_since(kept[0], filter.now):
            condition, values = where(filter)
            found = self._connection.execute(f"SELECT f.id FROM facet f WHERE {condition}", values)
            kept = (filter.now, matrix.among([row for (row,) in found]))
        self._masks[key] = kept
        if len(self._masks) > _MOST_MASKS:
            del self._masks[next(iter(self._masks))]
        return kept[1]

    def _expired_since(self, then: int | None, now: int | None) -> bool:
        if then is None or now is None:
            return False
        return now < then or expired_between(self._connection, then, now)
