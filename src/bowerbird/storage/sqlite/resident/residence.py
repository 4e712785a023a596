"""Candidates in a resident process: what a one-shot command reads each time is cached in memory.

A query reads one snapshot. Snapshots are keyed on the generation counter, so that a write by any
process is seen at once: what is new or was changed in place is read; where a row is gone, everything.
The results equal those of a one-shot command, number by number.
"""

import os
from itertools import compress

import apsw
import numpy as np

from bowerbird.storage.sqlite.nouns.filters import ALL, condition_of, expired_between, outside
from bowerbird.storage.sqlite.nouns.sketch import sketches
from bowerbird.storage.sqlite.resident.columns import Columns
from bowerbird.storage.sqlite.resident.extent import Extent
from bowerbird.storage.sqlite.resident.hnsw import SUFFIX, Building, Hnsw, IndexedSource, available
from bowerbird.storage.sqlite.resident.matrix import Compared, Matrix
from bowerbird.storage.sqlite.resident.occurrences import Occurrences, joined
from bowerbird.storage.sqlite.resident.postings import Postings
from bowerbird.storage.sqlite.resident.speakers import Speakers
from bowerbird.storage.sqlite.resident.understood import Understood
from bowerbird.storage.sqlite.search.candidates import EXACT_LIMIT, RESCORED, CandidateSource
from bowerbird.storage.sqlite.search.highest import highest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any, TypeVar

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Facts, Vector
    from bowerbird.storage.sqlite.nouns.filters import Condition
    from bowerbird.storage.sqlite.resident.columns import Mask

    Method = TypeVar("Method", bound=Callable[..., Any])

# Up to this many entries everything is cached, vectors included: 400 bytes each at 256 dims, and 5 s of
# CPU to read a million. Without their vectors a question at a million took 20 ms more, to read 2,200 of
# them.
MOST_ROWS = 2_000_000
# This many questions are answered from the file before anything is cached, and one more per this many
# entries: reading 100,000 takes .23 s, lost where something is replaced next.
_QUESTIONS = 2
_LATER_FOR = 100_000
# Up to this many entries new ones are added to the cached data, which copies it: 12 ms at 100,000, where
# a question after a new memory costs 31 ms of CPU instead of 70 (at 10,000 18 instead of 32).
_MOST_ADDED_TO = 250_000
# From this many entries an HNSW index nominates, if usearch is installed: sketches are no longer cached,
# and reading them takes .2 s a million. Cached ones find .97 of the exact hundred up to three millions,
# in 8 ms of CPU a million; for what the index finds see `hnsw.py`.
HNSW_FROM = MOST_ROWS
# When the store has this many times the entries of the index, the index is rebuilt.
_OUTGROWN = 1.1
# Filters whose allowed rows are remembered: a byte an entry each.
_MOST_MASKS = 8
_ENTRIES = "SELECT value FROM meta WHERE key = 'entries'"


