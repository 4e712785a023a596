"""The events of each session: JSON lines in a file per session, beside the store, which stays closed.

A line is appended by one write, which the system keeps apart from those of other processes. A file that
is too large is renamed, replacing the older part beside it, and a new one begins.
"""

import os

from bowerbird.core import plainjson
from bowerbird.core.events import STARTED
from bowerbird.host.locks import lock, opened_folder
from bowerbird.host.places import append_to, make_folder, require_own, write_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    Line = dict[str, Any]

SUFFIX = ".journal"
_END = ".jsonl"
# The suffix of the older part of a file that grew too large.
OLDER = ".older"
# A long session of a day has some 2,000 events of 300 bytes.
LARGEST_FILE = 4_000_000
# The sessions of each project, one line each, kept permanently: 100 bytes per session.
TALLY = "projects"
_LARGEST_TALLY = 2_000_000
_MEGABYTE = 1_000_000
_DAY_S = 86_400
# Of a session's name in characters: agents name theirs by UUIDs.
_LONGEST_NAME = 80
_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class Turn:
    """Holds a folder alone inside a `with`; entering waits for other processes. Raises OSError."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._handle = -1

    def __enter__(self) -> None:
        make_folder(self._folder)
        self._handle = opened_folder(self._folder)
        lock(self._handle)

    def __exit__(self, *raised: object) -> None:
        os.close(self._handle)


class Journal:
    """The sessions of one store."""

    def __init__(self, store: str) -> None:
        self.folder = store + SUFFIX

    def add(self, session: str, line: "Line") -> None:
        """Append a line to a session. Raises OSError."""
        data = plainjson.dumps(line) + "\n"
        path = self.path(session)
        try:
            require_own(self.folder)
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
        """Rename a full file. A process that has it open continues to write into the older part."""
        lock(handle)
        found = os.fstat(handle)
        now = os.stat(path)
        if (found.st_dev, found.st_ino) == (now.st_dev, now.st_ino):
            os.replace(path, path + OLDER)

    def lines(self, session: str, *, holding: bytes = b"") -> "Iterator[Line]":
        """Yield the events of a session, oldest first; `holding`: only lines that contain these bytes."""
        path = self.path(session)
        for one in (path + OLDER, path):
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
        """Return how many lines of a session contain one of these, and the last ones, oldest first."""
        matching: list[bytes] = []
        for one in (self.path(session) + OLDER, self.path(session)):
            try:
                with open(one, "rb") as file:
                    matching += [raw for raw in file if any(part in raw for part in holding)]
            except OSError:
                continue
        lines = [line for raw in matching[-most:] if (line := _parsed(raw)) is not None]
        return len(matching), lines

    def began(self, session: str) -> int:
        """Return the time of a session's first event, in UTC milliseconds; 0 if it has none."""
        path = self.path(session)
        for one in (path + OLDER, path):
            try:
                with open(one, "rb") as file:
                    line = _parsed(file.readline())
            except OSError:
                continue
            if line is not None and type(line.get("at")) is int:
                return int(line["at"])
        return 0

    def turn(self) -> "Turn":
        """A lock for what works on whole sessions: one process at a time.

        Thirty sessions that end at once would each read the same transcript.
        """
        return Turn(self.folder)

    def count(self, project: str, session: str) -> int:
        """Count a new session of a project, and return their number. Raises OSError."""
        path = os.path.join(self.folder, TALLY)
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
        """Return the number of sessions of a project."""
        try:
            with open(os.path.join(self.folder, TALLY), "rb") as file:
                return _counted(file.read(_LARGEST_TALLY).decode("utf-8", "replace"), project)
        except OSError:
            return 0

    def sessions(self) -> "list[tuple[str, float, int]]":
        """Return every session with its last write, in seconds, and its bytes; newest first."""
        found = []
        for name, path in self._files():
            if name.endswith(_END):
                try:
                    stat = os.stat(path)
                except OSError:
                    continue  # removed meanwhile
                found.append((name.removesuffix(_END), stat.st_mtime, stat.st_size))
        return sorted(found, key=lambda one: one[1], reverse=True)

    def size(self) -> int:
        """Return the bytes of the whole journal."""
        return sum(size for _, _, size in self._weighed())

    def sweep(self, now: float, days: int, megabytes: int) -> int:
        """Remove files older than `days`, then the oldest above a total of `megabytes`.

        `now` in seconds; 0 keeps without limit. Returns the number of removed files.
        """
        gone = 0
        left = megabytes * _MEGABYTE
        for path, written, size in sorted(self._weighed(), key=lambda one: one[1], reverse=True):
            left -= size
            if (days and now - written > days * _DAY_S) or (megabytes and left < 0):
                try:
                    os.unlink(path)
                except OSError:
                    continue  # removed by another process
                gone += 1
        return gone

    def _weighed(self) -> "Iterator[tuple[str, float, int]]":
        for _, path in self._files():
            try:
                stat = os.stat(path)
            except OSError:
                continue  # removed meanwhile
            yield path, stat.st_mtime, stat.st_size

    def _files(self) -> "Iterator[tuple[str, str]]":
        try:
            names = os.listdir(self.folder)
        except OSError:
            return
        for name in names:
            if name.endswith((_END, _END + OLDER)):
                yield name, os.path.join(self.folder, name)

    def path(self, session: str) -> str:
        """Return the file of a session."""
        return os.path.join(self.folder, file_name(session) + _END)


def named_like(names: "Iterable[str]", said: str, least: int) -> list[str]:
    """Return the sessions that are meant by a name, with or without its agent, or its beginning.

    `least` is the number of characters from which on a beginning counts.
    """
    known = [*names]
    if exact := [name for name in known if name == said] or [
        name for name in known if name.endswith("-" + said)
    ]:
        return exact
    if len(said) < least:
        return []
    return [name for name in known if name.startswith(said) or f"-{said}" in name]


def _parsed(raw: bytes) -> "Line | None":
    """Return a parsed line; None if a crash truncated it."""
    try:
        line = plainjson.loads(raw.decode())
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def quoted(project: str) -> str:
    """Return the uid of a project as one word of a line."""
    return project.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A") or "-"


def _counted(known: str, project: str) -> int:
    return ("\n" + known).count(f"\n{quoted(project)} ")


def project_of(lines: "Iterable[dict[str, Any]]") -> str:
    """Return the project that a session began in, by its lines; empty if unknown."""
    for line in lines:
        if line.get("what") == STARTED and isinstance(line.get("project"), str):
            return str(line["project"])
    return ""


def file_name(session: str) -> str:
    """Return the file name for a session's name, different for different names."""
    plain = "".join(char if char in _NAME_CHARS else "_" for char in session)
    if plain != session or not 0 < len(session) <= _LONGEST_NAME:
        from zlib import crc32  # start-up: names of sessions are plain

        checksum = crc32(session.encode("utf-8", "surrogatepass"))
        plain = f"{plain[:_LONGEST_NAME]}-{checksum:08x}"
    return plain
