"""Memories whole, and the rows beside them, as one store gives them to another and takes them.

Nothing is decided here: what is put replaces what stands under its key, with the stamps that it brings.
"""

import json
from collections import defaultdict

from bowerbird.core.exchange import Held
from bowerbird.core.ids import content_hash
from bowerbird.core.types import TRUSTS
from bowerbird.storage.sqlite.file.schema import FORMER
from bowerbird.storage.sqlite.nouns.aging import delete
from bowerbird.storage.sqlite.nouns.audit import ARRIVED, VERSION, version_of
from bowerbird.storage.sqlite.nouns.outcomes import write_outcomes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.exchange import Row
    from bowerbird.core.history import Version
    from bowerbird.storage.sqlite.nouns.stamps import Stamps

# What of a memory is told as its column holds it.
_PLAIN = {
    "project": "p.uid",
    "said": "f.created",
    "origin": "e.origin",
    "source": "m.source",
    "agent": "m.agent",
    "session": "m.session",
    "importance": "m.importance",
    "decay_rate": "m.decay_rate",
    "half_life": "m.half_life",
    "accessed": "m.accessed",
    "head": "m.head",
}
_MEMORIES = (
    f"SELECT e.uid, f.trust, m.taint, {', '.join(_PLAIN.values())}"
    " FROM memory m JOIN facet f ON f.id = m.id JOIN entry e ON e.id = m.id"
    " JOIN project p ON p.id = f.project{among} ORDER BY e.uid"
)
# A memory changes with its head, with versions that another copy wrote, with uses, and in these columns.
_MARKS = (
    "SELECT e.uid, concat_ws(' ', f.trust, m.taint, "
    f"{', '.join(_PLAIN.values())},"
    " (SELECT sum(a.count) FROM access a WHERE a.memory = e.uid),"
    " (SELECT count(*) FROM version v WHERE v.memory = e.uid))"
    " FROM memory m JOIN facet f ON f.id = m.id JOIN entry e ON e.id = m.id"
    " JOIN project p ON p.id = f.project{among}"
)
_NAMES = f"SELECT key, value FROM meta WHERE key IN ('replica', 'clock') OR key GLOB '{FORMER}*'"
_PROJECT = "(SELECT id FROM project WHERE uid = ?{0})"
_READ = {
    "project": "SELECT uid, name, root FROM project WHERE id > 0 ORDER BY uid",
    "alias": "SELECT a.uid, p.uid, a.head FROM alias a JOIN project p ON p.id = a.project"
    " ORDER BY a.uid, p.uid",
    # Those, too, of what another copy of the store kept.
    "tombstone": "SELECT uid, at, reason, hlc FROM tombstone ORDER BY uid",
    "relation": "SELECT source, target, kind, strength, confidence, automatic, present, created, hlc"
    " FROM relation ORDER BY source, target, kind",
    "verdict": "SELECT token, at, project, line FROM outcome ORDER BY at, token",
    "digest": "SELECT session, line FROM digest ORDER BY session",
    "foreign_file": "SELECT p.uid, o.path, o.session, o.at, o.why, o.settled, o.settled_by"
    " FROM foreign_file o JOIN project p ON p.id = o.project ORDER BY 1, 2, 3",
    "foreign_name": "SELECT p.uid, hex(o.name), o.at FROM foreign_name o"
    " JOIN project p ON p.id = o.project ORDER BY 1, 2",
    "event": "SELECT at, operation, action, entry, actor, reason, before, after, undoes FROM audit"
    f" WHERE NOT {ARRIVED} ORDER BY seq",
}
# The parameters are the columns of `core.exchange.SORTS`. A stamp ends with its replica.
_REPLICA = "substr(?{0}, instr(substr(?{0}, instr(?{0}, '-') + 1), '-') + instr(?{0}, '-') + 1)"
_PUT = {
    "project": "INSERT INTO project (uid, name, root) VALUES (?1, ?2, ?3) ON CONFLICT (uid)"
    " DO UPDATE SET name = ?2, root = ?3",
    "alias": f"INSERT INTO alias (uid, project, head) VALUES (?1, {_PROJECT.format(2)}, ?3)"
    " ON CONFLICT (uid, project) DO UPDATE SET head = ?3",
    "tombstone": f"INSERT OR REPLACE INTO tombstone VALUES (?1, ?2, ?3, {_REPLICA.format(4)}, ?4)",
    "relation": "INSERT OR REPLACE INTO relation"
    f" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, {_REPLICA.format(9)}, ?9)",
    "verdict": "INSERT OR IGNORE INTO outcome (token, at, project, line) VALUES (?1, ?2, ?3, ?4)",
    "digest": "INSERT INTO digest (session, line) VALUES (?1, ?2)"
    " ON CONFLICT (session) DO UPDATE SET line = ?2",
    "foreign_file": "INSERT OR REPLACE INTO foreign_file"
    f" VALUES ({_PROJECT.format(1)}, ?2, ?3, ?4, ?5, ?6, ?7)",
    "foreign_name": f"INSERT OR REPLACE INTO foreign_name VALUES ({_PROJECT.format(1)}, unhex(?2), ?3)",
    "event": "INSERT INTO audit (at, operation, action, entry, actor, reason, before, after, undoes)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
}
# Bytes of a mark.
_MARK = 8
# The sorts whose rows end with a stamp.
_STAMPED = ("tombstone", "relation")


