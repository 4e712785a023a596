"""Records what each session was shown: the lowest trust, and which entries.

What a session writes after reading foreign text may repeat that text. So every interface records the
lowest trust that it returned, before it sends the answer; the record survives a restart, and every
interface reads it without opening the store.
"""

import os
import time

from bowerbird.core.types import TRUSTS
from bowerbird.host.locks import lock
from bowerbird.host.places import HANDED, append_to, private_file, write_lines
from bowerbird.storage.side_file import WHAT, SideFile, lines_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    from collections.abc import Sequence

# What a line of the side file records: that a reader was shown a trust.
SHOWN = "shown"
# The trusts that are recorded; `normal` and `full` lower nothing.
NOTED = TRUSTS[: TRUSTS.index("normal")]
_HASH_BYTES = 10
# Maximum bytes: some 7,000 ids of 36 characters; reading all of them takes .1 ms.
MOST_HANDED = 256_000


class Shown:
    """The lowest trust that each session was shown; it is never raised."""

    def __init__(self, store: str) -> None:
        self._side = SideFile(store)

    def lowest(self, sessions: "tuple[str, ...]") -> str:
        """The lowest trust that any of these sessions was shown; empty if none is recorded."""
        level = min(self._levels([*map(_key, sessions)]).values(), default=len(NOTED))
        return NOTED[level] if level < len(NOTED) else ""

    def note(self, sessions: "tuple[str, ...]", trust: str) -> bool:
        """Record that callers with these names are shown this trust; returns whether it was recorded."""
        level, at = NOTED.index(trust), time.time_ns() // 1_000_000
        known = self._levels([*map(_key, sessions)])
        if not any(level < one for one in known.values()):
            return True
        # All of them: names that change with every call must not push out one that stays.
        return self._side.append(
            {WHAT: SHOWN, "at": at, "reader": key, "trust": NOTED[min(level, one)]}
            for key, one in known.items()
        )

    def _levels(self, keys: "list[str]") -> dict[str, int]:
        """The lowest trust of each name, as an index into NOTED; len(NOTED) if there is none."""
        found = dict.fromkeys(keys, len(NOTED))
        data = self._side.content()
        for key in found:
            for line in lines_with(data, b'"' + key.encode() + b'"'):
                if line.get(WHAT) == SHOWN and line.get("trust") in NOTED:
                    found[key] = min(found[key], NOTED.index(line["trust"]))
        return found


class Handed:
    """Which entries each session received, so that a hook injects none of them again.

    A line is a hash of the session, the time (UTC milliseconds), and the ids of one answer.
    """

    def __init__(self, store: str) -> None:
        self._file = _Lines(store + HANDED, MOST_HANDED)

    def note(self, session: str, ids: "Sequence[str]", now: int) -> bool:
        """Record that the caller of this name receives these entries; returns whether it was recorded."""
        line = b"%s %d %s\n" % (
            _key(session).encode(),
            now,
            " ".join(ids).encode("utf-8", "replace"),
        )
        try:
            return self._file.append(line, line)
        except OSError:
            return False  # they may be injected again, which costs only tokens

    def ids(self, sessions: "Sequence[str]", since: int) -> set[str]:
        """The ids that any of these sessions received since that time."""
        data = self._file.content()
        keys = tuple(one for one in (_key(name).encode() for name in sessions) if one in data)
        found: set[str] = set()
        for line in data.split(b"\n") if keys else ():
            if line.startswith(keys):
                # A line that a crash cut short may contain the session alone.
                at, _, ids = line.decode("utf-8", "replace").partition(" ")[2].partition(" ")
                found.update(ids.split() if at.isdecimal() and int(at) >= since else ())
        return found


class _Lines:
    """A file of at most `most` bytes plus one append; above that the older half is dropped.

    Lines are appended under a lock; a writer that finds the file replaced opens the new one.
    """

    def __init__(self, side: str, most: int) -> None:
        self.side = side
        self._most = most

    def content(self) -> bytes:
        """The content; empty if there is no file."""
        try:
            with open(self.side, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def append(self, lines: bytes, instead: bytes) -> bool:
        """Appends complete lines; returns whether it did. Raises OSError.

        If the older half is dropped, `instead` is added in place of `lines`.
        """
        while True:
            handle = append_to(self.side)
            try:
                lock(handle)
                if not _still(handle, self.side):
                    continue
                if os.fstat(handle).st_size >= self._most:
                    return self._halve(instead)
                return write_lines(handle, lines)
            finally:
                os.close(handle)

    def _halve(self, lines: bytes) -> bool:
        """Replaces the file by its newer half and these lines.

        The caller holds the lock of the old file.
        """
        data = self.content()
        kept = data[data.find(b"\n", len(data) // 2) + 1 :].rpartition(b"\n")
        new = self.side + ".new"
        with open(private_file(new, os.O_WRONLY | os.O_TRUNC), "wb") as file:
            file.write(kept[0] + kept[1] + lines)
        os.replace(new, self.side)
        return True


def _key(name: str) -> str:
    """A hash of the session's name: names of clients and tokens are private."""
    encoded = name.encode("utf-8", "surrogatepass")
    return _blake2b()(encoded, digest_size=_HASH_BYTES).hexdigest()


def _blake2b() -> "type[hashlib.blake2b]":
    try:
        # `hashlib` would load OpenSSL, a quarter of a bare interpreter, to return this same function.
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
