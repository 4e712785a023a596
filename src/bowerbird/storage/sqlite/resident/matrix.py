"""The vectors of one model in memory, for processes that stay: cosines without the file."""

import json

import numpy as np

from bowerbird.storage.sqlite.resident.columns import batches
from bowerbird.storage.sqlite.search.candidates import EXACT_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    import apsw
    from numpy.typing import NDArray

    from bowerbird.core.types import Vector
    from bowerbird.storage.sqlite.resident.columns import Columns, Mask, Offsets

# Rows turned into floats at a time, so that they stay near the processor: at 100,000 rows of 256
# dims a scan takes 10 ms so, 36 in one piece.
_BLOCK = 1_024
# Room for a sixteenth more rows: copying 100,000 for each new one took 40 to 70 ms of CPU.
_SPARE = 16
# Where every vector is compared they are kept as floats: at 10,000 rows .16 ms instead of .40, for 8 MB.
MOST_AS_FLOATS = EXACT_LIMIT


class Matrix:
    """A vector for each offset of some columns: its lengths and its values.

    `norms` and `windows` are 0 where there is no vector; `known` says where one says anything. A row
    takes the dims of the model plus 21 bytes, 28 MB at 100,000 rows of 256 dims; of few rows four times
    as much.
    """

    def __init__(
        self,
        connection: "apsw.Connection",
        columns: "Columns",
        model: int,
        dims: int,
        before: "Self | None" = None,
    ) -> None:
        """Reads the model's vectors, of `dims` dimensions, of every row after `before`."""
        self.model = model
        kind = np.float32 if len(columns) <= MOST_AS_FLOATS else np.int8
        first = len(before) if before else 0
        self.norms = np.zeros(len(columns))
        self.windows = np.zeros(len(columns))
        room = before.values.base if before else None
        if room is None or len(room) < len(columns) or room.dtype != kind:
            room = np.zeros((len(columns) + len(columns) // _SPARE, dims), kind)
            if before:
                room[:first] = before.values
        self.values: NDArray[np.int8 | np.float32] = room[: len(columns)]
        self.lengths = np.empty(len(columns), np.float32)
        if before:
            self.norms[:first], self.windows[:first] = before.norms, before.windows
            self.lengths[:first] = before.lengths
        found = connection.execute(
            "SELECT id, norm, window, int8 FROM vector WHERE model = ? AND id > ? ORDER BY id",
            (model, columns.rows[first - 1].item() if first else 0),
        )
        for some in batches(found):
            rows, norms, windows, vectors = zip(*some, strict=True)
            offsets = np.searchsorted(columns.rows, np.array(rows, np.int64))
            self.norms[offsets] = norms
            self.windows[offsets] = windows
            block = np.frombuffer(b"".join(vectors), np.int8)
            self.values[offsets] = block.reshape(len(some), -1)
        self.known = self.norms > 0
        for start in range(first, len(columns), _BLOCK):
            floats = self.values[start : start + _BLOCK].astype(np.float32, copy=False)
            squares = np.einsum("ij,ij->i", floats, floats)
            self.lengths[start : start + _BLOCK] = np.sqrt(squares)

    def __len__(self) -> int:
        return len(self.norms)

    def reread(self, connection: "apsw.Connection", columns: "Columns", offsets: "Offsets") -> None:
        """Reads the vectors at some offsets of the columns again."""
        for part in (self.norms, self.windows, self.values, self.lengths):
            part[offsets] = 0
        found = connection.execute(
            "SELECT id, norm, window, int8 FROM vector WHERE model = ?"
            " AND id IN (SELECT value FROM json_each(?))",
            (self.model, json.dumps(columns.rows[offsets].tolist())),
        )
        for row, norm, window, vector in found:
            (offset,) = columns.offsets([row])
            self.norms[offset], self.windows[offset] = norm, window
            self.values[offset] = np.frombuffer(vector, np.int8)
            floats = self.values[offset].astype(np.float32)
            self.lengths[offset] = np.sqrt(np.dot(floats, floats))
        self.known = self.norms > 0

    def cosines(self, vector: "Vector", offsets: "Offsets | None" = None) -> "NDArray[Any]":
        """The cosines of some offsets, all of which have a vector, or of every one.

        Products of int8 vectors are whole numbers that float32 holds exactly up to 1,040 dims.
        """
        asked = np.frombuffer(vector.values, np.int8).astype(np.float32)
        lengths = self.lengths if offsets is None else self.lengths[offsets]
        products = np.empty(len(lengths), np.float32)
        room = np.empty((min(_BLOCK, len(lengths)), len(asked)), np.float32)
        for start in range(0, len(lengths), _BLOCK):
            end = min(start + _BLOCK, len(lengths))
            block = self.values[slice(start, end) if offsets is None else offsets[start:end]]
            if block.dtype != np.float32:
                room[: end - start] = block
                block = room[: end - start]
            np.dot(block, asked, out=products[start:end])
        with np.errstate(divide="ignore", invalid="ignore"):
            return products / (lengths * np.linalg.norm(asked))


class Compared:
    """What one vector was compared with so far: no offset twice."""

    def __init__(self, matrix: Matrix, vector: "Vector") -> None:
        self.matrix = matrix
        self.vector = vector
        self._cosines = np.full(len(matrix.norms), np.nan, np.float32)

    def cosines(self, offsets: "Offsets") -> "NDArray[np.float32]":
        """The cosines of some offsets, NaN for those without a vector that says anything."""
        if 2 * len(offsets) > len(self._cosines):
            # Picking out most of them takes more than all.
            self._cosines = self.matrix.cosines(self.vector)
            return self._cosines[offsets]
        found = self._cosines[offsets]
        missing = offsets[np.isnan(found)]
        missing = missing[self.matrix.known[missing]]
        if len(missing):
            self._cosines[missing] = self.matrix.cosines(self.vector, missing)
            found = self._cosines[offsets]
        return found

    def around(
        self, offsets: "Offsets", near: "Offsets", closeness: "NDArray[np.float64]", met: "Mask"
    ) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """The cosine with each offset's neighbourhood, and apart those of neighbours that were not `met`.

        As `core.neighbourhood.windows` makes it of rows.
        """
        matrix = self.matrix
        every = np.concatenate((offsets[:, None], near), axis=1)
        found = self.cosines(every.ravel()).reshape(every.shape)
        shares = np.where(matrix.known[every], found, 0.0).astype(np.float64)
        shares[:, 1:] *= closeness
        sums = (matrix.norms[every] * shares).sum(axis=1)
        lengths = matrix.windows[offsets]
        known = matrix.known[offsets] & (lengths > 0)
        windows = np.maximum(sums, 0.0) / np.where(known, lengths, np.inf)
        others = np.where(met[near], 0.0, np.maximum(shares[:, 1:], 0.0)).sum(axis=1)
        return windows, others
