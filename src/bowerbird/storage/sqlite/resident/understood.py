"""Sketches of what the contextual model made of each memory, in memory: they nominate, the file rescores.

Comparing with 100,000 vectors in the file takes .9 s of CPU, because they lie beside those of each word;
with their sketches, and 1,600 of them in the file, .02 s. A row takes 72 bytes.
"""

import json

import apsw
import numpy as np

from bowerbird.storage.sqlite.nouns.filters import condition_of, outside
from bowerbird.storage.sqlite.nouns.projects import CONTEXTUAL_MODEL
from bowerbird.storage.sqlite.nouns.sketch import BITS, sketches
from bowerbird.storage.sqlite.resident.columns import batches, nearest_bits
from bowerbird.storage.sqlite.resident.extent import Extent
from bowerbird.storage.sqlite.resident.occurrences import joined
from bowerbird.storage.sqlite.search.candidates import EXACT_LIMIT, RESCORED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Vector

# The model, the schema, and which vectors were replaced (`entries.reread`).
_STATE = (
    f"SELECT (SELECT value FROM meta WHERE key = '{CONTEXTUAL_MODEL}'),"
    " (SELECT user_version FROM pragma_user_version),"
    " coalesce((SELECT value FROM meta WHERE key = 'reread'), '0')"
)
_MEMORIES = "SELECT group_concat(id) FROM facet WHERE family = 'memory'"
_VECTORS = "SELECT c.id, c.int8 FROM contextual c WHERE c.words IS NOT NULL"


class Understood:
    """The rows of the memories that have a vector, ascending, and a sketch of each.

    They are read on first use; then only what came, and what was replaced.
    """

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self.bits: NDArray[np.uint64] = np.zeros((BITS // 64, 0), np.uint64)
        self._last = 0
        self._model: tuple[Any, ...] = ()
        self._replaced = 0
        # What was replaced and had no vector yet when it was looked for.
        self._missing: set[int] = set()
        self._extent: Extent | None = None
        self._generation = -1
        # The first question is answered from the file: most processes are asked no second one.
        self.is_wanted = False

    def nominated(
        self, vector: "Vector", filter: "Filter", generation: int
    ) -> "tuple[list[int], int, int] | None":
        """The memories that may lie nearest to a vector; how many pass a filter, and how many there are.

        None where the file compares them all as quickly, or a row is damaged.
        """
        if not self.is_wanted:
            self.is_wanted = True
            return None
        try:
            if generation != self._generation:
                self._read()
                self._generation = generation
            if len(self.rows) <= EXACT_LIMIT:
                return None
            allowed = self._passing(filter)
        except (ValueError, TypeError, apsw.SQLError):
            return None
        offsets = nearest_bits(self.bits, sketches([vector.values])[0], allowed, RESCORED)
        return self.rows[offsets].tolist(), int(np.count_nonzero(allowed)), len(self.rows)

    def _passing(self, filter: "Filter") -> "NDArray[np.bool_]":
        """Which of the rows pass a filter."""
        others = outside(self._connection, filter)
        if others is not None:
            listed, values = f"SELECT group_concat(id) FROM ({others[0]})", others[1]
        else:
            condition, values = condition_of(self._connection, filter)
            listed = f"SELECT group_concat(f.id) FROM facet f WHERE {condition}"
        named = np.zeros(int(self.rows[-1]) + 1, np.bool_)
        rows = joined(next(self._connection.execute(listed, values))[0])
        named[rows[rows < len(named)]] = True
        found = named[self.rows]
        return found if others is None else ~found

    def _read(self) -> None:
        *model, noted = next(self._connection.execute(_STATE))
        before, extent = self._extent, Extent.of(self._connection)
        count, *names = str(noted).split()
        new = int(count) - self._replaced
        replaced = {int(one) for one in names[len(names) - new :]} if new else set()
        if tuple(model) != self._model or not 0 <= new <= len(names):
            self.rows, self.bits = self.rows[:0], self.bits[:, :0]
            self._last, replaced, self._missing = 0, set(), set()
        again = {row for row in replaced | self._missing if row <= self._last}
        rows, bits = self._drawn(again)
        lost = again.difference(rows.tolist())
        stays = np.isin(self.rows, [*lost], invert=True)
        if before is None or not extent.holds_all_of(before, self._connection):
            found = next(self._connection.execute(_MEMORIES))
            there = joined(found[0])
            stays &= np.isin(self.rows, there)
            lost &= {*there.tolist()} if lost else lost
        if not stays.all():
            self.rows, self.bits = self.rows[stays], self.bits[:, stays]
        # In place where a row is known: copying all of them took as long as a question.
        at = np.searchsorted(self.rows, rows)
        known = np.isin(rows, self.rows)
        self.bits[:, at[known]] = bits[:, known]
        if not known.all():
            self.rows = np.insert(self.rows, at[~known], rows[~known])
            self.bits = np.insert(self.bits, at[~known], bits[:, ~known], axis=1)
        self._missing, self._extent = lost, extent
        self._last = max(self._last, int(self.rows[-1]) if len(self.rows) else 0)
        self._model, self._replaced = tuple(model), int(count)

    def _drawn(self, again: set[int]) -> "tuple[NDArray[np.int64], NDArray[np.uint64]]":
        """Some rows that were read before, and those after the last, ascending, with their sketches."""
        rows, bits = [self.rows[:0]], [self.bits[:, :0]]
        asked = json.dumps(sorted(again))
        for some in (
            *batches(self._vectors("c.id IN (SELECT value FROM json_each(?))", asked)),
            *batches(self._vectors("c.id > ?", self._last)),
        ):
            ids, vectors = zip(*some, strict=True)
            rows.append(np.array(ids, np.int64))
            drawn = np.frombuffer(b"".join(sketches(vectors)), np.uint64)
            bits.append(drawn.reshape(len(some), -1).T)
        return np.concatenate(rows), np.concatenate(bits, axis=1)

    def _vectors(self, which: str, of: "int | str") -> "Iterator[Any]":
        return iter(self._connection.execute(f"{_VECTORS} AND {which} ORDER BY c.id", (of,)))
