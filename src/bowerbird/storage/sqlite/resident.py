"""Candidates in a process that stays: what a one-shot command reads anew is kept in memory.

Everything is keyed on the generation counter, so that a write by any process is seen at once: of a
store that only grew what is new is read, of any other everything. What comes out is what a one-shot
command answers, number by number.
"""

import json
import os
from itertools import compress

import apsw
import numpy as np

from bowerbird.storage.sqlite.building import Building
from bowerbird.storage.sqlite.candidates import EXACT_LIMIT, RESCORED, Candidates
from bowerbird.storage.sqlite.columns import Columns
from bowerbird.storage.sqlite.extent import Extent
from bowerbird.storage.sqlite.filters import expired_between, needless, where
from bowerbird.storage.sqlite.hnsw import SUFFIX, Hnsw, available
from bowerbird.storage.sqlite.matrix import Compared, Matrix
from bowerbird.storage.sqlite.occurrences import Occurrences, joined
from bowerbird.storage.sqlite.postings import Postings, best
from bowerbird.storage.sqlite.sketch import sketches
from bowerbird.storage.sqlite.voices import Voices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any, TypeVar

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Facts, Vector
    from bowerbird.storage.sqlite.columns import Mask

    Method = TypeVar("Method", bound=Callable[..., Any])

# Up to so many entries anything is kept, their vectors too: 400 bytes each at 256 dims, and 5 s of CPU to
# read a million. Without their vectors a question at a million took 20 ms more, to read 2,200 of them.
MOST_ROWS = 2_000_000
# Candidates are asked for so often before anything is read, and once more for every so many entries:
# reading 100,000 takes .23 s, lost where something is replaced next. A question asks two to four times.
_MEETINGS, _LATER_FOR = 6, 50_000
# Up to so many entries what is new is added to what was read, which copies that: 12 ms at 100,000, where
# a question after a new memory costs 31 ms of CPU instead of 70 (at 10,000 18 instead of 32).
_MOST_ADDED_TO = 250_000
# From so many entries an HNSW index nominates, where usearch is installed: where sketches are not
# kept any more, and reading them takes .2 s a million. Kept ones find .97 of the exact hundred up to
# three millions, in 8 ms of CPU a million; for what the index finds see `hnsw.py`.
HNSW_FROM = MOST_ROWS
# How many more are nominated than wanted, because some will be filtered out; when too few are left,
# four times as many, up to the most. A filter that lets through less is for the sketches.
_NOMINATED, _MOST_NOMINATED = 2, 6_400
# When the store has so much more than the index, that is built anew.
_OUTGROWN = 1.1
# Filters whose allowed rows are remembered: a byte an entry each.
_MOST_MASKS = 8
_ENTRIES = "SELECT value FROM meta WHERE key = 'entries'"


def _or_plain(method: "Method") -> "Method":
    """What cannot be kept in memory because a row of it is damaged is asked of the store instead."""
    plain = getattr(Candidates, method.__name__)

    def tried(self: "ResidentCandidates", *arguments: "Any") -> "Any":
        if self._damaged_at != -1 and self._damaged_at == self._generation():
            return plain(self, *arguments)
        try:
            return method(self, *arguments)
        except (ValueError, TypeError, apsw.SQLError):
            self._damaged_at = self._generation()
            self._columns = self._matrix = self._compared = None
            self._postings = self._voices = None
            return plain(self, *arguments)

    tried.__name__, tried.__doc__ = method.__name__, method.__doc__
    return tried  # type: ignore[return-value]


