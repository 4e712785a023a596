"""What is known by local numbers: projects with all their names, and the models that read entries."""

from bowerbird.core import plainjson
from bowerbird.core.types import GLOBAL, Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.types import ModelIdentity

# The key of `meta` with the identity of the contextual model whose vectors are stored.
CONTEXTUAL_MODEL = "contextual"
# The key of `meta` with the last pruning of each project.
PRUNED = "pruned"


class Projects:
    """The projects of a store."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def row(self, uid: str) -> int | None:
        """The local number of a project, or None if nothing of it was ever stored."""
        row = self._connection.execute("SELECT id FROM project WHERE uid = ?", (uid,)).fetchone()
        return int(row[0]) if row else None

    def all(self) -> list[Project]:
        """Every project that the store knows, by name, including the global one."""
        found = self._connection.execute("SELECT uid, name, root FROM project ORDER BY name, uid")
        return [Project(uid, name, root) for uid, name, root in found]

    def shared(self) -> bool:
        """Whether others than the store's owner use it."""
        return self._connection.execute("SELECT 1 FROM member LIMIT 1").fetchone() is not None

    def commit(self, projects: "Sequence[str]") -> str:
        """The commit that was checked out when something was last written for one of these projects."""
        row = self._connection.execute(
            "SELECT a.head FROM alias a JOIN project p ON p.id = a.project WHERE a.head <> ''"
            " AND p.uid IN (SELECT value FROM json_each(?)) ORDER BY a.id DESC LIMIT 1",
            (plainjson.escaped(list(projects)),),
        ).fetchone()
        return str(row[0]) if row else ""

    def known_as(self, aliases: "Sequence[str]") -> list[tuple[str, str, str]]:
        """Uid, alias and commit of the projects with one of these aliases, the last known first."""
        found = self._connection.execute(
            "SELECT p.uid, a.uid, a.head FROM alias a JOIN project p ON p.id = a.project"
            " WHERE a.uid IN (SELECT value FROM json_each(?)) ORDER BY a.id DESC",
            (plainjson.escaped(list(aliases)),),
        )
        return list(found)

    def without_remote(self) -> list[tuple[str, str, str]]:
        """Uid, place and commit of the repositories that are known by nothing but places."""
        found = self._connection.execute(
            "SELECT p.uid, a.uid, a.head FROM alias a JOIN project p ON p.id = a.project"
            " WHERE a.head <> '' AND NOT EXISTS (SELECT 1 FROM alias o"
            " WHERE o.project = a.project AND o.uid GLOB 'remote:*') ORDER BY a.id DESC"
        )
        return list(found)

    def recorded(self, project: Project) -> int | None:
        """The number of a project of which all that `ensure` writes down is known, else None."""
        number = self.row(project.uid)
        if number is None or not project.aliases:
            return number
        found = self._connection.execute(
            "SELECT count(*) FROM alias WHERE project = ? AND (head <> '' OR ? = '')"
            " AND uid IN (SELECT value FROM json_each(?))",
            (number, project.head, plainjson.escaped(project.aliases)),
        )
        return number if next(found)[0] == len(project.aliases) else None

    def ensure(self, project: Project, known: int | None = None) -> int:
        """The number of a project, stored with its aliases. Inside a transaction.

        `known` is its number if it is known to be stored unchanged.
        """
        if project.uid == GLOBAL.uid:
            return 0
        number = self._stands(project) if known is None else known
        if number is None:
            found = self._connection.execute(
                "INSERT INTO project (uid, name, root) VALUES (?1, ?2, ?3) ON CONFLICT (uid)"
                " DO UPDATE SET root = ?3 RETURNING id",
                (project.uid, project.name, project.root),
            )
            number = int(next(found)[0])
        self._connection.executemany(
            "INSERT INTO alias (uid, project, head) VALUES (?, ?, ?) ON CONFLICT (uid, project)"
            " DO UPDATE SET head = excluded.head WHERE excluded.head NOT IN ('', head)",
            [(alias, number, project.head) for alias in project.aliases],
        )
        return number

    def pruned(self) -> "dict[str, tuple[int, dict[str, int]]]":
        """When each project was pruned last, and what left it then: how many by outcome."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (PRUNED,)).fetchone()
        noted = plainjson.loads(row[0]) if row else {}
        return {uid: (one["at"], one["left"]) for uid, one in noted.items()}

    def note_pruned(self, now: int, left: "Mapping[str, Mapping[str, int]]") -> None:
        """Record that the projects in `left` were pruned, and what left each. Inside a transaction."""
        noted = self.pruned() | {uid: (now, dict(counts)) for uid, counts in left.items()}
        rows = {uid: {"at": at, "left": counts} for uid, (at, counts) in noted.items()}
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
            (PRUNED, plainjson.escaped(rows)),
        )

    def unresolved_documents(self, projects: "Sequence[str]", reader: str = "") -> int:
        """The number of documents of some projects with pending edges; those of one reader, if named.

        Here, since a session's start asks it, which needs nothing else of the graph.
        """
        marks = ", ".join("?" * len(projects))
        of_reader = " AND d.source = ?" if reader else ""
        found = self._connection.execute(
            "SELECT count(*) FROM outline o JOIN document d ON d.id = o.document WHERE o.resolved = 0"
            f" AND d.project IN (SELECT id FROM project WHERE uid IN ({marks})){of_reader}",
            (*projects, reader) if reader else projects,
        )
        return int(next(found)[0])

    def _stands(self, project: Project) -> int | None:
        found = self._connection.execute(
            "SELECT id FROM project WHERE uid = ?1 AND (?2 IS NULL OR root IS ?2)",
            (project.uid, project.root),
        ).fetchone()
        return int(found[0]) if found else None


def model_row(connection: "apsw.Connection", identity: "ModelIdentity") -> int | None:
    """The local number of a model, or None if no vector of it was ever stored."""
    row = connection.execute(
        "SELECT id FROM model WHERE provider = ? AND name = ? AND dims = ? AND revision = ?",
        (identity.provider, identity.name, identity.dims, identity.revision),
    ).fetchone()
    return int(row[0]) if row else None


def ensure_model(connection: "apsw.Connection", identity: "ModelIdentity") -> int:
    """The local number of a model, written down when it is new. Inside a transaction."""
    known = model_row(connection, identity)
    if known is not None:
        return known
    connection.execute(
        "INSERT INTO model (provider, name, dims, revision) VALUES (?, ?, ?, ?)",
        (identity.provider, identity.name, identity.dims, identity.revision),
    )
    return int(connection.last_insert_rowid())


def tally(connection: "apsw.Connection", key: str) -> None:
    """Count one more of something among the facts about a file. Inside a transaction."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, 1)"
        " ON CONFLICT (key) DO UPDATE SET value = value + 1",
        (key,),
    )


def tallies(connection: "apsw.Connection", prefix: str) -> "dict[str, Any]":
    """What was counted under keys that begin so, by the rest of the key."""
    bounds = (len(prefix) + 1, prefix, prefix + "\U0010ffff")
    sql = "SELECT substr(key, ?), value FROM meta WHERE key >= ? AND key < ?"
    return dict(connection.execute(sql, bounds))
