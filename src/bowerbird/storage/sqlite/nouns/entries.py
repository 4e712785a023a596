"""Reads whole entries: by row for the hits of a query, by id for `get`, in order for `list`."""

import apsw

from bowerbird.core import plainjson
from bowerbird.core.query import Filter
from bowerbird.core.types import (
    SAME_SUBJECT,
    SHORT_ID,
    STATES,
    TRUSTS,
    Contest,
    Entry,
    Link,
    prevails,
)
from bowerbird.storage.sqlite.nouns.damaged_rows import sparing
from bowerbird.storage.sqlite.nouns.filters import facets_of, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from apsw import SQLiteValue

# What the code of some rows uses, then what uses the definitions that begin in them. Only kinds of edges
# that were measured to gain: not imports.
_TOUCHING = """
WITH here (id, document, first, last) AS (
    SELECT f.id, f.document, e.start_line, e.end_line FROM json_each(?1) j
    CROSS JOIN facet f ON f.id = j.value CROSS JOIN entry e ON e.id = f.id
), ends (id, document, line, sure, side) AS (
    SELECT h.id, n.document, n.start_line, g.confidence, 0 FROM here h
    CROSS JOIN edge g ON g.document = h.document AND g.line BETWEEN h.first AND h.last
    CROSS JOIN node n ON n.id = g.target AND n.kind <> 'file'
    WHERE g.kind NOT IN ('imports', 'documents', 'overrides')
    UNION ALL SELECT h.id, g.document, g.line, g.confidence, 1 FROM here h
    CROSS JOIN node n ON n.document = h.document AND n.start_line BETWEEN h.first AND h.last
    CROSS JOIN edge g ON g.target = n.id WHERE n.kind <> 'file'
    AND g.kind NOT IN ('imports', 'documents', 'overrides')
), found (id, other, sure, side) AS (
    SELECT s.id, f.id, max(s.sure), s.side FROM ends s CROSS JOIN facet f ON f.document = s.document
    CROSS JOIN entry e ON e.id = f.id AND s.line BETWEEN e.start_line AND e.end_line
    WHERE f.id <> s.id GROUP BY 1, 2, 4
)
SELECT id, other, sure, count(*) OVER (PARTITION BY id, side) FROM found
"""
# When a memory got its current text, by an edit; else when that was said.
_SAID = (
    "(SELECT iif(min(iif(v.text = {of}.text, v.created, NULL)) > min(v.created),"
    " min(iif(v.text = {of}.text, v.created, NULL)), min({of}f.created)) FROM version v, facet {of}f"
    " WHERE v.memory = {of}.uid AND {of}f.id = {of}.id)"
)
# The active memories that contradict one. One of another place (all projects, a person's own) is not
# marked by it, so it does not wait: `waits` is 1, and the two sides' authors and days decide.
_AGAINST = f"""
    SELECT o.uid, o.origin, g.trust, {_SAID.format(of="o")} AS said, {_SAID.format(of="e")} AS own_said,
        iif(g.project <> f.project, 1, n.needs_review) AS waits FROM relation r CROSS JOIN entry o
    ON o.uid = iif(r.source = e.uid, r.target, r.source) CROSS JOIN facet g ON g.id = o.id
    CROSS JOIN memory n ON n.id = o.id WHERE (r.source = e.uid OR r.target = e.uid)
    AND r.kind = 'contradicts' AND r.present = 1 AND g.state = 0
"""
_COLUMNS = f"""
f.id, e.uid, f.family, f.kind, e.text, p.uid, f.trust, f.state, f.created, e.context,
    e.summary, e.speaker, f.document, f.ordinal, d.path, d.source, coalesce(d.session, m.session, ''),
    e.start_line, e.end_line,
    (SELECT group_concat(t.name, ' ') FROM tag t WHERE t.entry = f.id AND t.present = 1),
    m.importance, m.pinned,
    iif(m.needs_review, (SELECT coalesce(nullif(v.fields ->> 'review', ''), 'it needs review')
        FROM version v WHERE v.uid = m.head), ''),
    iif(m.needs_review, (SELECT v.fields ->> 'disputed' FROM version v WHERE v.uid = m.head), ''),
    m.valid_from, m.valid_to,
    iif(m.id IS NULL, NULL, (SELECT nullif(json_group_array(json_array(a.path, a.name, a.hash, a.size,
        a.modified, a.first, a.lines)), '[]') FROM anchor a WHERE a.memory = m.id)),
    e.origin, iif(m.needs_review, (SELECT json_group_array(json_array(x.uid, x.origin, x.trust, x.said,
        x.own_said, x.waits)) FROM ({_AGAINST}) x), NULL)
"""
_OF_FACETS = """
{order} JOIN entry e ON e.id = f.id
{order} JOIN project p ON p.id = f.project
LEFT JOIN document d ON d.id = f.document
LEFT JOIN memory m ON m.id = f.id
"""
_FROM = f"FROM facet f {_OF_FACETS.format(order='')}"
_SELECT = f"SELECT {_COLUMNS} {_FROM}"
# The two columns of a relation, from either end.
ENDS = (("source", "target"), ("target", "source"))
_ABOUT_THE_SAME = ", ".join(f"'{kind}'" for kind in SAME_SUBJECT)
# The cosine of two vectors; NULL if one is missing, which the function would report as damaged.
_COSINE = (
    "CASE WHEN {one}.int8 NOT NULL AND {other}.int8 NOT NULL"
    " THEN 1 - vec_distance_cosine(vec_int8({one}.int8), vec_int8({other}.int8)) END"
)
# The number of the next new entry.
NEXT_ROW = (
    "(1 + max(coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'last_row'), 0),"
    " (SELECT coalesce(max(id), 0) FROM facet)))"
)

