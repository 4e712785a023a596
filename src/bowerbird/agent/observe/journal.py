"""What was seen of each session: lines of JSON in a file a session, beside the store, which stays shut.

A line is appended by one write, which the system keeps apart from those of other processes. A file that
grew too large goes on in a new one, of which the older half is kept beside it.
"""

import fcntl
import os

from bowerbird.core import plainjson
from bowerbird.core.places import append_to, make_folder, write_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Line = dict[str, Any]

SUFFIX = ".journal"
_END = ".jsonl"
# What came before a file grew too large.
_OLDER = ".older"
# A long session of a day has some 2,000 events of 300 bytes.
LARGEST_FILE = 4_000_000
# Which project had which sessions, a line each, kept for good: 100 bytes a session.
_TALLY = "projects"
_LARGEST_TALLY = 2_000_000
_MEGABYTE = 1_000_000
_DAY_S = 86_400
# Of a session's name: agents name theirs by UUIDs.
_LONGEST_NAME = 80
_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class Journal:
    """The sessions of one store."""

    def __init__(self, store: str) -> None:
        self.folder = store + SUFFIX

    def add(self, session: str, line: "Line") -> None:
        """Append a line to a session. Raises OSError."""
        data = plainjson.dumps(line) + "\n"
        path = self.path(session)
        try:
            handle = append_to(path)
        except FileNotFoundError:
            make_folder(self.folder)
            handle = append_to(path)
        try:
            if os.fstat(handle).st_size > LARGEST_FILE:
                self._turn_over(handle, path)
            write_lines(handle, data.encode("utf-8", "replace"))
        finally:
            os.close(handle)

    @staticmethod
    def _turn_over(handle: int, path: str) -> None:
        """Put a file aside that is full. Whoever has it open goes on writing into the older one."""
        fcntl.flock(handle, fcntl.LOCK_EX)
        found = os.fstat(handle)
        now = os.stat(path)
        if (found.st_dev, found.st_ino) == (now.st_dev, now.st_ino):
            os.replace(path, path + _OLDER)

    def lines(self, session: str, *, holding: bytes = b"") -> "Iterator[Line]":
        """What was seen of a session, oldest first; `holding`: only lines in which this stands."""
        path = self.path(session)
        for one in (path + _OLDER, path):
            try:
                with open(one, "rb") as file:
                    data = file.read()
            except OSError:
                continue
            if holding and holding not in data:
                continue
            for raw in data.splitlines():
                if holding in raw:
                    line = _parsed(raw)
                    if line is not None:
                        yield line

    def last(
        self, session: str, most: int, *, holding: "Sequence[bytes]"
    ) -> "tuple[int, list[Line]]":
        """How many lines of a session hold one of these, and the last few of them, oldest first."""
        matching: list[bytes] = []
        for one in (self.path(session) + _OLDER, self.path(session)):
            try:
                with open(one, "rb") as file:
                    matching += [raw for raw in file if any(part in raw for part in holding)]
            except OSError:
                continue
        lines = [line for raw in matching[-most:] if (line := _parsed(raw)) is not None]
        return len(matching), lines

    def began(self, session: str) -> int:
        """When a session was first told of, in UTC milliseconds; 0 where it never was."""
        path = self.path(session)
        for one in (path + _OLDER, path):
            try:
                with open(one, "rb") as file:
                    line = _parsed(file.readline())
            except OSError:
                continue
            if line is not None and type(line.get("at")) is int:
                return int(line["at"])
        return 0

    def count(self, project: str, session: str) -> int:
        """A session of a project has begun; the sessions of it by now. Raises OSError."""
        path = os.path.join(self.folder, _TALLY)
        line = f"{quoted(project)} {file_name(session)}\n"
        make_folder(self.folder)
        handle = append_to(path)
        try:
            known = os.read(handle, _LARGEST_TALLY).decode("utf-8", "replace")
            if line not in known and len(known) < _LARGEST_TALLY:
                os.write(handle, line.encode())
                known += line
        finally:
            os.close(handle)
        return _counted(known, project)

    def counted(self, project: str) -> int:
        """The sessions that a project has had."""
        try:
            with open(os.path.join(self.folder, _TALLY), "rb") as file:
                return _counted(file.read(_LARGEST_TALLY).decode("utf-8", "replace"), project)
        except OSError:
            return 0

    def sessions(self) -> "list[tuple[str, float, int]]":
        """Every session with when it was last written to, in seconds, and its bytes; newest first."""
        found = []
        for name, path in self._files():
            if name.endswith(_END):
                try:
                    stat = os.stat(path)
                except OSError:
                    continue  # it went meanwhile
                found.append((name.removesuffix(_END), stat.st_mtime, stat.st_size))
        return sorted(found, key=lambda one: one[1], reverse=True)

    def size(self) -> int:
        """The bytes of all that is kept."""
        return sum(size for _, _, size in self._weighed())

    def sweep(self, now: float, days: int, megabytes: int) -> int:
        """Remove what is older than `days`, and the oldest above a number of megabytes.

        `now` in seconds; 0 keeps without bound. How many files went.
        """
        gone = 0
        left = megabytes * _MEGABYTE
        for path, written, size in sorted(self._weighed(), key=lambda one: one[1], reverse=True):
            left -= size
            if (days and now - written > days * _DAY_S) or (megabytes and left < 0):
                try:
                    os.unlink(path)
                except OSError:
                    continue  # somebody else let it go
                gone += 1
        return gone

    def _weighed(self) -> "Iterator[tuple[str, float, int]]":
        for _, path in self._files():
            try:
                stat = os.stat(path)
            except OSError:
                continue  # it went meanwhile
            yield path, stat.st_mtime, stat.st_size

    def _files(self) -> "Iterator[tuple[str, str]]":
        try:
            names = os.listdir(self.folder)
        except OSError:
            return
        for name in names:
            if name.endswith((_END, _END + _OLDER)):
                yield name, os.path.join(self.folder, name)

    def path(self, session: str) -> str:
        """The file of a session."""
        return os.path.join(self.folder, file_name(session) + _END)


def _parsed(raw: bytes) -> "Line | None":
    """A line as it was added; None where a crash cut it short."""
    try:
        line = plainjson.loads(raw.decode())
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def quoted(project: str) -> str:
    """The uid of a project as one word of a line."""
    return project.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A") or "-"


def _counted(known: str, project: str) -> int:
    return ("\n" + known).count(f"\n{quoted(project)} ")


def file_name(session: str) -> str:
    """A session's name as that of a file; names that differ stay apart."""
    plain = "".join(char if char in _NAME_CHARS else "_" for char in session)
    if plain != session or not 0 < len(session) <= _LONGEST_NAME:
        from zlib import crc32  # start-up: names of sessions are plain

        checksum = crc32(session.encode("utf-8", "surrogatepass"))
        plain = f"{plain[:_LONGEST_NAME]}-{checksum:08x}"
    return plain
