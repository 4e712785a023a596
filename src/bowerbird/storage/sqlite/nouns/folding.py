"""Takes what was noted beside a store into its tables: each line once, by whoever writes next."""

import os
from contextlib import suppress

from bowerbird.storage.foreign_files import FILE, read_line
from bowerbird.storage.model_use import MODEL
from bowerbird.storage.outcomes import COPY, OUTCOME
from bowerbird.storage.shown import NOTED, SHOWN
from bowerbird.storage.side_file import WHAT, SideFile, first_of, parsed
from bowerbird.storage.sqlite.nouns.model_use import take_use
from bowerbird.storage.sqlite.nouns.outcomes import take_outcome, write_outcomes
from bowerbird.storage.sqlite.nouns.outside import POSITION

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.storage.side_file import Line
    from bowerbird.storage.sqlite.nouns.outside import Outside

# The characters of a text in a line.
_LONGEST = 4_096


class Folding:
    """The side file of one store, inside a transaction."""

    def __init__(self, connection: "apsw.Connection", path: str, outside: "Outside") -> None:
        self._connection = connection
        self._outside = outside
        self._side = SideFile(path)
        self._path = path
        self._outcomes = False

    def fold(self) -> None:
        """Take the lines into the tables, and write the copies that hooks ask before that is kept.

        The file is renamed and read; the position in it is stored in the same transaction. A file that
        was renamed is replaced by the next one only when its lines are kept.
        """
        # Where the copy cannot be written, the lines stay in their file: who writes next tries again.
        with suppress(OSError), self._connection:
            new = (
                self._fold_taken()
            )  # of a writer that failed, or noted late: the rest is for the next
            if not new and os.path.exists(self._side.path):
                os.rename(self._side.path, self._side.taken)
                new = self._fold_taken()
            if new:
                self._outside.prune_shown()
            # A store that was restored, or copied alone, has no copies beside it.
            if new or not os.path.exists(self._side.copy):
                self._outside.write_copy()
            if self._outcomes or not os.path.exists(self._path + COPY):
                write_outcomes(self._connection, self._path)

    def drop_taken(self) -> None:
        """Delete the file that was taken, if all of its lines are kept and the copies are written."""
        with suppress(OSError):
            size = os.path.getsize(self._side.taken)
            position, _, of = str(self._meta(POSITION) or "0 ").partition(" ")
            with open(self._side.taken, "rb") as file:
                first = first_of(file.readline())
            if of == first and int(position) >= size:
                os.unlink(self._side.taken)

    def _fold_taken(self) -> bool:
        """Take the lines that are not in the tables yet; whether there were any."""
        try:
            size = os.path.getsize(self._side.taken)
        except OSError:
            return False
        position, _, of = str(self._meta(POSITION) or "0 ").partition(" ")
        with open(self._side.taken, "rb") as file:
            first = first_of(head := file.readline())
            begun = int(position) if of == first else 0
            if begun >= size:
                return False
            file.seek(begun)
            data = file.read() if begun else head + file.read()
        # A line that a crash cut short stays; whoever notes next ends it.
        end = data.rfind(b"\n") + 1
        if not end:
            return False
        for raw in data[:end].splitlines():
            line = parsed(raw)
            if line is not None:
                self._take(line)
        self._put_meta(POSITION, f"{begun + end} {first}")
        return True

    def _take(self, line: "Line") -> None:
        """Store what a line says; one that no program of ours wrote says nothing."""
        what, at = line.get(WHAT), line.get("at")
        if what == FILE:
            file = read_line(line)
            if file and max(map(len, (file.path, file.session, file.root))) <= _LONGEST:
                self._outside.add((file,))
        elif what == OUTCOME:
            self._outcomes = take_outcome(self._connection, line) or self._outcomes
        elif what == MODEL:
            take_use(self._connection, line)
        elif what == SHOWN and isinstance(at, int):
            reader, trust = line.get("reader"), line.get("trust")
            if isinstance(reader, str) and len(reader) <= _LONGEST and trust in NOTED:
                self._outside.note_shown(reader, trust, at)

    def _meta(self, key: str) -> object:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _put_meta(self, key: str, value: "str | int") -> None:
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
            (key, value),
        )
