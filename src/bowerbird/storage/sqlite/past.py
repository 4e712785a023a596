"""A store as of a moment: what held then, in the words of then, for `--as-of`.

Which memories held is a condition of the filter (`nouns.filters`). Here their texts and fields are those
of their versions at that moment. What a later version worded differently, or took out of the word index,
is found by a small index and by vectors that are made for the question and not kept: queries of today
read and write nothing of it.
"""

import json
import math

import apsw

from bowerbird.core.query import AS_TODAY
from bowerbird.core.text import searchable, words
from bowerbird.core.types import ALIVE, HELD, MEMORY, beside
from bowerbird.storage.sqlite.nouns.audit import VERSION, version_of
from bowerbird.storage.sqlite.nouns.details import MemoryDetails
from bowerbird.storage.sqlite.nouns.entries import Entries
from bowerbird.storage.sqlite.nouns.filters import (
    AT,
    BEFORE_SAID,
    BM25,
    LEAST,
    Asked,
    any_of,
    where,
)
from bowerbird.storage.sqlite.nouns.memories import context_of
from bowerbird.storage.sqlite.nouns.words import Words
from bowerbird.storage.sqlite.search.candidates import CandidateSource
from bowerbird.storage.sqlite.search.contextual import Contextual

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from bowerbird.core.details import Details
    from bowerbird.core.history import Version
    from bowerbird.core.memories import Fields
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry, Link, Vector
    from bowerbird.storage.sqlite.nouns.words import Snapshot

# The tokenizer and the columns are those of the store's own word index.
_INDEX = (
    "CREATE VIRTUAL TABLE word_index USING fts5 (text, context, path, tags,"
    " tokenize = 'porter unicode61 remove_diacritics 2')"
)
_ENTRIES = "SELECT value FROM meta WHERE key = 'entries'"
# What a memory is indexed by beside its text (`context_of`), and its tags.
_WORDED = ("keywords", "summary", "files", "modules", "tags")
# Those changed since a moment whose words are others by now, or in no index: few of 25,000 that were only
# summed up. Told apart by the file: reading the versions of all took a fifth of a question (100,000).
_REWORDED = (
    f"SELECT t.row FROM (SELECT m.id AS row, m.head AS head, (SELECT v.uid{AT}) AS at FROM memory m"
    " CROSS JOIN entry e ON e.id = m.id WHERE m.updated > ?) t CROSS JOIN version v ON v.uid = t.at"
    " CROSS JOIN version h ON h.uid = t.head WHERE v.text <> h.text"
    " OR NOT EXISTS (SELECT 1 FROM word_index_docsize d WHERE d.id = t.row)"
) + "".join(
    f" OR coalesce(CAST(v.fields ->> '{name}' AS TEXT), '')"
    f" <> coalesce(CAST(h.fields ->> '{name}' AS TEXT), '')"
    for name in _WORDED
)
# Those changed since a moment that were ever moved, with their project and what it was before, as of now.
_MOVED = (
    "SELECT DISTINCT m.id, p.uid, h.fields ->> 'moved' FROM {} CROSS JOIN entry e ON e.id = m.id"
    " CROSS JOIN version v ON v.memory = e.uid CROSS JOIN facet f ON f.id = m.id CROSS JOIN project p"
    " ON p.id = f.project CROSS JOIN version h ON h.uid = m.head WHERE m.updated > ?"
    ' AND CAST(v.fields AS TEXT) LIKE \'%"moved": ["%\''
)
# The state in which a memory ended.
_ENDED = (
    "SELECT v.fields ->> 'state' FROM version v WHERE v.memory = ? AND v.hlc > (SELECT w.hlc FROM"
    " version w WHERE w.uid = ?) AND v.fields ->> 'state' NOT IN ('active', 'quarantined')"
    " ORDER BY v.hlc LIMIT 1"
)


class Past:
    """What a store held at a moment, over its connection."""

    def __init__(
        self,
        connection: "apsw.Connection",
        snapshot: "Snapshot",
        moment: int,
        embedder: "Callable[[], Embedder]",
    ) -> None:
        """`moment` is in UTC milliseconds; `embedder` reads what is worded otherwise by now."""
        self._connection = connection
        self._moment = moment
        rewording = Rewording(connection, moment, embedder)
        self.entries = PastEntries(connection, moment)
        self.words = self._words(connection, rewording)
        self.candidates = self._candidates(connection, rewording, self.entries.damaged)
        self.contextual = PastContextual(connection, snapshot, rewording)

    @property
    def _words(self) -> "type[PastWords]":
        return PastWords

    @property
    def _candidates(self) -> "type[PastCandidates]":
        return PastCandidates

    def details(self, rows: "Sequence[int]") -> "dict[int, Details]":
        """What only memories have, with the fields of then."""
        found = MemoryDetails(self._connection).load(rows)
        for row, version in versions(self._connection, rows, self._moment).items():
            found[row] = found[row].replace(
                fields=version.fields,
                version=version.id,
                reason=version.reason,
                previous=next(iter(version.parents), ""),
            )
        return found