class ResidentCandidates(Candidates):
    """The same answers, from memory while the store stands still."""

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
        # The generation that was met last, how far the store reached then, and how often candidates
        # were asked for since it did anything but grow.
        self._met, self._meetings = -1, 0
        # The generation in which something damaged was met.
        self._damaged_at = -1
        self._extent: Extent | None = None
        self._columns: Columns | None = None
        self._matrix: Matrix | None = None
        self._compared: Compared | None = None
        self._occurrences = Occurrences(connection)
        self._postings: Postings | None = None
        self._masks: dict[Filter, tuple[int | None, Mask]] = {}
        # What passes the filter that was asked with last: a question asks with the same one twice.
        self._last: tuple[Filter, Mask] | None = None
        self._voices: Voices | None = None

    @_or_plain
    def lexical(
        self, phrases: "Sequence[str]", filter: "Filter", limit: int
    ) -> list[tuple[int, float]]:
        """The best rows for any of some phrases, with BM25 (higher is better)."""
        columns = self._met_again()
        if columns is None:
            return super().lexical(phrases, filter, limit)
        return self._words(columns).best(phrases, self._allowed(columns, filter), limit)

    @_or_plain
    def dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose vectors lie nearest, with their cosines."""
        columns = self._met_again() if self._vectors_loaded else None
        if near := self._by_index(vector, model, filter, limit, entries):
            return near
        if columns is None:
            return super().dense(vector, model, filter, limit, entries)
        matrix = self._vectors(columns, model, len(vector.values))
        allowed = self._allowed(columns, filter) & matrix.known
        if entries <= EXACT_LIMIT:
            places = np.flatnonzero(allowed)
        else:
            places = columns.nominated(sketches([vector.values])[0], allowed, RESCORED)
        compared = self._compared_with(matrix, vector)
        found = compared.cosines(places)
        order = best(found, limit)
        rows = columns.rows[places[order]].tolist()
        return list(zip(rows, found[order].tolist(), strict=True))

    @_or_plain
    def cosines(self, vector: "Vector", model: int, rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some rows; rows without a vector of `model` are left out."""
        columns, matrix = self._current(), self._matrix
        if columns is None or matrix is None or matrix.model != model:
            return super().cosines(vector, model, rows)
        here, places = columns.found(rows)
        known = matrix.known[places]
        found = self._compared_with(matrix, vector).cosines(places)
        return dict(zip(compress(here, known), found[known].tolist(), strict=True))

    @_or_plain
    def around(
        self,
        rows: "Sequence[int]",
        cosines: "Mapping[int, float]",
        vector: "Vector | None",
        model: int,
    ) -> tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]:
        """Who of some rows stands beside whom, how closely; and what a vector finds around each."""
        columns = self._current()
        if columns is None:
            return super().around(rows, cosines, vector, model)
        here, places = columns.found(rows)
        near, closeness = columns.near(places)
        whose, which = np.nonzero(columns.among(places)[near] * closeness)
        among = zip(
            columns.rows[places[whose]].tolist(),
            columns.rows[near[whose, which]].tolist(),
            closeness[whose, which].tolist(),
            strict=True,
        )
        if vector is None:
            return list(among), {}, {}
        matrix = self._vectors(columns, model, len(vector.values))
        met = columns.among(columns.places(list(cosines)))
        found = self._compared_with(matrix, vector).around(places, near, closeness, met)
        windows, others = (dict(zip(here, each.tolist(), strict=True)) for each in found)
        return list(among), windows, others

    @_or_plain
    def wholes(
        self, words: "Sequence[str]", wanted: "Collection[int]"
    ) -> tuple[list[tuple[int, float]], list[int], int]:
        """Some documents as wholes: BM25, each word's count, and how many documents there are."""
        columns = self._current()
        found = None if columns is None else self._words(columns).wholes(words, wanted)
        return super().wholes(words, wanted) if found is None else found

    @_or_plain
    def facts(self, rows: "Sequence[int]") -> "Facts":
        """What ranking asks of some rows."""
        columns = self._current()
        return super().facts(rows) if columns is None else self._heard(columns).facts(rows)

    def tier(self, entries: int, model: int | None) -> str:
        """How nearest vectors are found in a store of that size."""
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
            (index.stamp.last, *values, sketches([vector.values])[0], RESCORED),
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
        if self._index is None or entries > _OUTGROWN * self._index.stamp.entries:
            self._building.start(model)
        return self._index

    def _current(self) -> Columns | None:
        """The columns, if they are of this generation."""
        columns = self._columns
        return columns if columns and columns.generation == self._generation() else None

    def _met_again(self) -> Columns | None:
        """The columns of this generation, read where that pays."""
        generation = self._generation()
        if generation != self._met:
            self._met = generation
            self._masks.clear()
            self._last = None
            before, self._extent = self._extent, Extent.of(self._connection)
            grew = before is not None and self._extent.grew_from(before, self._connection)
            if not grew or len(self._columns or ()) > _MOST_ADDED_TO:
                self._columns = self._matrix = self._compared = None
                self._postings = self._voices = None
                self._meetings = 0
            if self._columns is not None and self._extent == before:
                self._columns.generation = generation
            elif self._columns is not None:
                self._columns = Columns(self._connection, generation, self._columns)
        if self._columns is None:
            self._meetings += 1
            entries = int(next(self._connection.execute(_ENTRIES))[0])
            if self._meetings > _MEETINGS + entries // _LATER_FOR and entries <= MOST_ROWS:
                self._columns = Columns(self._connection, generation)
        return self._columns

    def _words(self, columns: Columns) -> Postings:
        """What the words that were asked for score."""
        words = self._postings
        if words is None or words.columns is not columns:
            words = Postings(self._connection, self._occurrences, columns, words)
            self._postings = words
        return words

    def _heard(self, columns: Columns) -> Voices:
        """Who says what."""
        voices = self._voices
        if voices is None:
            voices = self._voices = Voices(self._connection, columns)
        elif voices.columns is not columns:
            voices.grow(columns)
        return voices

    def _vectors(self, columns: Columns, model: int, dims: int) -> Matrix:
        """What the model said of every row."""
        matrix = self._matrix if self._matrix and self._matrix.model == model else None
        if matrix is None or len(matrix) < len(columns):
            matrix = self._matrix = Matrix(self._connection, columns, model, dims, matrix)
        return matrix

    def _compared_with(self, matrix: Matrix, vector: "Vector") -> Compared:
        """What a question's vector was compared with so far."""
        compared = self._compared
        if compared is None or compared.matrix is not matrix or compared.vector != vector:
            compared = self._compared = Compared(matrix, vector)
        return compared

    def _allowed(self, columns: Columns, filter: "Filter") -> "Mask":
        """The places that pass a filter, kept until something is written or expires."""
        if self._last is not None and self._last[0] is filter:
            return self._last[1]
        key = filter.replace(now=None if filter.now is None else 0)
        kept = self._masks.pop(key, None)
        if kept is None or self._expired_since(kept[0], filter.now):
            kept = (filter.now, self._passing(columns, filter))
        self._masks[key] = kept
        if len(self._masks) > _MOST_MASKS:
            del self._masks[next(iter(self._masks))]
        self._last = (filter, kept[1])
        return kept[1]

    def _passing(self, columns: Columns, filter: "Filter") -> "Mask":
        if needless(self._connection, filter):
            return np.ones(len(columns), np.bool_)
        condition, values = where(filter)
        rows = self._connection.execute(
            f"SELECT group_concat(f.id) FROM facet f WHERE {condition}", values
        )
        return columns.among(columns.places(joined(next(rows)[0])))

    def _expired_since(self, then: int | None, now: int | None) -> bool:
        if then is None or now is None:
            return False
        return now < then or expired_between(self._connection, then, now)
