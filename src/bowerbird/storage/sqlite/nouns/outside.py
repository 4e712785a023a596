"""What came from outside: the lowest trust that each reader was shown, and the files from there.

Hooks ask for it without opening the store, so a copy of both tables is kept beside it.
"""

import os

from bowerbird.core.foreign_file import ForeignFile
from bowerbird.core.types import Project
from bowerbird.storage.foreign_files import line_of
from bowerbird.storage.shown import NOTED, SHOWN
from bowerbird.storage.side_file import FOLDED, WHAT, SideFile, encoded, write_copy
from bowerbird.storage.sqlite.nouns.projects import Projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    from bowerbird.storage.side_file import Line

# Readers that are kept, the last ones that were shown anything: reading them takes a hook 60 µs.
_MOST_READERS = 4_096
# The key of `meta` that says which part of a file that was taken is in the tables.
POSITION = "noted"


class Outside:
    """The tables `shown` and `foreign_file` of one store."""

    def __init__(self, connection: "apsw.Connection", path: str) -> None:
        self._connection = connection
        self._side = SideFile(path)

    def note_shown(self, reader: str, trust: str, at: int) -> None:
        """Record that a reader, by the hash of its name, was shown a trust. Inside a transaction."""
        self._connection.execute(
            "INSERT INTO shown VALUES (?1, ?2, ?3) ON CONFLICT (reader) DO UPDATE SET"
            " trust = iif(trust = ?4, trust, excluded.trust), at = max(at, excluded.at)",
            (reader, trust, at, NOTED[0]),
        )

    def prune_shown(self) -> None:
        """Drop the readers whose last time is before that of all that are kept. Inside a transaction."""
        self._connection.execute(
            "DELETE FROM shown WHERE at < (SELECT at FROM shown ORDER BY at DESC LIMIT 1 OFFSET ?)",
            (_MOST_READERS - 1,),
        )

    def add(self, files: "Iterable[ForeignFile]") -> None:
        """Store files; one that came from outside again is not settled any more. Inside a transaction."""
        for one in files:
            number = self._project(one)
            self._connection.execute(
                "INSERT INTO foreign_file VALUES (?, ?, ?, ?, ?, NULL, '')"
                " ON CONFLICT (project, path, session) DO UPDATE SET at = excluded.at,"
                " why = excluded.why, settled = NULL, settled_by = '' WHERE at < excluded.at",
                (number, one.path, one.session, one.at, one.why),
            )

    def _project(self, file: ForeignFile) -> int:
        if not file.projects:
            return 0
        for name in file.projects:
            found = self._connection.execute(
                "SELECT coalesce((SELECT id FROM project WHERE uid = ?1),"
                " (SELECT project FROM alias WHERE uid = ?1 ORDER BY id DESC LIMIT 1))",
                (name,),
            ).fetchone()
            if found and found[0] is not None:
                return int(found[0])
        name = os.path.basename(file.root) or file.projects[0]
        new = Project(file.projects[0], name, file.root or None, file.projects[1:])
        return Projects(self._connection).ensure(new)

    def files(self) -> "list[ForeignFile]":
        """The files that are not settled, in the order in which they came."""
        names: dict[int, list[str]] = {}
        for number, uid in self._connection.execute(
            "SELECT id, uid FROM project WHERE id <> 0 UNION ALL SELECT project, uid FROM alias"
        ):
            names.setdefault(int(str(number)), []).append(str(uid))
        rows = self._connection.execute(
            "SELECT f.path, f.why, f.session, f.at, f.project, coalesce(p.root, '')"
            " FROM foreign_file f JOIN project p ON p.id = f.project"
            " WHERE f.settled IS NULL ORDER BY f.at"
        )
        return [
            ForeignFile(path, why, session, at, tuple(dict.fromkeys(names.get(number, ()))), root)
            for path, why, session, at, number, root in rows
        ]

    def settle(self, files: "Iterable[ForeignFile]", now: int, how: str) -> int:
        """These files are the user's own from now on; their number. Inside a transaction.

        Hooks learn of it from `write_copy` in a later one: what is not kept must not be told.
        """
        settled = 0
        for one in files:
            self._connection.execute(
                "UPDATE foreign_file SET settled = ?, settled_by = ?"
                " WHERE project = ? AND path = ? AND session = ? AND settled IS NULL",
                (now, how, self._project(one), one.path, one.session),
            )
            settled += self._connection.changes()
        return settled

    def write_copy(self) -> None:
        """Write the copy that hooks ask, with what is in the tables now."""
        write_copy(self._side.copy, map(encoded, self._lines()))

    def _lines(self) -> "Iterator[Line]":
        row = self._connection.execute(
            "SELECT value FROM meta WHERE key = ?", (POSITION,)
        ).fetchone()
        end, _, first = str(row[0]).partition(" ") if row else ("0", "", "")
        yield {WHAT: FOLDED, "end": int(end), "first": first}
        readers = self._connection.execute("SELECT reader, trust FROM shown ORDER BY at DESC")
        for reader, trust in readers:
            yield {WHAT: SHOWN, "reader": reader, "trust": trust}
        yield from map(line_of, self.files())