class Residence:
    """Gives a question the snapshot that it is answered from, and keeps the last one."""

    def __init__(
        self,
        connection: "apsw.Connection",
        generation: "Callable[[], int]",
        building: Building,
        damaged: set[int],
    ) -> None:
        self._connection = connection
        self._generation = generation
        self._building = building
        self._damaged = damaged
        self._index: Hnsw | None = None
        self._index_seen: tuple[int, ...] = ()
        # The generation that was met last, how far the store reached then, and how many questions were
        # asked since it did anything but grow.
        self._met, self._asked = -1, 0
        # Whether the next question reads everything, however few were asked.
        self._is_due = False
        # The generation in which something damaged was met.
        self._damaged_at = -1
        self._extent: Extent | None = None
        self._occurrences = Occurrences(connection)
        self._understood = Understood(connection)
        self.snapshot: ResidentSource | None = None

    def candidates(self) -> CandidateSource:
        """The snapshot of this generation; from the file where it does not pay yet to keep one."""
        generation = self._generation()
        if generation == self._damaged_at:
            return CandidateSource(self._connection, self._damaged)
        if generation != self._met:
            self._met = generation
            before, self._extent = self._extent, Extent.of(self._connection)
            changed = self._extent.changed_from(before, self._connection) if before else None
            same = before is not None and self._extent.last == before.last
            large = self.snapshot is not None and len(self.snapshot) > _MOST_ADDED_TO
            if changed is None or (large and not same):
                self.snapshot, self._asked = None, 0
            elif self.snapshot is not None:
                self._read(self.snapshot, same=same, changed=sorted(changed))
        if self.snapshot is None:
            self._asked += 1
            entries = int(next(self._connection.execute(_ENTRIES))[0])
            due = self._is_due or self._asked > _QUESTIONS + entries // _LATER_FOR
            self._is_due = False
            if due and entries <= MOST_ROWS:
                self._read(None)
        if self.snapshot is not None:
            return self.snapshot
        return IndexedSource(self._connection, self._damaged, self.index)

    def read_ahead(self) -> None:
        """The next question reads everything at once: it is asked where nobody waits for it."""
        self._is_due = self._understood.is_wanted = True

    def understood(self, vector: "Vector", filter: "Filter") -> "tuple[list[int], int, int] | None":
        """What their sketches nominate for a second look; None where the file is asked."""
        return self._understood.nominated(vector, filter, self._generation())

    def _read(
        self, before: "ResidentSource | None", *, same: bool = False, changed: "Sequence[int]" = ()
    ) -> None:
        """Keep a snapshot of the current store, reusing what was read `before` of it.

        Since then rows came, unless they are the `same`, and some were `changed` in place.
        """
        try:
            if before is not None and changed:
                self._reread(before, changed)
            columns = before.columns if before is not None and same else None
            if columns is None:
                columns = Columns(self._connection, before.columns if before else None)
        except (ValueError, TypeError, apsw.SQLError):
            self.snapshot, self._damaged_at = None, self._met
            return
        self.snapshot = ResidentSource(
            self._connection,
            self._damaged,
            self.index,
            columns,
            self._occurrences,
            before,
            self.lost,
        )

    def _reread(self, source: "ResidentSource", rows: "Sequence[int]") -> None:
        """Reads rows that were changed in place again, in all that was read of them."""
        columns, matrix = source.columns, source.matrix
        columns.reread(self._connection, rows)
        offsets = columns.offsets(rows)
        if matrix is not None:
            matrix.reread(self._connection, columns, offsets[offsets < len(matrix)])
        if source.postings is not None:
            known = offsets[offsets < len(source.postings.columns)]
            source.postings.reread(columns.rows[known].tolist(), known)
        if source.speakers is not None:
            source.speakers.forget(offsets[offsets < len(source.speakers.columns)])

    def lost(self) -> None:
        """A damaged row keeps this generation from being kept: the file is asked instead."""
        self.snapshot, self._damaged_at = None, self._generation()

    def index(self, model: int, entries: int) -> Hnsw | None:
        """The HNSW index beside the store; one that is missing or too old is built in the background."""
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
        if self._index is None or entries > _OUTGROWN * self._index.stamp.entries:
            self._building.start(model)
        return self._index


def _or_file(method: "Method") -> "Method":
    """Data that cannot be cached because a row is damaged is read from the file instead."""
    plain = getattr(CandidateSource, method.__name__)

    def tried(self: "ResidentSource", *arguments: "Any") -> "Any":
        if self.is_lost:
            return plain(self, *arguments)
        try:
            return method(self, *arguments)
        except (ValueError, TypeError, apsw.SQLError):
            self.is_lost = True
            self._lost()
            return plain(self, *arguments)

    tried.__name__, tried.__doc__ = method.__name__, method.__doc__
    return tried  # type: ignore[return-value]