def versions(
    connection: "apsw.Connection", rows: "Sequence[int]", moment: int
) -> "dict[int, Version]":
    """The versions of then of those memories among some rows that have changed since."""
    found = connection.execute(
        f"SELECT t.row, {VERSION.removeprefix('SELECT ')} FROM (SELECT m.id AS row,"
        f" (SELECT v.uid{AT}) AS at FROM json_each(?) j CROSS JOIN memory m ON m.id = j.value"
        " CROSS JOIN entry e ON e.id = m.id WHERE m.updated > ?) t"
        " CROSS JOIN version v ON v.uid = t.at",
        (moment, moment, json.dumps(list(rows)), moment),
    )
    return {row[0]: version_of(row[1:]) for row in found}


def as_it_was(
    connection: "apsw.Connection", filter: "Filter", bounds: "tuple[str, ...] | None"
) -> "Filter":
    """A filter of another day with what is otherwise since, but for what is outside of bounds today."""
    moment = filter.as_of
    if moment is None:
        return filter
    found = AS_TODAY
    if filter.projects is not None:
        places = _places(connection, moment)
        here = (
            row
            for row, (today, then) in places.items()
            if then in filter.projects and (bounds is None or today in bounds)
        )
        found = found.replace(elsewhere=tuple(places), here=tuple(here))
    if filter.matching is not None:
        past = Rewording(connection, moment)
        matched = tuple(past.matching(str(Asked(filter.matching.tree))))
        found = found.replace(reworded=tuple(past.versions), matched=matched)
    return filter.replace(then=found)


def _places(
    connection: "apsw.Connection", moment: int, rows: "Iterable[int] | None" = None
) -> "dict[int, tuple[str, str]]":
    """Those of some memories that were in another project then: that of today and of then, by row."""
    among: Any = (moment,) if rows is None else (json.dumps([*rows]), moment)
    named = "json_each(?) j CROSS JOIN memory m ON m.id = j.value"
    every = connection.execute(_MOVED.format("memory m" if rows is None else named), among)
    ever = {row: (uid, way) for row, uid, way in every}
    found = {}
    for row, version in versions(connection, [*ever], moment).items():
        today, moved = ever[row]
        was, then = beside(today), version.fields.moved
        way = json.loads(moved or "[]")
        place = then[-1] if then else way[0] if way else was
        if place != was:
            # What is somebody's own today stays theirs.
            found[row] = (today, today.removesuffix(was) + place)
    return found


class PastEntries(Entries):
    """Entries as they were."""

    def __init__(self, connection: "apsw.Connection", moment: int) -> None:
        super().__init__(connection)
        self._moment = moment

    def load(self, rows: "Sequence[int]") -> "dict[int, Entry]":
        """Entries by row, as they were."""
        return {one.row: one for one in self._as_they_were(super().load(rows).values())}

    def get(self, id: str, projects: "tuple[str, ...] | None" = None) -> "list[Entry]":
        """The entries whose id starts so, as they were; those that did not exist are left out."""
        return self._as_they_were(one for one in super().get(id, projects) if self._existed(one))

    def links(self, rows: "Sequence[int]", filter: "Filter") -> "list[Link]":
        """The relations to memories on the same subject that were known."""
        return super().links(rows, filter.replace(as_of=self._moment))

    def _existed(self, entry: "Entry") -> bool:
        since = self._connection.execute(
            "SELECT min(coalesce(valid_from, iif(valid_to <= ?1, valid_to - ?3, ?1)), ?1) FROM memory"
            " WHERE id = ?2",
            (entry.created, entry.row, BEFORE_SAID),
        ).fetchone()
        return (entry.created if since is None or since[0] is None else since[0]) <= self._moment

    def _as_they_were(self, entries: "Iterable[Entry]") -> "list[Entry]":
        entries = list(entries)
        rows = [one.row for one in entries if one.family == MEMORY]
        then = versions(self._connection, rows, self._moment) if rows else {}
        places = _places(self._connection, self._moment, then) if then else {}
        return [
            self._as_of(one, then[one.row]).replace(
                project=places.get(one.row, ("", one.project))[1]
            )
            if one.row in then
            else one
            for one in entries
        ]

    def _as_of(self, entry: "Entry", version: "Version") -> "Entry":
        fields, moment = version.fields, self._moment
        if entry.valid_to is not None:
            if fields.state in HELD and entry.valid_to > moment:
                # Its day was put right after it had ended.
                fields = fields.replace(state="active")
            elif fields.state in ALIVE and entry.valid_to <= moment:
                # It was said later that it had ended by then.
                ended = self._connection.execute(_ENDED, (entry.id, version.id)).fetchone()
                fields = fields.replace(
                    state=ended[0] if ended else fields.state, valid_to=entry.valid_to
                )
        return _as_it_read(entry, version, fields)