def _hashed(text: str) -> str:
    return content_hash(text.encode())[:_MARK].hex()


class Exchange:
    """What one store gives and takes."""

    def __init__(self, connection: "apsw.Connection", stamps: "Stamps", path: str) -> None:
        self._connection = connection
        self._stamps = stamps
        self._path = path

    def held(self, ids: "Sequence[str] | None" = None) -> "list[Held]":
        """The memories with these whole ids (None: all), by id; unknown ids are left out."""
        self._stamps.flush()
        named = None if ids is None else json.dumps(list(ids))
        versions: dict[str, list[Version]] = defaultdict(list)
        tags: dict[str, list[tuple[str, bool, str]]] = defaultdict(list)
        uses: dict[str, dict[str, int]] = defaultdict(dict)
        for row in self._rows(f"{VERSION} FROM version v", "v.memory", named, "v.hlc, v.uid"):
            versions[row[1]].append(version_of(row))
        sql = "SELECT e.uid, t.name, t.present, t.hlc FROM tag t JOIN entry e ON e.id = t.entry"
        for uid, name, present, stamp in self._rows(sql, "e.uid", named, "t.name"):
            tags[uid].append((name, bool(present), stamp))
        sql = "SELECT memory, replica, count FROM access"
        for uid, replica, count in self._rows(sql, "memory", named, "replica"):
            uses[uid][replica] = count
        among = "" if named is None else " WHERE e.uid IN (SELECT value FROM json_each(?))"
        found = self._connection.execute(_MEMORIES.format(among=among), (named,) if named else ())
        return [
            Held(
                id=uid,
                trust=TRUSTS[trust],
                tainted=bool(taint),
                tags=tuple(tags[uid]),
                uses=uses[uid],
                versions=tuple(versions[uid]),
                **dict(zip(_PLAIN, plain, strict=True)),
            )
            for uid, trust, taint, *plain in found
        ]

    def _rows(
        self, sql: str, column: str, ids: str | None, order: str
    ) -> "Iterator[tuple[Any, ...]]":
        """What a statement selects, where a column is one of some ids, in order."""
        if ids is None:
            return self._connection.execute(f"{sql} ORDER BY {order}")
        among = f" WHERE {column} IN (SELECT value FROM json_each(?)) ORDER BY {order}"
        return self._connection.execute(sql + among, (ids,))

    def replica(self) -> str:
        """The name of this copy of the store."""
        return str(
            next(self._connection.execute("SELECT value FROM meta WHERE key = 'replica'"))[0]
        )

    def names(self) -> dict[str, str]:
        """All names of this copy, each with the last stamp that may be its own under that name."""
        found = dict(self._connection.execute(_NAMES))
        own = {str(found.pop("replica")): str(found.pop("clock", ""))}
        return {key.removeprefix(FORMER): str(stamp) for key, stamp in found.items()} | own

    def marks(self, ids: "Sequence[str] | None" = None) -> dict[str, str]:
        """A mark of each of these memories (None: of all), another one when what `held` gives changed."""
        self._stamps.flush()
        named = None if ids is None else json.dumps(list(ids))
        among = "" if named is None else " WHERE e.uid IN (SELECT value FROM json_each(?))"
        found = self._connection.execute(_MARKS.format(among=among), (named,) if named else ())
        return {uid: _hashed(said) for uid, said in found}

    def ids(self) -> set[str]:
        """The ids of all memories."""
        found = self._connection.execute("SELECT e.uid FROM memory m JOIN entry e ON e.id = m.id")
        return {uid for (uid,) in found}

    def saying(self, hashes: "Sequence[bytes]") -> list[str]:
        """The ids of memories with one of these normal forms."""
        found = self._connection.execute(
            "SELECT e.uid FROM memory m JOIN entry e ON e.id = m.id"
            " WHERE m.hash IN (SELECT unhex(value) FROM json_each(?))",
            (json.dumps([one.hex() for one in hashes]),),
        )
        return [str(uid) for (uid,) in found]

    def births(self) -> "Iterator[tuple[str, str, str, int]]":
        """Each memory's id and project, its first text, and when that was written."""
        self._stamps.flush()
        return self._connection.execute(
            "SELECT e.uid, p.uid, v.text, v.created FROM version v JOIN entry e ON e.uid = v.memory"
            " JOIN facet f ON f.id = e.id JOIN project p ON p.id = f.project"
            " WHERE v.hlc = (SELECT min(o.hlc) FROM version o WHERE o.memory = v.memory)"
        )

    def versions(self, ids: "Iterable[str]") -> set[str]:
        """Those of some ids of versions that are here."""
        self._stamps.flush()
        found = self._connection.execute(
            "SELECT uid FROM version WHERE uid IN (SELECT value FROM json_each(?))",
            (json.dumps([*ids]),),
        )
        return {str(uid) for (uid,) in found}

    def drop_relations(self, keys: "Iterable[Row]") -> None:
        """Delete relations, by their ends and kinds, as if they had never been. Inside a transaction."""
        self._connection.executemany(
            "DELETE FROM relation WHERE source = ? AND target = ? AND kind = ?", keys
        )

    def rows(self, sort: str) -> "list[Row]":
        """The rows of a sort (core.exchange.SORTS)."""
        self._stamps.flush()
        return list(self._connection.execute(_READ[sort]))

    def put(self, sort: str, rows: "Iterable[Row]") -> None:
        """Write rows of a sort in place of those with their keys. Inside a transaction."""
        rows = list(rows)
        self._connection.executemany(_PUT[sort], rows)
        if sort in _STAMPED and rows:
            self._stamps.saw(max(row[-1] for row in rows))
        if sort == "verdict":
            write_outcomes(self._connection, self._path)

    def put_events(self, events: "Sequence[Row]", kept: int) -> None:
        """Make these the audit; the first `kept` ones stand there already. Inside a transaction."""
        self._stamps.flush()
        last = 0
        if kept:
            (last,) = next(
                self._connection.execute(
                    f"SELECT seq FROM audit WHERE NOT {ARRIVED} ORDER BY seq LIMIT 1 OFFSET ?",
                    (kept - 1,),
                )
            )
        own = self._connection.execute(
            "SELECT at, operation, action, entry, actor, reason, before, after, undoes FROM audit"
            f" WHERE seq > ? AND {ARRIVED} ORDER BY seq",
            (last,),
        ).fetchall()
        self._connection.execute("DELETE FROM audit WHERE seq > ?", (last,))
        # How it came follows what came, whatever the clocks of others say.
        self.put("event", [*events[kept:], *own])

    def remove(self, id: str) -> None:
        """Take a memory out of every table, the audit apart. Inside a transaction."""
        found = self._connection.execute("SELECT id FROM entry WHERE uid = ?", (id,)).fetchone()
        if found is not None:
            delete(self._connection, [(int(found[0]), id)])
