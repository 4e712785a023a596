"""The facts about every row that ranking reads, as columns in memory, for long-lived processes.

Read once, then incrementally while the store only grows. A row takes 48 bytes and its sketch 64: 12 MB
at 100,000 rows.
"""

import json
from itertools import compress, islice

import numpy as np

from bowerbird.core.neighbourhood import REACH, WIDTH, closeness
from bowerbird.storage.sqlite.nouns.sketch import BITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Self

    import apsw
    from numpy.typing import NDArray

    Offsets = NDArray[np.intp]
    Mask = NDArray[np.bool_]

_STEPS = np.array([step for step in range(-WIDTH, WIDTH + 1) if step])
# In characters between two middles. Beyond, the closeness is below 1e-28 and counts as 0.
_FAR = 8 * REACH
_CLOSENESS = np.array([closeness(distance) for distance in range(_FAR)] + [0.0])
# Rows fetched from the store at a time.
_FETCHED = 8_192
_WORDS = BITS // 64
# A table of offsets by id is used if at least one in this number of ids exists; otherwise it would take
# more memory than the rows.
_GAPS = 8


class Columns:
    """The facts of every row, in ascending order of the rows; an offset is a row's index among them.

    `documents` is -1 for a memory; `sketches` holds a sketch a column, zeros where there is none.
    """

    def __init__(self, connection: "apsw.Connection", before: "Self | None" = None) -> None:
        """Reads all rows, or only those after `before` if the store only grew since."""
        found = connection.execute(
            "SELECT id, coalesce(document, -1), ordinal, place, created, sketch FROM facet"
            " WHERE id > ? ORDER BY id",
            (before.rows[-1].item() if before else 0,),
        )
        facts: list[NDArray[np.int64]] = [np.zeros((0, 5), np.int64)]
        bits: list[NDArray[np.uint64]] = [np.zeros((0, _WORDS), np.uint64)]
        empty = bytes(BITS // 8)
        for some in batches(found):
            facts.append(np.array([row[:5] for row in some], np.int64))
            joined = b"".join(row[5] or empty for row in some)
            bits.append(np.frombuffer(joined, np.uint64).reshape(-1, _WORDS))
        every = np.concatenate(facts)
        self.rows: NDArray[np.int64] = every[:, 0].copy()
        self.documents, self.created = every[:, 1].copy(), every[:, 4].copy()
        self.ordinals, self.middles = every[:, 2].astype(np.int32), every[:, 3].astype(np.int32)
        self.sketches = np.ascontiguousarray(np.concatenate(bits).T)
        if before:
            for name in ("rows", "documents", "ordinals", "middles", "created", "sketches"):
                both = (getattr(before, name), getattr(self, name))
                setattr(self, name, np.concatenate(both, axis=-1))
        # Rows are numbered almost without gaps, so their offsets are looked up in a table.
        self._first = int(self.rows[0]) if len(self) else 0
        self._span = int(self.rows[-1]) - self._first + 1 if len(self) else 0
        self._table: NDArray[np.int32] | None = None
        if self._span <= _GAPS * len(self):
            self._table = np.full(self._span, -1, np.int32)
            self._table[self.rows - self._first] = np.arange(len(self))
        # Passages in the order of their documents, and the position of each.
        self._in_order = np.lexsort((self.ordinals, self.documents))
        self._ranks = np.empty(len(self), np.intp)
        self._ranks[self._in_order] = np.arange(len(self))
        self._code = np.array(
            [row for (row,) in connection.execute("SELECT id FROM document WHERE source = 'code'")],
            np.int64,
        )

    def __len__(self) -> int:
        return len(self.rows)

    def reread(self, connection: "apsw.Connection", rows: "Sequence[int]") -> None:
        """Reads what may change of rows: when they were said, and their sketches."""
        found = connection.execute(
            "SELECT id, created, sketch FROM facet WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(rows),),
        )
        for row, created, sketch in found:
            (offset,) = self.offsets([row])
            self.created[offset] = created
            self.sketches[:, offset] = np.frombuffer(sketch or bytes(BITS // 8), np.uint64)

    def offsets(self, rows: "Sequence[int] | NDArray[np.int64]") -> "Offsets":
        """The offsets of those of some rows that are loaded, in the order of the rows."""
        asked = np.asarray(rows, np.int64)
        if not len(self):
            return np.zeros(0, np.intp)
        if self._table is not None:
            # The nearest one in the table; the comparison below rejects all others.
            offsets = self._table.take(asked - self._first, mode="clip").astype(np.intp)
        else:
            offsets = np.minimum(np.searchsorted(self.rows, asked), len(self) - 1)
        here = self.rows.take(offsets) == asked
        found: Offsets = offsets if here.all() else offsets[here]
        return found

    def found(self, rows: "Sequence[int]") -> "tuple[Sequence[int], Offsets]":
        """Those of some rows that are loaded, and their offsets.

        Returns the given int objects themselves: dictionaries find them by identity, which saves .05 ms
        per query.
        """
        offsets = self.offsets(rows)
        return (rows if len(offsets) == len(rows) else self.rows[offsets].tolist()), offsets

    def among(self, offsets: "Offsets") -> "Mask":
        """A boolean mask that is true at some offsets."""
        mask = np.zeros(len(self), np.bool_)
        mask[offsets] = True
        return mask

    def near(self, offsets: "Offsets") -> "tuple[Offsets, NDArray[np.float64]]":
        """The neighbours of each offset in its document, one row each, and their closeness (0: none)."""
        ranks = self._ranks[offsets][:, None] + _STEPS
        inside = (ranks >= 0) & (ranks < len(self))
        near = self._in_order[np.where(inside, ranks, 0)]
        documents = self.documents[offsets][:, None]
        inside &= (self.documents[near] == documents) & (documents >= 0)
        inside &= np.abs(self.ordinals[near] - self.ordinals[offsets][:, None]) <= WIDTH
        apart = np.abs(self.middles[near] - self.middles[offsets][:, None])
        return near, np.where(inside, _CLOSENESS[np.minimum(apart, _FAR)], 0.0)

    def adjacent(self, offsets: "Offsets") -> list[tuple[int, int, int]]:
        """Passages at some offsets that are near in one document: row, later row, steps between."""
        ordered = self._in_order[np.sort(self._ranks[offsets])]
        ordered = ordered[self.documents[ordered] >= 0]
        rows, documents, ordinals = (
            each[ordered] for each in (self.rows, self.documents, self.ordinals)
        )
        found: list[tuple[int, int, int]] = []
        for step in range(1, WIDTH + 1):
            apart = ordinals[step:] - ordinals[:-step]
            near = ((apart <= WIDTH) & (documents[step:] == documents[:-step])).nonzero()[0]
            both = rows[near].tolist(), rows[near + step].tolist()
            found += zip(*both, apart[near].tolist(), strict=True)
        return found

    def homes(self, rows: "Sequence[int]", offsets: "Offsets") -> dict[int, int | None]:
        """The documents of some rows, None for a memory; `offsets` are theirs."""
        documents = self.documents[offsets]
        found: dict[int, int | None] = dict(zip(rows, documents.tolist(), strict=True))
        return found | dict.fromkeys(compress(rows, (documents < 0).tolist()))

    def code(self, rows: "Sequence[int]", offsets: "Offsets") -> set[int]:
        """Those of some rows that are program code; `offsets` are their indices."""
        if not len(self._code):
            return set()
        return set(compress(rows, np.isin(self.documents[offsets], self._code).tolist()))

    def nominated(self, sketch: bytes, allowed: "Mask", count: int) -> "Offsets":
        """The allowed offsets whose sketches differ least; ties go to lower rows."""
        return nearest_bits(self.sketches, sketch, allowed, count)


def nearest_bits(
    sketches: "NDArray[np.uint64]", sketch: bytes, allowed: "Mask", count: int
) -> "Offsets":
    """The allowed columns that differ least from a sketch; ties go to the first."""
    asked = np.frombuffer(sketch, np.uint64)
    apart = np.bitwise_count(sketches[0] ^ asked[0]).astype(np.uint16)
    for word in range(1, _WORDS):
        apart += np.bitwise_count(sketches[word] ^ asked[word])
    apart[~allowed] = BITS + 1
    within = np.cumsum(np.bincount(apart, minlength=BITS + 1)[: BITS + 1])
    if within[-1] <= count:
        return np.flatnonzero(apart <= BITS)
    last = int(np.searchsorted(within, count))
    kept = np.flatnonzero(apart < last)
    equal = np.flatnonzero(apart == last)[: count - len(kept)]
    return np.concatenate((kept, equal))


def batches(found: "Iterator[Any]") -> "Iterator[list[Any]]":
    """Rows of the store in batches of some thousand."""
    while some := list(islice(found, _FETCHED)):
        yield some
