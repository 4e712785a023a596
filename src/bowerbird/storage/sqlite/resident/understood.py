"""Sketches of what the contextual model made of each memory, in memory: they nominate, the file rescores.

Comparing with 100,000 vectors in the file takes .9 s of CPU, because they lie beside those of each word;
with their sketches, and 1,600 of them in the file, .02 s. A row takes 64 bytes.
"""

import apsw
import numpy as np

from bowerbird.storage.sqlite.nouns.sketch import BITS, sketches
from bowerbird.storage.sqlite.resident.columns import batches, nearest_bits
from bowerbird.storage.sqlite.search.candidates import EXACT_LIMIT, RESCORED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import NDArray

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Vector
    from bowerbird.storage.sqlite.resident.columns import Columns, Mask


class Understood:
    """A sketch for each offset of some columns; `known` says where there is one, up to the row `last`.

    They are read on first use, and then only those that came after.
    """

    def __init__(
        self,
        connection: "apsw.Connection",
        columns: "Columns",
        allowed: "Callable[[Filter], Mask]",
        before: "Self | None",
    ) -> None:
        """`allowed` gives the offsets that pass a filter; `before` is of a store that only grew since."""
        self._connection = connection
        self._columns = columns
        self._allowed = allowed
        self.last: int = before.last if before else 0
        self.known: Mask = before.known if before else np.zeros(0, np.bool_)
        self.bits: NDArray[np.uint64] = (
            before.bits if before else np.zeros((BITS // 64, 0), np.uint64)
        )
        self._is_read = False

    def nominated(self, vector: "Vector", filter: "Filter") -> "tuple[list[int], int, int] | None":
        """The memories that may lie nearest to a vector; how many pass a filter, and how many there are.

        None where the file compares them all as quickly, or a row is damaged.
        """
        if len(self._columns) <= EXACT_LIMIT:
            return None
        try:
            self._read()
        except (ValueError, TypeError, apsw.SQLError):
            return None
        # A question asks for entries of any family first.
        allowed = self._allowed(filter.replace(families=())) & self.known
        offsets = nearest_bits(self.bits, sketches([vector.values])[0], allowed, RESCORED)
        passing, read = (int(np.count_nonzero(some)) for some in (allowed, self.known))
        return self._columns.rows[offsets].tolist(), passing, read

    def _read(self) -> None:
        if self._is_read:
            return
        more = len(self._columns) - len(self.known)
        self.known = np.pad(self.known, (0, more))
        self.bits = np.pad(self.bits, ((0, 0), (0, more)))
        found = self._connection.execute(
            "SELECT id, int8 FROM contextual WHERE words IS NOT NULL AND id > ? ORDER BY id",
            (self.last,),
        )
        for some in batches(found):
            rows, vectors = zip(*some, strict=True)
            offsets = self._columns.offsets(rows)
            bits = np.frombuffer(b"".join(sketches(vectors)), np.uint64)
            self.bits[:, offsets] = bits.reshape(len(some), -1).T
            self.known[offsets] = True
            self.last = rows[-1]
        self._is_read = True
