"""What each word scores in each row, kept by a process that stays.

BM25 is a sum over words, each of which counts by itself: what was read for one question serves the
next one that asks for the word. The sums are those that FTS5 itself makes, in its order.
"""

import numpy as np

from bowerbird.storage.sqlite.candidates import BM25, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    import apsw
    from numpy.typing import NDArray

    Posting = tuple[NDArray[np.intp], NDArray[np.float64]]

_PAIR = np.dtype([("row", "i8"), ("score", "f8")])
# What all of them may take: two million rows of words.
MOST_BYTES = 32_000_000


class Postings:
    """The rows that hold a phrase, with BM25, by one full-text table and rank expression."""

    def __init__(
        self, connection: "apsw.Connection", table: str, rows: "NDArray[np.int64]"
    ) -> None:
        """`rows` are all rows of the table, ascending."""
        self._connection = connection
        self._query = f"SELECT rowid, -{BM25[table]} FROM {table} WHERE {table} MATCH ?"
        self._count = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
        self._holding = f"SELECT rowid FROM {table} WHERE {table} MATCH ?"
        self._rows = rows
        self._counts: dict[str, int] = {}
        self._marks: dict[str, NDArray[np.bool_]] = {}
        self._kept: dict[str, Posting] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._rows)

    def count(self, phrase: str) -> int:
        """In how many rows a phrase stands."""
        if phrase not in self._counts:
            found = self._connection.execute(self._count, (f'"{phrase}"',))
            self._counts[phrase] = int(next(found)[0])
        return self._counts[phrase]

    def scores(self, phrases: "Sequence[str]") -> "NDArray[np.float64]":
        """BM25 of every row for any of some phrases; 0 where none stands."""
        sums = np.zeros(len(self._rows))
        for phrase in phrases:
            places, scores = self._of(phrase)
            sums[places] += scores
        return sums

    def best(
        self, phrases: "Sequence[str]", allowed: "NDArray[np.bool_]", limit: int
    ) -> list[tuple[int, float]]:
        """The allowed rows that score best, of equal ones the lower."""
        sums = self.scores(phrases)
        sums *= allowed
        places = np.flatnonzero(sums)
        places = places[best(sums[places], limit)]
        return list(zip(self._rows[places].tolist(), sums[places].tolist(), strict=True))

    def of(self, phrases: "Sequence[str]", wanted: "Collection[int]") -> list[tuple[int, float]]:
        """BM25 of those of some rows that hold any of some phrases."""
        sums = self.scores(phrases)
        places = self._places(wanted)
        places = places[sums[places] > 0]
        return list(zip(self._rows[places].tolist(), sums[places].tolist(), strict=True))

    def holding(self, phrases: "Sequence[str]", wanted: "Collection[int]") -> list[int]:
        """Those of some rows that hold any of some phrases: a fifth of the time of weighing them."""
        places = self._places(wanted)
        inside = np.zeros(len(places), np.bool_)
        for phrase in phrases:
            inside |= self._holders(phrase)[places]
        held: list[int] = self._rows[places[inside]].tolist()
        return held

    def _places(self, rows: "Collection[int]") -> "NDArray[np.intp]":
        asked = np.fromiter(rows, np.int64, len(rows))
        if not len(self):
            return np.zeros(0, np.intp)
        places = np.minimum(np.searchsorted(self._rows, asked), len(self) - 1)
        here: NDArray[np.intp] = places[self._rows[places] == asked]
        return here

    def _holders(self, phrase: str) -> "NDArray[np.bool_]":
        """A mark for every row that holds a phrase."""
        kept = self._marks.get(phrase)
        if kept is None:
            found = self._connection.execute(self._holding, (f'"{phrase}"',))
            kept = np.zeros(len(self._rows), np.bool_)
            kept[np.searchsorted(self._rows, [row for (row,) in found])] = True
            while len(self._marks) * len(self._rows) > MOST_BYTES:
                del self._marks[next(iter(self._marks))]
            self._marks[phrase] = kept
        return kept

    def _of(self, phrase: str) -> "Posting":
        kept = self._kept.pop(phrase, None)
        if kept is None:
            found = self._connection.execute(self._query, (quoted(phrase),))
            pairs = np.fromiter(found, _PAIR)
            kept = np.searchsorted(self._rows, pairs["row"]), pairs["score"].copy()
            self._bytes += _size(kept)
        self._kept[phrase] = kept
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            self._bytes -= _size(self._kept.pop(next(iter(self._kept))))
        return kept


def best(scores: "NDArray[Any]", count: int) -> "NDArray[np.intp]":
    """The positions of the highest scores, best first, of equal ones the lower position."""
    if len(scores) <= count:
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, -count)[-count]
    places = np.flatnonzero(scores >= least)
    return places[np.argsort(-scores[places], kind="stable")[:count]]


def _size(posting: "Posting") -> int:
    return sum(part.nbytes for part in posting)
