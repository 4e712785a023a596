"""What each session was shown: the lowest trust, and which entries.

What a session writes after it read a stranger's text may be the stranger's words. So every door records
the lowest trust that it returned, before it sends the answer; the record survives a restart, and every
door reads it without opening the store.
"""

import fcntl
import os

from bowerbird.core.places import HANDED, append_to, write_lines
from bowerbird.core.types import TRUSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    from collections.abc import Sequence

SUFFIX = ".shown"
# The trusts that are noted; `normal` and `full` lower nothing.
NOTED = TRUSTS[: TRUSTS.index("normal")]
_HASH_BYTES = 10
# 23 bytes each: reading all of them takes 30 µs. Beyond that the older half goes.
MOST = 4_096
_LINE = 2 * _HASH_BYTES + len(" 0\n")
# Some 7,000 ids, of 36 characters each: reading all of them takes .1 ms.
MOST_HANDED = 256_000


class Shown:
    """How little is believed of what each session was shown.

    A line is a hash of the session and a trust; the lowest line of a session counts.
    """

    def __init__(self, store: str) -> None:
        self._file = _Lines(store + SUFFIX, MOST * _LINE)

    def lowest(self, sessions: "tuple[str, ...]") -> str:
        """The least trust that any of these sessions was shown; empty where none is known."""
        data = self._file.held()
        least = min((_least(_key(session), data) for session in sessions), default=len(NOTED))
        return NOTED[least] if least < len(NOTED) else ""

    def note(self, sessions: "tuple[str, ...]", trust: str) -> bool:
        """Record that callers with these names are shown this trust; returns whether it was recorded."""
        data, level = self._file.held(), NOTED.index(trust)
        least = {one: _least(one, data) for one in map(_key, sessions)}
        new = [one for one, known in least.items() if level < known]
        if not new:
            return True
        lines = b"".join(_line(one, level) for one in new)
        # Names that change must not push out the line of the name that stays.
        all = b"".join(_line(one, min(level, known)) for one, known in least.items())
        try:
            return self._file.append(lines, all)
        except OSError:
            return False  # the caller reports it


class Handed:
    """Which entries each session received, so that a hook injects none of them again.

    A line is a hash of the session, the moment (UTC milliseconds), and the ids of one answer.
    """

    def __init__(self, store: str) -> None:
        self._file = _Lines(store + HANDED, MOST_HANDED)

    def note(self, session: str, ids: "Sequence[str]", now: int) -> bool:
        """Record that the caller of this name receives these entries; returns whether it was recorded."""
        line = b"%s %d %s\n" % (_key(session), now, " ".join(ids).encode("utf-8", "replace"))
        try:
            return self._file.append(line, line)
        except OSError:
            return False  # they may be injected again, which costs only tokens

    def ids(self, sessions: "Sequence[str]", since: int) -> set[str]:
        """What any of these sessions received since that moment."""
        data = self._file.held()
        keys = tuple(one for one in map(_key, sessions) if one in data)
        found: set[str] = set()
        for line in data.split(b"\n") if keys else ():
            if line.startswith(keys):
                # One that a crash cut short may hold the session alone.
                at, _, ids = line.decode("utf-8", "replace").partition(" ")[2].partition(" ")
                found.update(ids.split() if at.isdecimal() and int(at) >= since else ())
        return found


class _Lines:
    """A file of at most `most` bytes and what one writer adds; above that the older half goes.

    Lines are appended under a lock, and whoever finds the file replaced meanwhile follows it.
    """

    def __init__(self, side: str, most: int) -> None:
        self.side = side
        self._most = most

    def held(self) -> bytes:
        """All of it; empty where there is none."""
        try:
            with open(self.side, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def append(self, lines: bytes, instead: bytes) -> bool:
        """Append whole lines after whole lines; returns whether it did. Raises OSError.

        Where the older half goes, `instead` is added in their place.
        """
        while True:
            handle = append_to(self.side)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if not _still(handle, self.side):
                    continue
                if os.fstat(handle).st_size >= self._most:
                    return self._halve(instead)
                return write_lines(handle, lines)
            finally:
                os.close(handle)

    def _halve(self, lines: bytes) -> bool:
        """Put a file of the newer half, and these lines, in its place. Under the lock of the old one."""
        data = self.held()
        kept = data[data.find(b"\n", len(data) // 2) + 1 :].rpartition(b"\n")
        new = self.side + ".new"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(kept[0] + kept[1] + lines)
        os.replace(new, self.side)
        return True


def _key(name: str) -> bytes:
    """A session without what it is called: names of clients and tokens are nobody's to read."""
    encoded = name.encode("utf-8", "surrogatepass")
    return _blake2b()(encoded, digest_size=_HASH_BYTES).hexdigest().encode()


def _blake2b() -> "type[hashlib.blake2b]":
    try:
        # `hashlib` loads OpenSSL, a quarter of a bare interpreter, to give this very function.
        from _blake2 import blake2b  # start-up: see above
    except ImportError:
        from hashlib import blake2b  # start-up: another interpreter than CPython
    return blake2b


def _still(handle: int, path: str) -> bool:
    """Whether an open file is still the one at its path."""
    mine = os.fstat(handle)
    try:
        now = os.stat(path)
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (now.st_dev, now.st_ino)


def _line(name: bytes, level: int) -> bytes:
    return b"%s %d\n" % (name, level)


def _least(name: bytes, data: bytes) -> int:
    """The least trust that is noted of a name, by its place in NOTED; beyond its end where none is."""
    levels = range(len(NOTED))
    return next((level for level in levels if _line(name, level) in data), len(NOTED))
