"""What belongs to a part of a store that is erased, and the rows of it that belong to no memory."""

import json

from bowerbird.core.erased import reason_unquoted, unquoted
from bowerbird.core.types import SHORT_ID, Project, personal_project
from bowerbird.core.who import USER
from bowerbird.storage.sqlite.nouns.folding import Folding
from bowerbird.storage.sqlite.nouns.outcomes import write_outcomes
from bowerbird.storage.sqlite.nouns.outside import Outside
from bowerbird.storage.sqlite.nouns.projects import PRUNED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from bowerbird.core.erased import Part
    from bowerbird.core.memories import Fields

# The key of the turns that are not indexed any more.
NOTED_TURNS = "erased turns"
# The key of the sessions that were erased, each with the time of that.
NOTED_SESSIONS = "erased sessions"
# With what the owner of a store with several members keeps of it for themselves alone.
_OF_PROJECT = "f.project IN (SELECT id FROM project WHERE uid IN (:project, :own))"
# What rests on text of others counts as theirs.
_OF_ORIGIN = "(e.origin = :origin OR (:origin = 'tool_external' AND m.taint = 1))"
_MEMORIES = (
    "SELECT e.uid FROM memory m JOIN facet f ON f.id = m.id JOIN entry e ON e.id = m.id"
    " WHERE {} ORDER BY m.id"
)
_DOCUMENTS = "SELECT d.project, d.path FROM document d WHERE {} ORDER BY d.id"
# The examples of a pattern are compressed into it: it says what they say.
_DERIVED = """
WITH RECURSIVE gone (uid) AS (
    SELECT value FROM json_each(?)
    UNION
    SELECT CASE r.kind WHEN 'derived_from' THEN r.source ELSE r.target END
        FROM relation r JOIN gone g
            ON r.target = g.uid AND r.kind = 'derived_from'
            OR r.source = g.uid AND r.kind = 'example_of'
        WHERE r.present = 1
)
SELECT e.uid FROM gone g JOIN entry e ON e.uid = g.uid JOIN memory m ON m.id = e.id ORDER BY m.id
"""

_SUMMING_UP = """
WITH RECURSIVE above (uid) AS (
    SELECT value FROM json_each(?)
    UNION
    SELECT r.target FROM relation r JOIN above a ON r.source = a.uid AND r.kind = 'example_of'
        WHERE r.present = 1
)
SELECT e.uid FROM above a JOIN entry e ON e.uid = a.uid ORDER BY e.id
"""


