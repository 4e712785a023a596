"""How memories hang together, every change of it audited."""

from bowerbird.core import plainjson
from bowerbird.core.history import Relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    from bowerbird.core.history import Change
    from bowerbird.storage.sqlite.nouns.stamps import Stamps

_COLUMNS = "source, target, kind, strength, confidence, automatic, created"

_PUT = (
    "INSERT INTO relation VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?)"
    " ON CONFLICT (source, target, kind) DO UPDATE SET strength = excluded.strength,"
    " confidence = excluded.confidence, automatic = excluded.automatic, present = 1,"
    " created = excluded.created, replica = excluded.replica, hlc = excluded.hlc"
)
_SHOWN = (
    "SELECT e.uid FROM facet f JOIN entry e ON e.id = f.id JOIN project p ON p.id = f.project"
    " WHERE f.family = 'memory' AND f.state = 0 AND p.uid IN (SELECT value FROM json_each(?1))"
)


class Relations:
    """Relations between memories, and from memories to files."""

    def __init__(self, connection: "apsw.Connection", stamps: "Stamps") -> None:
        self._connection = connection
        self._stamps = stamps

    def get(self, source: str, target: str, kind: str) -> Relation | None:
        """One relation, or None where there is none."""
        row = self._connection.execute(
            f"SELECT {_COLUMNS} FROM relation"
            " WHERE source = ? AND target = ? AND kind = ? AND present = 1",
            (source, target, kind),
        ).fetchone()
        return _relation(row) if row else None

    def of(self, id: str) -> tuple[Relation, ...]:
        """The relations from and to a memory, oldest first."""
        found = self._connection.execute(
            f"SELECT {_COLUMNS} FROM relation WHERE source = ?1 AND present = 1"
            f" UNION SELECT {_COLUMNS} FROM relation WHERE target = ?1 AND present = 1"
            " ORDER BY 7, 1, 2, 3",
            (id,),
        )
        return tuple(_relation(row) for row in found)

    def among(self, projects: "Sequence[str]") -> list[tuple[str, str, str, float, bool]]:
        """Relations between memories in force: source, target, kind, strength, whether a rule drew it."""
        found = self._connection.execute(
            f"WITH shown AS ({_SHOWN}) SELECT r.source, r.target, r.kind, r.strength * r.confidence,"
            " r.automatic FROM relation r"
            " WHERE r.present = 1 AND r.source IN shown AND r.target IN shown"
            " ORDER BY r.source, r.target, r.kind",
            (plainjson.escaped(list(projects)),),
        )
        return [(*row[:4], bool(row[4])) for row in found]

    def tied_together(self, ids: "Sequence[str]", kinds: "Sequence[str]") -> set[str]:
        """Those of some memories that have a relation of some kinds, from either end."""
        if not ids:
            return set()
        named = ", ".join("?" * len(kinds))
        found = self._connection.execute(
            "WITH those (uid) AS (SELECT value FROM json_each(?))"
            + " UNION ".join(
                f" SELECT t.uid FROM those t CROSS JOIN relation r ON r.{end} = t.uid"
                f" AND r.present = 1 AND r.kind IN ({named})"
                for end in ("source", "target")
            ),
            (plainjson.escaped(list(ids)), *kinds, *kinds),
        )
        return {str(id) for (id,) in found}

    def tied(self, projects: "Sequence[str]") -> list[tuple[str, str, str, str]]:
        """What memories in force of some projects are about: id, path, symbol and project.

        By their anchors and by their relations to files.
        """
        found = self._connection.execute(
            "SELECT e.uid, a.path, a.name, p.uid FROM anchor a JOIN entry e ON e.id = a.memory"
            " JOIN facet f ON f.id = e.id JOIN project p ON p.id = f.project"
            " WHERE f.state = 0 AND a.path <> '' AND p.uid IN (SELECT value FROM json_each(?1))"
            " UNION SELECT e.uid, r.target, '', p.uid FROM relation r JOIN entry e ON e.uid = r.source"
            " JOIN facet f ON f.id = e.id JOIN project p ON p.id = f.project WHERE r.present = 1"
            " AND r.target GLOB 'file:*' AND f.state = 0"
            " AND p.uid IN (SELECT value FROM json_each(?1)) ORDER BY 1, 2, 3",
            (plainjson.escaped(list(projects)),),
        )
        return list(found)

    def about(self, paths: "Sequence[str]", name: str, projects: "Sequence[str]") -> list[int]:
        """The memories in force that are tied to a file by one of its paths, the newest first, by row.

        With a `name` those that are about this symbol or the file as a whole.
        """
        found = self._connection.execute(
            "SELECT DISTINCT f.id FROM anchor a JOIN facet f ON f.id = a.memory"
            " JOIN project p ON p.id = f.project WHERE f.state = 0"
            " AND a.path IN (SELECT value FROM json_each(?1)) AND (?2 = '' OR a.name IN ('', ?2))"
            " AND p.uid IN (SELECT value FROM json_each(?3)) ORDER BY f.id DESC",
            (plainjson.escaped(list(paths)), name, plainjson.escaped(list(projects))),
        )
        return [row for (row,) in found]

    def parse(self, text: str | None) -> Relation | None:
        """A relation out of the audit."""
        return Relation(**plainjson.loads(text)) if text else None

    def put(self, relation: Relation, change: "Change") -> None:
        """Write a relation, replacing an equal one. Inside a transaction."""
        before = self.get(relation.source, relation.target, relation.kind)
        self._connection.execute(_PUT, self._row(relation, self._stamp(relation)))
        self._stamps.audit(
            change, relation.source, as_json(before) if before else None, as_json(relation)
        )

    def begin(self, drawn: "Sequence[tuple[Relation, Change]]") -> None:
        """Write the first relations of new memories. Inside a transaction."""
        if drawn:
            # Of what is new there is no row yet whose stamp they must follow.
            rows = [self._row(relation, self._stamps.next()) for relation, _ in drawn]
            self._connection.executemany(_PUT, rows)
            for relation, change in drawn:
                self._stamps.audit(change, relation.source, None, as_json(relation))

    def _row(self, relation: Relation, stamp: str) -> "tuple[Any, ...]":
        return (
            relation.source,
            relation.target,
            relation.kind,
            relation.strength,
            relation.confidence,
            int(relation.automatic),
            relation.created,
            self._stamps.replica,
            stamp,
        )

    def _stamp(self, relation: Relation) -> str:
        """The next stamp, after that of the row even if a copy wrote it whose clock is far ahead."""
        row = self._connection.execute(
            "SELECT hlc FROM relation WHERE source = ? AND target = ? AND kind = ?",
            (relation.source, relation.target, relation.kind),
        ).fetchone()
        return self._stamps.next() if row is None else self._stamps.after(row[0])

    def remove(self, relation: Relation, change: "Change") -> None:
        """Take a relation away; a row stays, so that peers hear of it. Inside a transaction."""
        self._connection.execute(
            "UPDATE relation SET present = 0, replica = ?, hlc = ?"
            " WHERE source = ? AND target = ? AND kind = ?",
            (
                self._stamps.replica,
                self._stamp(relation),
                relation.source,
                relation.target,
                relation.kind,
            ),
        )
        self._stamps.audit(change, relation.source, as_json(relation), None)


def as_json(relation: Relation) -> str:
    """A relation as the audit keeps it."""
    return plainjson.spaced(relation.raw_dict())


def _relation(row: "tuple[Any, ...]") -> Relation:
    source, target, kind, strength, confidence, automatic, created = row
    return Relation(source, target, kind, strength, confidence, bool(automatic), created)