class ResidentSource(IndexedSource):
    """One generation of the store in memory. Its parts are read on first use."""

    def __init__(
        self,
        connection: "apsw.Connection",
        damaged: set[int],
        index: "Callable[[int, int], Hnsw | None]",
        columns: Columns,
        occurrences: Occurrences,
        before: "ResidentSource | None",
        lost: "Callable[[], None]",
    ) -> None:
        """Continues from what `before` had read of a store that only grew; `lost` reports damage."""
        super().__init__(connection, damaged, index)
        self.columns = columns
        self.is_lost = False
        self._lost = lost
        self._occurrences = occurrences
        self.matrix: Matrix | None = before.matrix if before else None
        self.postings: Postings | None = before.postings if before else None
        self.speakers: Speakers | None = before.speakers if before else None
        self._compared: Compared | None = None
        self._masks: dict[tuple[Any, ...], tuple[int | None, Mask]] = {}
        # What passes the filter that was asked with last: a question asks with the same one twice.
        self._last: tuple[Filter, Mask] | None = None

    def __len__(self) -> int:
        return len(self.columns)

    @_or_file
    def lexical(
        self, phrases: "Sequence[str]", filter: "Filter", limit: int, beside: "Sequence[str]" = ()
    ) -> list[tuple[int, float]]:
        """The best rows for any of some phrases, with BM25 (higher is better)."""
        if beside:
            return super().lexical(phrases, filter, limit, beside)
        return self._words().best(phrases, self._allowed(filter), limit)

    @_or_file
    def dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose vectors lie nearest, with their cosines."""
        if near := self._by_index(vector, model, filter, limit, entries):
            return near
        matrix = self._vectors(model, len(vector.values))
        allowed = self._allowed(filter) & matrix.known
        if entries <= EXACT_LIMIT:
            offsets = np.flatnonzero(allowed)
        else:
            offsets = self.columns.nominated(sketches([vector.values])[0], allowed, RESCORED)
        found = self._compared_with(matrix, vector).cosines(offsets)
        order = highest(found, limit)
        rows = self.columns.rows[offsets[order]].tolist()
        return list(zip(rows, found[order].tolist(), strict=True))

    @_or_file
    def cosines(self, vector: "Vector", model: int, rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some rows; rows without a vector of `model` are left out."""
        matrix = self.matrix
        if matrix is None or matrix.model != model or len(matrix) < len(self.columns):
            return super().cosines(vector, model, rows)
        here, offsets = self.columns.found(rows)
        known = matrix.known[offsets]
        found = self._compared_with(matrix, vector).cosines(offsets)
        return dict(zip(compress(here, known), found[known].tolist(), strict=True))

    @_or_file
    def around(
        self,
        rows: "Sequence[int]",
        cosines: "Mapping[int, float]",
        vector: "Vector | None",
        model: int,
    ) -> tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]:
        """Which of some rows are neighbours, how close; and what a vector finds around each."""
        columns = self.columns
        here, offsets = columns.found(rows)
        near, closeness = columns.near(offsets)
        whose, which = np.nonzero(columns.among(offsets)[near] * closeness)
        among = zip(
            columns.rows[offsets[whose]].tolist(),
            columns.rows[near[whose, which]].tolist(),
            closeness[whose, which].tolist(),
            strict=True,
        )
        if vector is None:
            return list(among), {}, {}
        matrix = self._vectors(model, len(vector.values))
        met = columns.among(columns.offsets(list(cosines)))
        found = self._compared_with(matrix, vector).around(offsets, near, closeness, met)
        windows, others = (dict(zip(here, each.tolist(), strict=True)) for each in found)
        return list(among), windows, others

    @_or_file
    def wholes(
        self, words: "Sequence[str]", wanted: "Collection[int]"
    ) -> tuple[list[tuple[int, float]], list[int], int]:
        """Some documents as wholes: BM25, each word's count, and how many documents there are."""
        found = self._words().wholes(words, wanted)
        return super().wholes(words, wanted) if found is None else found

    @_or_file
    def adjacent(self, rows: "Sequence[int]") -> tuple[list[tuple[int, int, int]], set[int]]:
        """Pairs of some rows that are near in one document, and those that are program code."""
        here, offsets = self.columns.found(rows)
        return self.columns.adjacent(offsets), self.columns.code(here, offsets)

    @_or_file
    def facts(self, rows: "Sequence[int]") -> "Facts":
        """The facts about some rows that ranking reads."""
        if self.speakers is None or self.speakers.columns is not self.columns:
            self.speakers = Speakers(self._connection, self.columns, self.speakers)
        return self.speakers.facts(rows)

    def _words(self) -> Postings:
        """The scores of the requested words."""
        words = self.postings
        if words is None or words.columns is not self.columns:
            words = Postings(self._connection, self._occurrences, self.columns, words)
            self.postings = words
        return words

    def _vectors(self, model: int, dims: int) -> Matrix:
        """What the model said of every row."""
        matrix = self.matrix if self.matrix and self.matrix.model == model else None
        if matrix is None or len(matrix) < len(self.columns):
            matrix = self.matrix = Matrix(self._connection, self.columns, model, dims, matrix)
        return matrix

    def _compared_with(self, matrix: Matrix, vector: "Vector") -> Compared:
        """What a question's vector was compared with so far."""
        compared = self._compared
        if compared is None or compared.matrix is not matrix or compared.vector != vector:
            compared = self._compared = Compared(matrix, vector)
        return compared

    def _allowed(self, filter: "Filter") -> "Mask":
        """The offsets that pass a filter, kept until something expires."""
        if self._last is not None and self._last[0] is filter:
            return self._last[1]
        key = (filter.now is None, *filter.key("now"))
        kept = self._masks.pop(key, None)
        if kept is None or self._expired_since(kept[0], filter.now):
            kept = (filter.now, self._passing(filter))
        self._masks[key] = kept
        if len(self._masks) > _MOST_MASKS:
            del self._masks[next(iter(self._masks))]
        self._last = (filter, kept[1])
        return kept[1]

    def _passing(self, filter: "Filter") -> "Mask":
        condition, values = self._condition(filter)
        if condition == ALL[0]:
            return np.ones(len(self.columns), np.bool_)
        if others := outside(self._connection, filter):
            # Where a tenth is left out, a tenth of the time: 20 ms at 100,000 entries after each write.
            return ~self._among(f"SELECT group_concat(id) FROM ({others[0]})", others[1])
        return self._among(f"SELECT group_concat(f.id) FROM facet f WHERE {condition}", values)

    def _among(self, sql: str, values: "Sequence[Any]") -> "Mask":
        rows = joined(next(self._connection.execute(sql, values))[0])
        return self.columns.among(self.columns.offsets(rows))

    def _condition(self, filter: "Filter") -> "Condition":
        """A filter as SQL; not kept, as each question has its own and a snapshot serves many."""
        return condition_of(self._connection, filter)

    def _expired_since(self, then: int | None, now: int | None) -> bool:
        if then is None or now is None:
            return False
        return now < then or expired_between(self._connection, then, now)