# An anchor as stored.
_ANCHOR = "a.path, a.name, a.hash, a.size, a.modified, a.first, a.lines"
# All anchors with the facets of their memories, in the order of these: by the index of paths, which
# SQLite takes if it may, facets are read from all over the file (33,000: 140 ms; so 40).
BY_MEMORY = (
    f"(SELECT * FROM anchor ORDER BY memory LIMIT {1 << 62}) a"
    " CROSS JOIN facet f ON f.id = a.memory"
)


class Entries:
    """Entries of both families as values."""

    def __init__(self, connection: "apsw.Connection", damaged: "set[int] | None" = None) -> None:
        """`damaged` collects the rows that are left out because they cannot be read."""
        self._connection = connection
        self.damaged = set() if damaged is None else damaged

    @sparing(0)
    def load(self, rows: "Sequence[int]") -> dict[int, Entry]:
        """Entries by row; deleted ones are left out."""
        if not rows:
            return {}
        found = self._connection.execute(
            _SELECT + " WHERE f.id IN (SELECT value FROM json_each(?))",
            (plainjson.escaped(list(rows)),),
        )
        return {row[0]: _entry(row) for row in found}

    def following(self, rows: "Sequence[int]", count: int, filter: Filter) -> dict[int, Entry]:
        """The entries of the next `count` passages after each of some rows in its document, by row.

        Only those that pass the filter.
        """
        bounds, values = where(filter)
        found = self._connection.execute(
            f"{_SELECT} WHERE {bounds} AND f.id IN (SELECT n.id FROM json_each(?) j"
            " CROSS JOIN facet s ON s.id = j.value CROSS JOIN facet n ON n.document = s.document"
            " AND n.ordinal BETWEEN s.ordinal + 1 AND s.ordinal + ?)",
            (*values, plainjson.escaped(list(rows)), count),
        )
        return {row[0]: _entry(row) for row in found}

    def get(self, id: str, projects: "tuple[str, ...] | None" = None) -> list[Entry]:
        """The entries whose id is `id` or starts with it: none to two.

        With `projects`, only entries of these.
        """
        bounds, values = where(Filter(projects=projects, states=STATES))
        found = self._connection.execute(
            f"{_SELECT} WHERE e.uid >= ? AND e.uid < ? AND {bounds} LIMIT 2",
            (id, id + "\U0010ffff", *values),
        )
        return [_entry(row) for row in found]

    def named(self, ids: "Sequence[str]", projects: "tuple[str, ...] | None") -> list[Entry]:
        """The entries of these projects, or of all, with some whole ids, in the order of those."""
        bounds, values = where(Filter(projects=projects, states=STATES))
        found = self._connection.execute(
            f"{_SELECT} WHERE e.uid IN (SELECT value FROM json_each(?)) AND {bounds}",
            (plainjson.escaped(ids), *values),
        )
        entries = {row[1]: _entry(row) for row in found}
        return [entries[id] for id in ids if id in entries]

    def saying(
        self,
        hash: bytes,
        projects: "Sequence[str]",
        now: int,
        states: "Sequence[str]",
        also: "Sequence[str]" = (),
        author: str = "",
    ) -> Entry | None:
        """The newest memory of some projects with a normal form that has not expired.

        One in a state of `also` counts only if none is in one of `states`. If an `author` says it, that
        of another author is none: two people may state the same of themselves.
        """
        first, every = (
            plainjson.escaped([STATES.index(state) for state in some])
            for some in (states, (*states, *also))
        )
        row = self._connection.execute(
            f"{_SELECT} WHERE m.hash = ? AND p.uid IN (SELECT value FROM json_each(?))"
            " AND f.state IN (SELECT value FROM json_each(?))"
            " AND (m.expires IS NULL OR m.expires > ?)"
            " AND (? = '' OR e.speaker IN ('', ?))"
            " ORDER BY f.state IN (SELECT value FROM json_each(?)) DESC, f.id DESC LIMIT 1",
            (hash, plainjson.escaped(list(projects)), every, now, author, author, first),
        ).fetchone()
        return _entry(row) if row else None

    def said(self, hashes: "Sequence[bytes]") -> set[bytes]:
        """Those normal forms that any memory has."""
        found = self._connection.execute(
            "SELECT DISTINCT hash FROM memory WHERE hash IN (SELECT unhex(value) FROM json_each(?))",
            (plainjson.escaped([one.hex() for one in hashes]),),
        )
        return {hash for (hash,) in found}

    def removed(self, id: str) -> tuple[str, str] | None:
        """The id and the outcome of a deleted memory, by the prefix of its id."""
        row = self._connection.execute(
            "SELECT uid, reason FROM tombstone WHERE uid >= ? AND uid < ?"
            " AND uid NOT IN (SELECT uid FROM entry) LIMIT 1",
            (id, id + "\U0010ffff"),
        ).fetchone()
        return (str(row[0]), str(row[1])) if row else None

    def at(self, document: int, line: int) -> Entry | None:
        """The passage of a document that contains a line, else the last one before it.

        None for a line after the document's last passage.
        """
        row = self._connection.execute(
            _SELECT + " WHERE f.document = ?1 AND ?2 <="
            " (SELECT max(e.end_line) FROM facet f JOIN entry e ON e.id = f.id WHERE f.document = ?1)"
            " ORDER BY e.start_line <= ?2 DESC, e.end_line >= ?2 DESC,"
            " iif(e.start_line <= ?2, -e.start_line, e.start_line), f.ordinal LIMIT 1",
            (document, line),
        ).fetchone()
        return _entry(row) if row else None

    @sparing(0)
    def touching(self, rows: "Sequence[int]") -> list[tuple[int, int, float]]:
        """Some rows, the passages that their code uses or that use it, and the strength.

        Of many on one side of a row each counts divided by the root of their number.
        """
        found = self._connection.execute(_TOUCHING, (plainjson.escaped(list(rows)),))
        return [(row, other, sure / many**0.5) for row, other, sure, many in found]

    @sparing(0)
    def links(self, rows: "Sequence[int]", filter: Filter) -> "list[Link]":
        """The relations of some rows to memories on the same subject that pass the filter."""
        condition, values = where(filter)
        of_links = " UNION ALL ".join(
            f"SELECT e.id, o.id AS other, r.kind, {near == 'source'}, r.automatic,"
            f" {_COSINE.format(one='v', other='w')}, {_COSINE.format(one='c', other='d')}"
            " FROM json_each(?) j"
            " CROSS JOIN entry e ON e.id = j.value"
            f" CROSS JOIN relation r ON r.{near} = e.uid AND r.present = 1"
            f" AND r.kind IN ({_ABOUT_THE_SAME}) CROSS JOIN entry o ON o.uid = r.{far}"
            " CROSS JOIN facet f ON f.id = o.id LEFT JOIN vector v ON v.id = e.id"
            " LEFT JOIN vector w ON w.id = o.id AND w.model = v.model"
            " LEFT JOIN contextual c ON c.id = e.id"
            f" LEFT JOIN contextual d ON d.id = o.id WHERE {condition}"
            for near, far in ENDS
        )
        # Many links lead to the same memories; when each was said is most of what is to be read.
        found = self._connection.execute(
            "WITH link (id, other, kind, outward, automatic, cosine, understood)"
            f" AS MATERIALIZED ({of_links}), said (id, at) AS MATERIALIZED ("
            f"SELECT e.id, {_SAID.format(of='e')} FROM"
            " (SELECT id FROM link UNION SELECT other FROM link) l CROSS JOIN entry e ON e.id = l.id)"
            " SELECT l.*, s.at, t.at FROM link l CROSS JOIN said s ON s.id = l.id"
            " CROSS JOIN said t ON t.id = l.other",
            (plainjson.escaped(list(rows)), *values) * len(ENDS),
        )
        return [Link(*link) for link in found]

    def anchors(self, projects: "Sequence[str]") -> "set[tuple[Any, ...]]":
        """The anchors of the active memories of some projects: the project, and the anchor as stored."""
        condition, values = where(Filter(projects=tuple(projects)))
        found = self._connection.execute(
            f"SELECT p.uid, {_ANCHOR} FROM (SELECT DISTINCT f.project, {_ANCHOR} FROM {BY_MEMORY}"
            f" WHERE {condition}) a JOIN project p ON p.id = a.project",
            values,
        )
        return set(found)

    def anchored(self, projects: "Sequence[str]") -> int:
        """How many active memories of some projects have anchors."""
        condition, values = where(Filter(projects=tuple(projects)))
        found = self._connection.execute(
            f"SELECT count(DISTINCT a.memory) FROM {BY_MEMORY} WHERE {condition}", values
        )
        return int(next(found)[0])

    def anchored_to(
        self, projects: "Sequence[str]", anchors: "set[tuple[Any, ...]]"
    ) -> "list[int]":
        """The active memories of some projects that have one of some anchors, by row."""
        condition, values = where(Filter(projects=tuple(projects)))
        paths = plainjson.escaped(sorted({path for _, path, *_ in anchors}))
        found = self._connection.execute(
            f"SELECT a.memory, p.uid, {_ANCHOR} FROM anchor a CROSS JOIN facet f ON f.id = a.memory"
            " JOIN project p ON p.id = f.project WHERE a.path IN (SELECT value FROM json_each(?))"
            f" AND {condition}",
            (paths, *values),
        )
        return sorted({row for row, *anchor in found if tuple(anchor) in anchors})

    def texts(self) -> "Iterator[tuple[str, str]]":
        """All texts of each entry and of each older version, with its id."""
        found = self._connection.execute(
            "SELECT uid, text || char(10) || context FROM entry"
            " UNION ALL SELECT memory, text || char(10) || fields FROM version"
        )
        return ((str(id), str(text)) for id, text in found)

    def list(self, filter: Filter, limit: int, offset: int = 0) -> list[Entry]:
        """Entries that pass the filter, newest first."""
        those, values = facets_of(filter)
        # Rows first: otherwise the texts would be sorted too.
        found = self._connection.execute(
            f"SELECT f.id FROM {those} ORDER BY f.created DESC, f.id DESC LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        rows = [row for (row,) in found]
        entries = self.load(rows)
        # A row with facts and without a text is damaged too.
        self.damaged.update(row for row in rows if row not in entries)
        return [entries[row] for row in rows if row in entries]

    def active(self) -> dict[tuple[str, str, str], int]:
        """How many active entries there are, by the uid of the project, the family and the kind."""
        found = self._connection.execute(
            "SELECT p.uid, t.family, t.kind, t.entries FROM tally t JOIN project p ON p.id = t.project"
            " WHERE t.state = 0 AND t.entries > 0"
        )
        return {(uid, family, kind): count for uid, family, kind, count in found}

    def total(self) -> int:
        """How many entries there are, whatever their state."""
        found = self._connection.execute("SELECT coalesce(sum(entries), 0) FROM tally")
        return int(next(found)[0])

    def documents(self, projects: "Sequence[str]") -> int:
        """How many documents these projects have."""
        found = self._connection.execute(
            "SELECT count(*) FROM document d JOIN project p ON p.id = d.project"
            " WHERE p.uid IN (SELECT value FROM json_each(?))",
            (plainjson.escaped(list(projects)),),
        )
        return int(next(found)[0])

    def drawn(self, projects: "Sequence[str]") -> "Sequence[tuple[str, int, int, bool, int, int]]":
        """The files of some projects in the graph, as they were indexed.

        Path, size, modified time (UTC milliseconds), whether its edges are resolved, nodes, and resolved
        edges.
        """
        found = self._connection.execute(
            "SELECT d.path, d.size, d.modified, o.resolved,"
            " (SELECT count(*) FROM node n WHERE n.document = d.id),"
            " (SELECT count(target) FROM edge e WHERE e.document = d.id)"
            " FROM outline o JOIN document d ON d.id = o.document JOIN project p ON p.id = d.project"
            " WHERE p.uid IN (SELECT value FROM json_each(?))",
            (plainjson.escaped(list(projects)),),
        )
        return [(*row[:3], bool(row[3]), *row[4:]) for row in found]

    def average_importance(self, projects: "Sequence[str]") -> float:
        """The mean importance of these projects' active memories; 0 where there are none."""
        condition, values = where(Filter(projects=tuple(projects)))
        found = self._connection.execute(
            "SELECT coalesce(avg(m.importance), 0) FROM memory m CROSS JOIN facet f ON f.id = m.id"
            f" WHERE {condition}",
            values,
        )
        return float(next(found)[0])


def beside(
    connection: "apsw.Connection", named: str, columns: str, values: "Sequence[SQLiteValue]"
) -> "list[tuple[Entry, Any, Any]]":
    """The entries whose rows a statement selects, with two more columns each, in one statement.

    The statement and the columns are SQL, over `f`, the facet of an entry; `values` are those of the
    statement, then of the columns. One damaged row fails the whole: raises one of UNREADABLE.
    """
    found = connection.execute(
        f"WITH named (id) AS ({named}) SELECT {columns}, {_COLUMNS} {_FROM}"
        " WHERE f.id IN (SELECT id FROM named)",
        values,
    )
    return [(_entry(row[2:]), row[0], row[1]) for row in found]


def joined(
    connection: "apsw.Connection", rows: str, key: str, width: int, values: "Sequence[SQLiteValue]"
) -> "list[tuple[tuple[Any, ...], Entry]]":
    """The rows that a statement selects, in order, each with the entry that its column `key` names.

    `width` is the number of its columns. One damaged row fails the whole, as above.
    """
    found = connection.execute(
        f"WITH selected AS MATERIALIZED ({rows}) SELECT s.*, {_COLUMNS} FROM selected s"
        f" CROSS JOIN facet f ON f.id = s.{key} {_OF_FACETS.format(order='CROSS')}",
        values,
    )
    return [(row[:width], _entry(row[width:])) for row in found]


def passing(
    connection: "apsw.Connection", rows: "Sequence[int]", filter: Filter
) -> dict[int, Entry]:
    """Those of some rows that pass a filter, by row. One damaged row fails the whole, as above."""
    condition, values = where(filter)
    found = connection.execute(
        f"{_SELECT} WHERE f.id IN (SELECT value FROM json_each(?)) AND {condition}",
        (plainjson.escaped(list(rows)), *values),
    )
    return {row[0]: _entry(row) for row in found}


def _entry(row: "tuple[Any, ...]") -> Entry:
    """An entry from a row of `_SELECT`, in the order of its fields; by name takes twice as long."""
    (id_row, uid, family, kind, text, project, trust, state, created, context, summary) = row[:11]
    (speaker, document, ordinal, path, source, session, start_line, end_line) = row[11:19]
    (tags, importance, pinned, review, disputed, valid_from, valid_to, anchors) = row[19:27]
    return Entry(
        id_row,
        uid,
        family,
        kind,
        text,
        project,
        TRUSTS[trust],
        STATES[state],
        created,
        context,
        summary,
        speaker,
        document,
        ordinal,
        path,
        source or "",
        session,
        start_line,
        end_line,
        tuple(tags.split(" ")) if tags else (),
        importance,
        bool(pinned),
        review or "",
        anchors=tuple(plainjson.loads(anchors)) if anchors else (),
        valid_from=valid_from,
        valid_to=valid_to,
        disputed=disputed or "",
        contest=_contest(uid, review, (row[27], TRUSTS[trust]), row[28]) if review else None,
    )


def _contest(uid: str, review: str, side: tuple[str, str], against: str) -> Contest | None:
    """What a memory waits for if its review names one `against` it; `side`: its origin and trust."""
    found = plainjson.loads(against)
    if not any(id[:SHORT_ID] in review for id, *_ in found):
        return None
    stands, both = True, False
    for id, origin, trust, said, own_said, waits in found:
        theirs, later = (origin, TRUSTS[trust]), (own_said, uid) > (said, id)
        stands &= bool(waits) and prevails(side, theirs, later=later)
        both |= prevails(theirs, side, later=not later)
    ids = tuple(id for id, *_ in found)
    return Contest(ids, max(said for _, _, _, said, *_ in found), stands, stands and both)


def anchor(connection: "apsw.Connection", row: int, anchors: "Sequence[Sequence[Any]]") -> None:
    """Anchors a memory to these files and symbols only. Inside a transaction."""
    connection.execute("DELETE FROM anchor WHERE memory = ?", (row,))
    tied = [(row, *one) for one in anchors]
    connection.executemany("INSERT INTO anchor VALUES (?, ?, ?, ?, ?, ?, ?, ?)", tied)


def take_rows(connection: "apsw.Connection", count: int) -> int:
    """The first of `count` row numbers for new entries, ascending. Inside a transaction.

    None is reused, as SQLite would do once the last entry is deleted: an index beside the store could
    then not know which entries are newer than itself.
    """
    ((last,),) = connection.execute(
        f"INSERT INTO meta (key, value) VALUES ('last_row', {NEXT_ROW} - 1 + ?1)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING value",
        (count,),
    )
    return int(last) - count + 1


# Replaced vectors that are named; whoever missed more reads all of them again.
_MOST_REREAD = 200


def reread(connection: "apsw.Connection", *rows: int) -> None:
    """Record that the contextual vectors of some memories went or came; without rows, those of all.

    Inside a transaction. As text: how many did ever, and the rows of the last of them.
    """
    found = connection.execute("SELECT value FROM meta WHERE key = 'reread'").fetchone()
    count, *named = str(found[0]).split() if found is not None else ("0",)
    named = [*named, *map(str, rows)][-_MOST_REREAD:] if rows else []
    more = len(rows) or _MOST_REREAD + 1
    connection.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES ('reread', ?)",
        (" ".join([str(int(count) + more), *named]),),
    )


# Characters of the rows that are named as changed; whoever missed more reads all of them again.
_CHANGED_CHARS = 4_000


def altered(connection: "apsw.Connection", *rows: int) -> None:
    """Record that these rows are changed in place, or without rows that any may be. Inside a transaction.

    `logged` counts what `changed` names: where it lags behind `altered`, something changed unnamed.
    """
    if rows and isinstance(connection, apsw.Connection):  # a server's rows are not kept in memory
        connection.execute(
            "INSERT INTO meta (key, value) VALUES ('altered', ?1), ('logged', ?1), ('changed', ?2)"
            " ON CONFLICT (key) DO UPDATE SET value = CASE key WHEN 'changed'"
            f" THEN substr(value || excluded.value, -{_CHANGED_CHARS}) ELSE value + excluded.value END",
            (len(rows), "".join(f",{row}" for row in rows)),
        )
        return
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('altered', 1)"
        " ON CONFLICT (key) DO UPDATE SET value = value + 1"
    )
