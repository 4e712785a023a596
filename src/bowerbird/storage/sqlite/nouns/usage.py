"""Which entries were used: recorded beside the store by each reader, counted by the next writer.

A note is one line appended to a side file, so that an answer never waits for the write lock and a
read-only store still answers; what cannot be noted is dropped, and the drops are counted.
"""

import os
from contextlib import suppress

import apsw

from bowerbird.core.life import DAY, SESSION_DAYS
from bowerbird.core.value import Note
from bowerbird.host.places import append_to, make_folder, write_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Use = Callable[[float, float], tuple[float, float]]

SUFFIX = ".usage"
TAKEN_SUFFIX = ".usage.taken"
# The suffix for a file that cannot be counted and is set aside; the last one is kept for inspection.
BAD_SUFFIX = ".bad"
# A writer takes some 50 µs for a used memory: 5,000 of them at most, the rest is dropped.
LARGEST_FILE = 200_000
_NO_SESSION = "-"
# Before a note's random token, which makes a file's first line unlike that of any other file.
_MARK = "#"
_MOST_DIGITS = 13
# Errors that an invalid file may cause.
_UNCOUNTABLE = (ValueError, OverflowError, apsw.SQLError, apsw.ConstraintError, apsw.MismatchError)


def note(side: str, ids: "Sequence[str]", session: str, now: int) -> bool:
    """Append a line of ids to the file `side`; False where that cannot be done at once."""
    name = "_".join(session.split()) or _NO_SESSION
    line = f"{now} {name} {' '.join(ids)} {_MARK}{os.urandom(8).hex()}\n"
    return _append(side, line.encode("utf-8", "replace"), LARGEST_FILE, write_lines)


def count_drop(drops: str) -> None:
    """One more answer was not noted: a byte more in the file `drops`."""
    with suppress(OSError):
        make_folder(os.path.dirname(drops))
    _append(drops, b".", LARGEST_FILE, os.write)


def _append(file: str, data: bytes, limit: int, write: "Callable[[int, bytes], int]") -> bool:
    try:
        handle = append_to(file)
    except OSError:
        return False
    try:
        return os.fstat(handle).st_size + len(data) <= limit and write(handle, data) > 0
    except OSError:
        return False
    finally:
        os.close(handle)


def remarks(path: str, journal: str) -> list[Note]:
    """What is unusual about a store and harms nothing."""
    notes = []
    if journal == "delete":
        remark = (
            "a rollback journal, no write-ahead log: it is on a network, or was restored or copied and"
            " not written since"
        )
        notes.append(Note("degraded", remark))
    if os.path.exists(bad := path + TAKEN_SUFFIX + BAD_SUFFIX):
        notes.append(Note("uncounted", f"uses in {bad} could not be counted; delete it"))
    return notes


class Usage:
    """Counts the uses in the side file of a store."""

    def __init__(
        self, connection: "apsw.Connection", path: str, replica: str, now: int, use: "Use"
    ) -> None:
        """`use` computes a memory's importance and rate of decay after a use."""
        self._connection = connection
        self._use = use
        self._replica = replica
        # A later moment was never written by us: a crash cut a note short.
        self._latest = now + DAY
        self._side = path + SUFFIX
        self._taken = path + TAKEN_SUFFIX

    def fold(self) -> None:
        """Count the notes, each line once. Inside a transaction, which it never fails.

        The file is renamed and read; the position is stored in the same transaction. It is kept until the
        next one replaces it, for processes that had opened it before it was renamed.
        """
        if self._counted(self._taken):
            return  # of a writer that failed, or of one that was late: the rest is for the next one
        with suppress(OSError):
            os.rename(self._side, self._taken)
            self._counted(self._taken)

    def foresee(self) -> None:
        """Count what was noted, and leave the files: for a transaction that is not kept."""
        for file in (self._taken, self._side):
            with suppress(*_UNCOUNTABLE), self._connection:
                self._count_from(file)

    def _counted(self, file: str) -> bool:
        """Count a file's new lines, or rename the file if that fails: the write continues."""
        try:
            # All of the file or nothing: half of it would count twice, or never.
            with self._connection:
                counted = self._count_from(file)
        except _UNCOUNTABLE:
            with suppress(OSError):
                os.replace(file, file + BAD_SUFFIX)
            return True
        return counted

    def _count_from(self, file: str) -> bool:
        """Count the lines that were not counted yet; whether there were any."""
        try:
            with open(file, encoding="utf-8", errors="replace") as taken:
                text = taken.read()
        except OSError:
            return False
        end = text.rfind("\n") + 1
        first = text[: text.find("\n") + 1]
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'used'").fetchone()
        counted, _, of = str(row[0]).partition(" ") if row else ("0", "", "")
        start = int(counted) if of == first else 0
        if start >= end:
            return False
        latest = 0
        for at, session, ids in _lines(text[start:end], self._latest):
            latest = max(latest, at)
            for id in dict.fromkeys(ids):
                self._count(id, session, at)
        self._connection.execute(
            "DELETE FROM session_access WHERE at < ?", (latest - SESSION_DAYS * DAY,)
        )
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES ('used', ?1)"
            " ON CONFLICT (key) DO UPDATE SET value = ?1",
            (f"{end} {first}",),
        )
        return True

    def _count(self, id: str, session: str, at: int) -> None:
        row = self._connection.execute(
            "SELECT m.id, m.importance, m.decay_rate FROM entry e JOIN memory m ON m.id = e.id"
            " WHERE e.uid = ?",
            (id,),
        ).fetchone()
        if row is None:
            return
        number, importance, decay_rate = row
        if session != _NO_SESSION:
            self._connection.execute(
                "INSERT OR IGNORE INTO session_access VALUES (?, ?, ?)", (session, id, at)
            )
            if not self._connection.changes():
                return
        self._connection.execute(
            "INSERT INTO access VALUES (?, ?, 1)"
            " ON CONFLICT (memory, replica) DO UPDATE SET count = count + 1",
            (id, self._replica),
        )
        self._connection.execute(
            "UPDATE memory SET accessed = max(accessed, ?), importance = ?, decay_rate = ?"
            " WHERE id = ?",
            (at, *self._use(importance, decay_rate), number),
        )


def _lines(text: str, latest: int) -> "Iterator[tuple[int, str, list[str]]]":
    """Moment, session and ids of each line; a line that was cut short by a crash is left out."""
    for line in text.split("\n"):
        at, _, rest = line.partition(" ")
        session, _, ids = rest.partition(" ")
        if at.isdecimal() and len(at) <= _MOST_DIGITS and int(at) <= latest and ids:
            yield int(at), session, [id for id in ids.split(" ") if not id.startswith(_MARK)]
