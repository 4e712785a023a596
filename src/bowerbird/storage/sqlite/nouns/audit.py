"""Reads the audit: who did what to which memory, when and why, and the resulting versions.

`Stamps` only appends lines; they outlive the memory.
"""

from bowerbird.core import plainjson
from bowerbird.core.history import Event, Moment, Version
from bowerbird.core.memories import Fields
from bowerbird.core.origins import ARRIVALS
from bowerbird.storage.sqlite.nouns.projects import CONTEXTUAL_MODEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.history import Change, MomentRequest
    from bowerbird.storage.sqlite.nouns.stamps import Stamps

_MOMENT = (
    "SELECT 'term', w.term, CAST(w.entries AS TEXT)"
    " FROM json_each(:terms) j CROSS JOIN word w ON w.term = j.value"
    " UNION ALL SELECT 'meta', key, value FROM meta WHERE key IN ('entries', :reader)"
    " UNION ALL SELECT 'read', '', (SELECT 'yes' FROM contextual LIMIT 1)"
    " UNION ALL SELECT 'said', '', (SELECT 'yes' FROM memory WHERE hash = :hash LIMIT 1)"
    " UNION ALL SELECT 'seen', '', CAST(coalesce(max(seq), 0) AS TEXT) FROM audit"
    " UNION ALL SELECT 'model', '', CAST(id AS TEXT) FROM model"
    " WHERE provider = :provider AND name = :name AND dims = :dims AND revision = :revision"
    " UNION ALL SELECT 'project', '', CAST(id AS TEXT) FROM project"
    " WHERE uid = :project AND (:root IS NULL OR root IS :root)"
)
# The plus keeps SQLite from grouping by the index of entries, which would read all of it: 2 ms of 8,000.
_CHANGED = (
    " UNION ALL SELECT 'changed', entry, '' FROM (SELECT entry FROM audit WHERE seq > :since"
    " GROUP BY +entry ORDER BY max(seq) DESC LIMIT :most) changed"
)
_OF_VERSION = 9
VERSION = "SELECT v.uid, v.memory, v.parents, v.text, v.fields, v.actor, v.reason, v.created, v.hlc"
_CONTRADICTS = "SELECT 1 FROM relation r WHERE r.kind = 'contradicts' AND r.present = 1"
_HEADS = (
    f"{VERSION} FROM json_each(?) j CROSS JOIN entry e ON e.uid = j.value"
    " JOIN memory m ON m.id = e.id JOIN version v ON v.uid = m.head"
)
_HEAD = (
    f"{VERSION}, e.id, e.context, e.summary, f.kind, f.state,"
    f" EXISTS ({_CONTRADICTS} AND r.source = e.uid) OR EXISTS ({_CONTRADICTS} AND r.target = e.uid)"
    " FROM entry e JOIN memory m ON m.id = e.id JOIN version v ON v.uid = m.head"
    " JOIN facet f ON f.id = e.id WHERE e.uid = ?"
)
# A line that says how a memory came from another copy of the store.
ARRIVED = f"(after IS NULL AND action IN {ARRIVALS})"
_COLUMNS = "seq, at, operation, action, entry, actor, reason, before, after, undoes"


