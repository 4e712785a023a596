"""Candidates in a process that stays: what a one-shot command reads anew is kept in memory.

Everything is keyed on the generation counter, so that a write by any process drops it.
"""

from bowerbird.storage.sqlite.candidates import Candidates
from bowerbird.storage.sqlite.filters import expired_between, where
from bowerbird.storage.sqlite.matrix import Matrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from bowerbird.core.answers import Filter
    from bowerbird.core.types import Vector

    Mask = NDArray[np.bool_]

# Up to so many entries their vectors are kept: 67 MB and 25 ms a scan at 256 dims. Above, sketches.
MOST_KEPT = 250_000
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
    ) -> None:
        super().__init__(connection, vectors_loaded)
        self._generation = generation
        self._met = -1
        self._matrix: Matrix | None = None
        self._masks: dict[Filter, tuple[int | None, Mask]] = {}

    def dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose vectors lie nearest, exactly, out of memory where they are kept."""
        matrix = self._current(model, entries)
        if matrix is None:
            return super().dense(vector, model, filter, limit, entries)
        return matrix.nearest(vector, self._allowed(matrix, filter), limit)

    def cosines(self, vector: "Vector", model: int, rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some rows."""
        matrix = self._matrix
        if matrix is None or matrix.model != model or matrix.generation != self._generation():
            return super().cosines(vector, model, rows)
        return matrix.cosines(vector, rows)

    def tier(self, entries: int) -> str:
        """How nearest vectors are found in a store of that size."""
        return "exact" if entries <= MOST_KEPT else super().tier(entries)

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