class Erasing:
    """The rows of a part of a store."""

    def __init__(self, connection: "apsw.Connection", path: str) -> None:
        self._connection = connection
        self._path = path

    def memories(self, part: "Part") -> list[str]:
        """The ids of the memories of a part."""
        condition = (
            _OF_PROJECT if part.project else "m.session = :session" if part.session else _OF_ORIGIN
        )
        return self._column(_MEMORIES.format(condition), part)

    def derived(self, ids: "Sequence[str]") -> list[str]:
        """These memories, and all that were derived from them, in whatever number of steps."""
        found = self._connection.execute(_DERIVED, (json.dumps(list(ids)),))
        return [str(id) for (id,) in found]

    def summing_up(self, ids: "Sequence[str]") -> list[str]:
        """These memories in this order, and the patterns that they are examples of."""
        if not ids:
            return []
        found = self._connection.execute(_SUMMING_UP, (json.dumps(list(ids)),))
        return list(dict.fromkeys((*ids, *(str(id) for (id,) in found))))

    def documents(self, part: "Part") -> list[tuple[int, str]]:
        """Project and path of the documents of a part; of an origin, if any passage has it."""
        condition = (
            "d.project = (SELECT id FROM project WHERE uid = :project)"
            if part.project
            else "d.session = :session"
            if part.session
            else "EXISTS (SELECT 1 FROM facet f JOIN entry e ON e.id = f.id"
            " WHERE f.document = d.id AND e.origin = :origin)"
        )
        return list(self._connection.execute(_DOCUMENTS.format(condition), part.raw_dict()))

    def sessions(self, part: "Part") -> list[str]:
        """The sessions that memories or documents of a part name."""
        wanted = {
            "project": (_OF_PROJECT, "d.project = (SELECT id FROM project WHERE uid = :project)"),
            "session": ("m.session = :session", "d.session = :session"),
        }
        memories, documents = wanted["project" if part.project else "session"]
        sql = (
            "SELECT DISTINCT m.session FROM memory m JOIN facet f ON f.id = m.id"
            f" WHERE m.session <> '' AND {memories}"
            f" UNION SELECT d.session FROM document d WHERE d.session <> '' AND {documents}"
        )
        return self._column(sql, part)

    def known_sessions(self) -> list[str]:
        """Every session that a memory, a document or a digest names."""
        return self._column(
            "SELECT session FROM memory UNION SELECT session FROM document UNION"
            " SELECT session FROM digest",
            None,
        )

    def note_turns(self, turns: "Iterable[tuple[str, str, int]]") -> None:
        """Notes turns of transcripts that are not indexed any more: session, file name, first line.

        By their places alone: from a hash, a short text such as a door code could be guessed. Inside a
        transaction.
        """
        self._note(NOTED_TURNS, sorted(self.noted_turns() | frozenset(turns)))

    def noted_turns(self) -> frozenset[tuple[str, str, int]]:
        """The turns that are not indexed any more."""
        return frozenset(tuple(one) for one in json.loads(self._noted(NOTED_TURNS) or "[]"))

    def note_sessions(self, sessions: "Iterable[str]", at: int) -> None:
        """Notes that sessions were erased: what they said until then stays away. Inside a transaction."""
        self._note(NOTED_SESSIONS, {**self.noted_sessions(), **dict.fromkeys(sessions, at)})

    def noted_sessions(self) -> dict[str, int]:
        """The sessions that were erased, each with the time of that."""
        return dict(json.loads(self._noted(NOTED_SESSIONS) or "{}"))

    def _note(self, key: str, value: object) -> None:
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
            (key, json.dumps(value)),
        )

    def _noted(self, key: str) -> str:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def drop_sessions(self, sessions: "Iterable[str]") -> None:
        """Deletes what was noted of sessions, their digests apart. Inside a transaction."""
        named = [(session,) for session in sessions]
        for table in ("foreign_file", "session_access", "unread_session"):
            self._connection.executemany(f"DELETE FROM {table} WHERE session = ?", named)
        self._without_noted()

    def _without_noted(self) -> None:
        """Writes the copy beside the store without what was deleted, and drops the lines it came from."""
        outside = Outside(self._connection, self._path)
        outside.write_copy()
        Folding(self._connection, self._path, outside).drop_taken()

    def drop_project(self, uid: str) -> None:
        """Deletes a project that has neither memories nor documents. Inside a transaction.

        With it goes what the owner kept of it for themselves.
        """
        run, uids = self._connection.execute, [(one,) for one in (uid, _own(uid))]
        for table in ("alias", "foreign_file", "foreign_name", "tally"):
            self._connection.executemany(
                f"DELETE FROM {table} WHERE project = (SELECT id FROM project WHERE uid = ?)", uids
            )
        self._without_noted()
        self._connection.executemany("DELETE FROM outcome WHERE project = ?", uids)
        self._connection.executemany("DELETE FROM project WHERE uid = ? AND id > 0", uids)
        row = run("SELECT value FROM meta WHERE key = ?", (PRUNED,)).fetchone()
        if row is not None:
            noted = {one: done for one, done in json.loads(str(row[0])).items() if one != uid}
            run("UPDATE meta SET value = ? WHERE key = ?", (json.dumps(noted), PRUNED))
        Outside(self._connection, self._path).write_copy()
        write_outcomes(self._connection, self._path)

    def drop_vectors(self, hashes: "Iterable[bytes]") -> None:
        """Deletes the cached vectors of texts, by the hashes of those. Inside a transaction."""
        self._connection.executemany(
            "DELETE FROM embedding WHERE hash = ?", ((one,) for one in hashes)
        )

    def put_fields(
        self, id: str, versions: "Sequence[tuple[str, Fields]]", tags: "Iterable[str]"
    ) -> None:
        """Puts other fields into versions of a memory as they stand, and forgets tags it had.

        Inside a transaction.
        """
        self._connection.executemany(
            "UPDATE version SET fields = ? WHERE uid = ?",
            [(json.dumps(one.raw_dict(), separators=(",", ":")), uid) for uid, one in versions],
        )
        self._connection.executemany(
            "DELETE FROM tag WHERE entry = (SELECT id FROM entry WHERE uid = ?) AND name = ?"
            " AND present = 0",
            [(id, name) for name in tags],
        )

    def blank_reasons(self, operations: "Iterable[int]") -> None:
        """Takes the reasons out of changes, by their numbers. Inside a transaction."""
        self._connection.executemany(
            "UPDATE audit SET reason = '' WHERE seq = ?", ((one,) for one in operations)
        )

    def unquote(self, ids: "Sequence[str]") -> None:
        """Take quotations out of the reasons for what others became by these or beside them.

        A reason such as “another number: “5” and “7”” quotes both memories. Inside a transaction.
        """
        run = self._connection.execute
        operations = {
            one
            for id in ids
            for (one,) in run("SELECT operation FROM audit WHERE entry = ?", (id,))
        }
        done = [
            row
            for one in operations
            for row in run("SELECT seq, reason, after FROM audit WHERE operation = ?", (one,))
        ]
        changed = [(unquoted(said), seq) for seq, said, _ in done if unquoted(said) != said]
        self._connection.executemany("UPDATE audit SET reason = ? WHERE seq = ?", changed)
        became = [
            (uid, said)
            for _, _, after in done
            if after is not None
            for uid, said in run("SELECT uid, reason FROM version WHERE uid = ?", (after,))
        ]
        changed = [(unquoted(said), uid) for uid, said in became if unquoted(said) != said]
        self._connection.executemany("UPDATE version SET reason = ? WHERE uid = ?", changed)
        named = tuple(id[:SHORT_ID] for id in ids)
        reviewed = []
        # Only what quotes; a character beyond ASCII may be escaped.
        quoting = "SELECT uid, fields, reason FROM version WHERE fields LIKE '%“%' OR fields LIKE ?"
        for uid, fields, reason in run(quoting, ("%u201c%",)):
            if not any(one in fields for one in named):
                continue
            held = json.loads(fields)
            said = {
                name: unquoted(one)
                for name, one in held.items()
                if isinstance(one, str) and any(id in one for id in named)
            }
            told = reason_unquoted(reason, said.values())
            if told != reason or any(held[name] != one for name, one in said.items()):
                stays = json.dumps({**held, **said}, separators=(",", ":"))
                reviewed.append((stays, told, uid))
        sql = "UPDATE version SET fields = ?, reason = ? WHERE uid = ?"
        self._connection.executemany(sql, reviewed)

    def reasons(self) -> list[tuple[int, str]]:
        """The reasons of all changes that have one, by number."""
        return list(self._connection.execute("SELECT seq, reason FROM audit WHERE reason <> ''"))

    def _column(self, sql: str, part: "Part | None") -> list[str]:
        values = {} if part is None else {**part.raw_dict(), "own": _own(part.project)}
        return [str(one) for (one,) in self._connection.execute(sql, values)]


def _own(project: str) -> str:
    """The uid of what the owner of the store keeps of a project for themselves; empty for none."""
    return personal_project(USER, Project(project, "", None)).uid if project else ""