def _as_it_read(entry: "Entry", version: "Version", fields: "Fields") -> "Entry":
    return entry.replace(
        text=version.text,
        kind=fields.kind,
        state=fields.state,
        summary=fields.summary,
        context=context_of(version.text, fields),
        tags=fields.tags,
        pinned=fields.pinned,
        review=fields.review,
        contest=entry.contest if fields.review else None,
        anchors=(),
        valid_from=fields.valid_from,
        valid_to=fields.valid_to,
    )


class Rewording:
    """The memories that today's indexes hold in other words than those of a moment, or not at all."""

    def __init__(
        self,
        connection: "apsw.Connection",
        moment: int,
        embedder: "Callable[[], Embedder] | None" = None,
    ) -> None:
        """Without an embedder, its vectors are not asked for."""
        self._connection = connection
        self._moment = moment
        self._embedder = embedder
        self._read: tuple[dict[int, Version], frozenset[int]] | None = None
        self._vectors: dict[int, Vector] | None = None
        self._indexed: apsw.Connection | None = None

    @property
    def versions(self) -> "dict[int, Version]":
        """The versions of then, by row."""
        return self._found()[0]

    @property
    def texts(self) -> "frozenset[int]":
        """The rows with another text, whose vectors are of that one."""
        return self._found()[1]

    def _found(self) -> "tuple[dict[int, Version], frozenset[int]]":
        if self._read is None:
            moments = (self._moment, self._moment, self._moment)
            rows = [row for (row,) in self._connection.execute(_REWORDED, moments)]
            changed = {
                row: (text, context, tags, indexed)
                for row, text, context, tags, indexed in self._connection.execute(
                    "SELECT m.id, e.text, e.context, coalesce((SELECT group_concat(t.name, ' ') FROM"
                    " tag t WHERE t.entry = e.id AND t.present = 1), ''), EXISTS"
                    " (SELECT 1 FROM word_index_docsize d WHERE d.id = m.id)"
                    " FROM json_each(?) j CROSS JOIN memory m ON m.id = j.value"
                    " CROSS JOIN entry e ON e.id = m.id",
                    (json.dumps(rows),),
                )
            }
            found = versions(self._connection, [*changed], self._moment)
            texts = {row for row, one in found.items() if one.text != changed[row][0]}
            words = {
                row: one
                for row, one in found.items()
                if not changed[row][3] or changed[row][:3] != _indexed(one)
            }
            self._read = words, frozenset(texts)
        return self._read

    def passing(self, filter: "Filter") -> "set[int]":
        """Those of its rows that pass a filter."""
        if not self.versions:
            return set()
        condition, values = where(filter)
        found = self._connection.execute(
            "SELECT f.id FROM json_each(?) j CROSS JOIN facet f ON f.id = j.value"
            f" WHERE {condition}",
            (json.dumps([*self.versions]), *values),
        )
        return {row for (row,) in found}

    def vectors(self) -> "dict[int, Vector]":
        """The vectors of the texts of then, where those are others."""
        if self._vectors is None:
            rows = sorted(self.texts)
            texts = [self.versions[row].text for row in rows]
            read = self._embedder().embed(texts) if rows and self._embedder is not None else ()
            self._vectors = dict(zip(rows, read, strict=True))
        return self._vectors

    def scores(
        self, phrases: "Sequence[str]", counts: "Sequence[int]", entries: int
    ) -> dict[int, float]:
        """BM25 of the texts of then by row, with each phrase as rare as it is in the whole store."""
        found: dict[int, float] = {}
        scored = f"SELECT rowid, -{BM25['word_index']} FROM word_index WHERE word_index MATCH ?"
        for phrase, count in zip(phrases, counts, strict=True):
            rows: Any = self._index().execute(scored, (any_of([phrase]),)).fetchall()
            here = _rarity(len(rows), len(self.versions))
            for row, score in rows:
                share = score / here * _rarity(max(count, 1), entries)
                found[row] = found.get(row, 0.0) + share
        return found

    def matching(self, asked: str) -> "list[int]":
        """The rows whose words of then match a full-text expression."""
        if not self.versions:
            return []
        sql = "SELECT rowid FROM word_index WHERE word_index MATCH ?"
        return [row for (row,) in self._index().execute(sql, (asked,))]

    def _index(self) -> "apsw.Connection":
        if self._indexed is None:
            self._indexed = apsw.Connection(":memory:")
            self._indexed.execute(_INDEX)
            self._indexed.executemany(
                "INSERT INTO word_index (rowid, text, context, path, tags) VALUES (?, ?, ?, '', ?)",
                [(row, *map(searchable, _indexed(one))) for row, one in self.versions.items()],
            )
        return self._indexed


