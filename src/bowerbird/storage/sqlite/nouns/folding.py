"""Takes what was noted beside a store into its tables: each line once, by whoever writes next."""

import os
from contextlib import suppress

from bowerbird.storage.foreign_files import FILE, read_line
from bowerbird.storage.shown import FORMER_SUFFIX, NOTED, SHOWN, former_lines
from bowerbird.storage.side_file import WHAT, SideFile, first_of, parsed
from bowerbird.storage.sqlite.nouns.outside import POSITION

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.storage.side_file import Line
    from bowerbird.storage.sqlite.nouns.outside import Outside

# The key of `meta` with the size of the former file whose content is in the tables.
_FORMER = "noted_before"
# The characters of a text in a line.
_LONGEST = 4_096


class Folding:
    """The side file of one store, inside a transaction."""

    def __init__(self, connection: "apsw.Connection", path: str, outside: "Outside") -> None:
        self._connection = connection
        self._outside = outside
        self._side = SideFile(path)
        self._former = path + FORMER_SUFFIX

    def fold(self) -> None:
        """Take the lines into the tables, and write the copy that hooks ask before that is kept.

        The file is renamed and read; the position in it is stored in the same transaction. A file that
        was renamed is replaced by the next one only when its lines are kept.
        """
        # Where the copy cannot be written, the lines stay in their file: who writes next tries again.
        with suppress(OSError), self._connection:
            new = self._fold_former()
            if self._fold_taken():
                new = True  # of a writer that failed, or noted late: the rest is for the next one
            elif os.path.exists(self._side.path):
                os.rename(self._side.path, self._side.taken)
                new = self._fold_taken() or new
            # A store that was restored, or copied alone, has no copy beside it.
            if new or not os.path.exists(self._side.copy):
                self._outside.write_copy()

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
        elif what == SHOWN and isinstance(at, int):
            reader, trust = line.get("reader"), line.get("trust")
            if isinstance(reader, str) and len(reader) <= _LONGEST and trust in NOTED:
                self._outside.note_shown(reader, trust, at)

    def _fold_former(self) -> bool:
        """Take what an earlier version noted, then remove its file, once that is kept."""
        try:
            size = os.path.getsize(self._former)
        except OSError:
            return False
        if self._meta(_FORMER) == size:
            with suppress(OSError):
                os.unlink(self._former)
            return False
        for reader, level in former_lines(self._former).items():
            self._outside.note_shown(reader, NOTED[level], 0)
        self._put_meta(_FORMER, size)
        return True

    def _meta(self, key: str) -> object:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _put_meta(self, key: str, value: "str | int") -> None:
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
            (key, value),
        )