class Audit:
    """The audit of all memories."""

    def __init__(self, connection: "apsw.Connection", stamps: "Stamps") -> None:
        self._connection = connection
        self._stamps = stamps

    def of(self, entry: str) -> tuple[Event, ...]:
        """The events of an entry, oldest first."""
        self._stamps.flush()
        found = self._connection.execute(
            f"SELECT {_COLUMNS} FROM audit WHERE entry = ? ORDER BY seq", (entry,)
        )
        return tuple(Event(*row) for row in found)

    def operation(self, operation: str) -> tuple[Event, ...]:
        """The events of an operation, oldest first."""
        self._stamps.flush()
        found = self._connection.execute(
            f"SELECT {_COLUMNS} FROM audit WHERE operation = ? ORDER BY seq", (operation,)
        )
        return tuple(Event(*row) for row in found)

    def last_done(self, entry: str) -> str | None:
        """The last operation on an entry that was not reverted and is not itself a revert.

        Disputes are no such operation: whom one concerns cannot take it back. Nor is what became of one
        example for the pattern.
        A relation that another entry's operation added or removed belongs to that operation. Nor is what
        another copy of the store did with a version that is not here, as it removed the entry.
        """
        self._stamps.flush()
        row = self._connection.execute(
            "SELECT operation FROM audit WHERE entry = ?1 AND undoes IS NULL AND operation NOT IN"
            " (SELECT undoes FROM audit WHERE undoes IS NOT NULL AND entry = ?1)"
            " AND action NOT IN ('disputed', 'commented', 'dispute_closed', 'fitted', 'removed')"
            " AND (action IN ('linked', 'unlinked') OR after IS NULL"
            " OR EXISTS (SELECT 1 FROM version v WHERE v.uid = audit.after))"
            f" AND NOT {ARRIVED} AND (action NOT IN ('linked', 'unlinked') OR seq ="
            " (SELECT min(o.seq) FROM audit o WHERE o.operation = audit.operation))"
            " ORDER BY seq DESC LIMIT 1",
            (entry,),
        ).fetchone()
        return str(row[0]) if row else None

    def note(self, change: "Change", entry: str) -> None:
        """Add a line that changes nothing of its entry. Inside a transaction."""
        self._stamps.audit(change, entry, None, None)

    def blank(self, entry: str) -> None:
        """Take the reasons out of an entry's events, which may quote it. Inside a transaction."""
        self._stamps.flush()
        self._connection.execute("UPDATE audit SET reason = '' WHERE entry = ?", (entry,))

    def version(self, version: str) -> Version | None:
        """One version by its id, or None."""
        row = self._connection.execute(
            VERSION + " FROM version v WHERE v.uid = ?", (version,)
        ).fetchone()
        return version_of(row) if row else None

    def versions(self, id: str) -> tuple[Version, ...]:
        """The versions of a memory, oldest first."""
        found = self._connection.execute(
            VERSION + " FROM version v WHERE v.memory = ? ORDER BY v.hlc, v.uid", (id,)
        )
        return tuple(version_of(row) for row in found)

    def texts(
        self, fields: "Sequence[str]" = (), projects: "Sequence[str] | None" = None
    ) -> "Iterator[tuple[str, str, str]]":
        """Memory, text, and the values of some fields as a JSON list of every version, in no order.

        An empty list where the fields cannot be read. With `projects`, of what is there in these alone.
        """
        # Of 700 characters of fields half are their names, and most of the others their files.
        paths = "".join(f", '$.{name}'" for name in fields)
        values = f"iif(json_valid(fields), json_extract(fields{paths}), NULL)" if fields else "NULL"
        if projects is None:
            yield from self._connection.execute(
                f"SELECT memory, text, coalesce({values}, '[]') FROM version"
            )
            return
        yield from self._connection.execute(
            f"SELECT memory, v.text, coalesce({values}, '[]') FROM facet f CROSS JOIN entry e"
            " ON e.id = f.id CROSS JOIN version v ON v.memory = e.uid WHERE f.family = 'memory' AND"
            " f.project IN (SELECT id FROM project WHERE uid IN (SELECT value FROM json_each(?)))",
            (plainjson.escaped(list(projects)),),
        )


def moment(
    connection: "apsw.Connection", asked: "MomentRequest", since: int | None = None, most: int = 0
) -> Moment:
    """A store's state as defined by `core.history.Moment`, with a bounded number of later changes."""
    model, project = asked.identity, asked.project
    values: dict[str, Any] = {
        "terms": plainjson.escaped(asked.terms),
        "reader": CONTEXTUAL_MODEL,
        "hash": asked.hash,
        "project": project.uid,
        "root": project.root,
        "since": since,
        "most": most,
    }
    for part in ("provider", "name", "dims", "revision"):
        values[part] = getattr(model, part, None)
    sql = _MOMENT if since is None else _MOMENT + _CHANGED
    counts: dict[str, int] = {}
    facts: dict[str, Any] = {}
    changed: list[str] = []
    for what, name, value in connection.execute(sql, values):
        if what == "term":
            counts[name] = int(value)
        elif what == "changed":
            changed.append(name)
        else:
            facts[name or what] = value
    reader = str(facts.get(CONTEXTUAL_MODEL, "")) if facts["read"] else ""
    return Moment(
        int(facts["seen"]),
        tuple(changed),
        counts,
        int(facts["entries"]),
        int(facts["model"]) if "model" in facts else None,
        int(facts["project"]) if "project" in facts else None,
        reader,
        said=bool(facts["said"]),
    )


def head_of(
    connection: "apsw.Connection", stamps: "Stamps", of: "str | Version"
) -> "tuple[Version, tuple[Any, ...]]":
    """The head of a memory with row, context, summary, kind, state, and whether another contradicts it.

    The one read last in this transaction is cached.
    """
    known = stamps.last_head
    if known is not None and known[0] is of:
        return known
    id = of if isinstance(of, str) else of.memory
    if id in stamps.versions:
        stamps.flush()
    row = next(connection.execute(_HEAD, (id,)))
    stamps.last_head = found = (version_of(row[:_OF_VERSION]), row[_OF_VERSION:])
    return found


def heads_of(
    connection: "apsw.Connection", stamps: "Stamps", ids: "Sequence[str]"
) -> list[Version]:
    """The heads of memories, in the order of their ids."""
    stamps.flush()
    heads = map(version_of, connection.execute(_HEADS, (plainjson.escaped(list(ids)),)))
    found = {head.memory: head for head in heads}
    return [found[id] for id in ids if id in found]


def version_of(row: "Sequence[Any]") -> Version:
    """Decodes a version from its row."""
    uid, memory, parents, text, fields, *more = row
    return Version(
        uid, memory, tuple(plainjson.loads(parents)), text, Fields(**plainjson.loads(fields)), *more
    )
