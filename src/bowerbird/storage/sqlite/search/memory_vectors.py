"""The vectors of all memories in memory, for a process that admits many memories."""

import numpy as np

from bowerbird.storage.sqlite.nouns.sketch import prepare
from bowerbird.storage.sqlite.search.highest import highest

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from bowerbird.core.types import Vector

    Floats = NDArray[np.float32]

# Rows converted to floats at a time, so that they stay in the processor's cache.
_BLOCK = 512
# The value for a memory without a vector; every cosine is higher.
_UNKNOWN = -2.0
# First the marks that more than the newest memories changed, and how many there are.
_NEW = (
    "SELECT -1 AS id, NULL, NULL,"
    " coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'altered'), 0),"
    " (SELECT coalesce(sum(entries), 0) FROM tally WHERE family = 'memory')"
    " UNION ALL SELECT m.id, iif(v.norm > 0, v.int8, NULL), c.int8, NULL, NULL FROM memory m"
    " LEFT JOIN vector v ON v.model = ? AND v.id = m.id LEFT JOIN contextual c ON c.id = m.id"
    " WHERE m.id > ? ORDER BY 1"
)


class Alike:
    """Memories in ascending order of rows, with their vectors of both models."""

    def __init__(self, connection: "apsw.Connection", model: int | None) -> None:
        self._connection = connection
        self.model = model
        self._empty()

    def _empty(self) -> None:
        self._altered = -1
        self._rows: NDArray[np.int64] = np.empty(0, np.int64)
        self._vectors = _Vectors()
        self._contextual = _Vectors()

    def __len__(self) -> int:
        return len(self._rows)

    def read(self, most: int) -> bool:
        """Reads newer memories; returns False if there are more than `most`, and reads none.

        Raises ValueError if a vector has another length than the others.
        """
        last = int(self._rows[-1]) if len(self._rows) else -1
        found = self._connection.execute(_NEW, (self.model, last))
        *_, altered, memories = next(found)
        if memories > most:
            return False
        if altered != self._altered:
            if len(self._rows):
                self._empty()
                return self.read(most)
            self._altered = altered
        new = found.fetchall()
        if new:
            rows, vectors, contextual, _, _ = zip(*new, strict=True)
            self._vectors.add(vectors)
            self._contextual.add(contextual)
            if last < 0 and self._vectors.dims:
                prepare(self._vectors.dims)  # each new memory is sketched later, under the lock
            self._rows = np.concatenate((self._rows, np.array(rows, np.int64)))
        return True

    def cosines(self, vector: "Vector | None", *, contextual: bool = False) -> "Floats":
        """The cosine of each with a vector, below -1 where it has none."""
        vectors = self._contextual if contextual else self._vectors
        if vector is None or not vector.norm:
            return np.full(len(self._rows), _UNKNOWN, np.float32)
        return vectors.cosines(vector)

    def best(self, cosines: "Floats", count: int) -> list[int]:
        """The rows with the highest values, best first."""
        offsets = highest(cosines, count)
        rows: list[int] = self._rows[offsets[cosines[offsets] > _UNKNOWN]].tolist()
        return rows

    def at(self, cosines: "Floats", row: int) -> float:
        """The cosine of one row, 0 where it has none."""
        index = int(np.searchsorted(self._rows, row))
        if index == len(self._rows) or self._rows[index] != row:
            return 0.0
        found = float(cosines[index])
        return found if found > _UNKNOWN else 0.0


class _Vectors:
    """int8 vectors of one length, with room to grow."""

    def __init__(self) -> None:
        self._values: NDArray[np.int8] = np.empty((0, 0), np.int8)
        self._lengths: Floats = np.empty(0, np.float32)
        self._count = 0

    @property
    def dims(self) -> int:
        """The length of the vectors, 0 if there are none."""
        return int(self._values.shape[1])

    def add(self, blobs: "tuple[bytes | None, ...]") -> None:
        """Appends vectors; None for a memory without one."""
        dims = self._values.shape[1] or max((len(blob) for blob in blobs if blob), default=0)
        new = np.zeros((len(blobs), dims), np.int8)
        for index, blob in enumerate(blobs):
            if blob is not None:
                new[index] = np.frombuffer(blob, np.int8)
        start, end = self._count, self._count + len(blobs)
        if end > len(self._values) or self._values.shape[1] != dims:
            values = np.zeros((2 * end, dims), np.int8)
            values[:start, : self._values.shape[1]] = self._values[:start]
            self._values, before = values, self._lengths
            self._lengths = np.zeros(2 * end, np.float32)
            self._lengths[:start] = before[:start]
        self._values[start:end] = new
        self._lengths[start:end] = np.linalg.norm(new.astype(np.float32), axis=1)
        self._count = end

    def cosines(self, vector: "Vector") -> "Floats":
        """The cosine of each with a vector, below -1 where there is none.

        Products of int8 vectors are whole numbers that float32 holds exactly up to 1,040 dims.
        """
        asked = np.frombuffer(vector.values, np.int8).astype(np.float32)
        lengths = self._lengths[: self._count]
        if not lengths.any():
            return np.full(self._count, _UNKNOWN, np.float32)
        products = np.empty(self._count, np.float32)
        for start in range(0, self._count, _BLOCK):
            end = min(start + _BLOCK, self._count)
            np.dot(self._values[start:end].astype(np.float32), asked, out=products[start:end])
        length = np.linalg.norm(asked)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(lengths > 0, products / (lengths * length), np.float32(_UNKNOWN))