def _indexed(version: "Version") -> tuple[str, str, str]:
    """What the word index holds of a version: its text, its context and its tags."""
    fields = version.fields
    return version.text, context_of(version.text, fields), " ".join(fields.tags)


def _rarity(count: int, entries: int) -> float:
    """The weight that BM25 gives to a phrase which so many of all entries contain."""
    return max(math.log((entries - count + 0.5) / (count + 0.5)), LEAST)


class PastWords(Words):
    """Counts of words, those of the texts of then among them."""

    def __init__(self, connection: "apsw.Connection", rewording: Rewording) -> None:
        super().__init__(connection)
        self._rewording = rewording

    def counted(self, terms: "Iterable[str]", filter: "Filter") -> tuple[dict[str, int], int, int]:
        """The counts of some words, how many entries there are, and the sum of all words' counts."""
        terms = list(terms)
        counts, entries, total = super().counted(terms, filter)
        for version in self._rewording.versions.values():
            for term in {*words(version.text)}.intersection(terms):
                counts[term] = counts.get(term, 0) + 1
        return counts, entries, total


class PastContextual(Contextual):
    """Contextual vectors, but for those of texts that were worded later."""

    def __init__(
        self, connection: "apsw.Connection", snapshot: "Snapshot", rewording: Rewording
    ) -> None:
        super().__init__(connection, snapshot)
        self._rewording = rewording

    def compared(
        self, vector: "Vector", filter: "Filter", limit: int, passages: "Sequence[int]"
    ) -> "tuple[dict[int, tuple[float, bytes]], int, int, dict[int, float]]":
        """As of any store, without the rows that had other texts."""
        near, count, waiting, beside = super().compared(vector, filter, limit, passages)
        near = {row: one for row, one in near.items() if row not in self._rewording.texts}
        return near, count, waiting, beside


class PastCandidates(CandidateSource):
    """Candidates of then: those of today's indexes, and what these hold in other words or not at all."""

    def __init__(
        self, connection: "apsw.Connection", rewording: Rewording, damaged: "set[int]"
    ) -> None:
        super().__init__(connection, damaged)
        self._rewording = rewording

    def lexical(
        self, phrases: "Sequence[str]", filter: "Filter", limit: int, beside: "Sequence[str]" = ()
    ) -> list[tuple[int, float]]:
        """The best rows for any of some phrases, in the words of then."""
        found = dict(super().lexical(phrases, filter, limit, beside))
        past = self._rewording
        passing = past.passing(filter)
        if passing:
            for row in past.versions:
                found.pop(row, None)
            entries = int(next(self._connection.execute(_ENTRIES))[0])
            scored = past.scores(phrases, self.row_counts(phrases), entries)
            also = past.scores(beside, self.row_counts(beside), entries) if beside else scored
            for row in passing & scored.keys() & also.keys():
                found[row] = scored[row] + (also[row] if beside else 0.0)
        return sorted(found.items(), key=lambda item: -item[1])[:limit]

    def dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose texts of then lie nearest."""
        texts = self._rewording.texts
        near = super().dense(vector, model, filter, limit + len(texts), entries)
        found = {row: cosine for row, cosine in near if row not in texts}
        found |= self._then(vector, texts & self._rewording.passing(filter))
        return sorted(found.items(), key=lambda item: -item[1])[:limit]

    def cosines(self, vector: "Vector", model: int, rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some rows, by their texts of then."""
        texts = self._rewording.texts
        found = super().cosines(vector, model, [row for row in rows if row not in texts])
        return found | self._then(vector, texts.intersection(rows))

    def around(
        self,
        rows: "Sequence[int]",
        cosines: "Mapping[int, float]",
        vector: "Vector | None",
        model: int,
    ) -> tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]:
        """As of any store; a memory has no neighbours, so its neighbourhood is its own text of then."""
        pairs, windows, unfound = super().around(rows, cosines, vector, model)
        if vector is not None:
            windows |= self._then(vector, self._rewording.texts.intersection(rows))
        return pairs, windows, unfound

    def _then(self, vector: "Vector", rows: "Iterable[int]") -> dict[int, float]:
        vectors = self._rewording.vectors()
        return {
            row: next(
                self._connection.execute(
                    "SELECT 1 - vec_distance_cosine(vec_int8(?), vec_int8(?))",
                    (vectors[row].values, vector.values),
                )
            )[0]
            for row in rows
            if vectors[row].norm
        }
