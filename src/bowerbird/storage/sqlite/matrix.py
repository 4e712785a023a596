"""All vectors of one model in memory, for processes that stay: the exact scan without the file."""

from itertools import islice

import numpy as np

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw
    from numpy.typing import NDArray

    from bowerbird.core.types import Vector

# Rows turned into floats at a time, so that they stay near the processor: at 100,000 rows of 256
# dims a scan takes 10 ms so, 36 in one piece.
_BLOCK = 1_024
# Rows fetched from the store at a time.
_FETCHED = 8_192
# Below this share of allowed rows they are picked out first: picking costs as much as four products.
_FEW = 0.2


class Matrix(Value):
    """The vectors with their rows, as they stood at one generation of the store.

    A row takes the dims of the model plus 12 bytes: 27 MB at 100,000 rows of 256 dims.
    """

    __slots__ = ("generation", "lengths", "model", "rows", "values")

    def __init__(
        self,
        generation: int,
        model: int,
        rows: "NDArray[np.int64]",
        values: "NDArray[np.int8]",
        lengths: "NDArray[np.float32]",
    ) -> None:
        self.generation = generation
        self.model = model
        self.rows = rows
        self.values = values
        self.lengths = lengths

    @classmethod
    def read(cls, connection: "apsw.Connection", generation: int, model: int) -> "Matrix":
        """All vectors of a model that say anything, in the order of their rows.

        `generation` was read before: what is written meanwhile makes the matrix look older than it
        is, never newer.
        """
        found = connection.execute(
            "SELECT id, int8 FROM vector WHERE model = ? AND norm > 0 ORDER BY id", (model,)
        )
        rows: list[int] = []
        blocks: list[NDArray[np.int8]] = []
        while some := list(islice(found, _FETCHED)):
            rows += [row for row, _ in some]
            joined = np.frombuffer(b"".join(vector for _, vector in some), dtype=np.int8)
            blocks.append(joined.reshape(len(some), -1))
        values = np.concatenate(blocks) if blocks else np.zeros((0, 1), np.int8)
        lengths = np.empty(len(values), np.float32)
        for start in range(0, len(values), _BLOCK):
            block = values[start : start + _BLOCK].astype(np.float32)
            lengths[start : start + _BLOCK] = np.sqrt(np.einsum("ij,ij->i", block, block))
        return cls(generation, model, np.array(rows, np.int64), values, lengths)

    def __len__(self) -> int:
        return len(self.rows)

    def among(self, rows: "Sequence[int]") -> "NDArray[np.bool_]":
        """Which of the matrix' rows are among the given ones."""
        mask = np.zeros(len(self), np.bool_)
        mask[self._places(np.fromiter(rows, np.int64, len(rows)))] = True
        return mask

    def nearest(
        self, vector: "Vector", allowed: "NDArray[np.bool_]", limit: int
    ) -> list[tuple[int, float]]:
        """The allowed rows that lie nearest, with their cosines, best first."""
        places = np.flatnonzero(allowed)
        if not len(places):
            return []
        if len(places) < _FEW * len(self):
            cosines = self._cosines(vector, self.values[places], self.lengths[places])
        else:
            cosines = self._cosines(vector, self.values, self.lengths)[places]
        if limit < len(places):
            best = np.argpartition(-cosines, limit)[:limit]
            places, cosines = places[best], cosines[best]
        order = np.argsort(-cosines, kind="stable")
        rows = self.rows[places[order]].tolist()
        return list(zip(rows, cosines[order].tolist(), strict=True))

    def cosines(self, vector: "Vector", rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some rows; rows without a vector are left out."""
        places = self._places(np.fromiter(rows, np.int64, len(rows)))
        cosines = self._cosines(vector, self.values[places], self.lengths[places])
        return dict(zip(self.rows[places].tolist(), cosines.tolist(), strict=True))

    def _places(self, rows: "NDArray[np.int64]") -> "NDArray[np.intp]":
        """Where those of some rows stand that are here."""
        if not len(self):
            return np.zeros(0, np.intp)
        places = np.minimum(np.searchsorted(self.rows, rows), len(self) - 1)
        here: NDArray[np.intp] = places[self.rows[places] == rows]
        return here

    @staticmethod
    def _cosines(
        vector: "Vector", values: "NDArray[np.int8]", lengths: "NDArray[np.float32]"
    ) -> "NDArray[Any]":
        """Products of int8 vectors are whole numbers that float32 holds exactly up to 1,040 dims."""
        asked = np.frombuffer(vector.values, dtype=np.int8).astype(np.float32)
        products = np.empty(len(values), np.float32)
        room = np.empty((min(_BLOCK, len(values)), len(asked)), np.float32)
        for start in range(0, len(values), _BLOCK):
            some = values[start : start + _BLOCK]
            block = room[: len(some)]
            block[...] = some
            np.dot(block, asked, out=products[start : start + _BLOCK])
        return products / (lengths * np.linalg.norm(asked))
