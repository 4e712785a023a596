"""How little of what each session was shown is believed: a side file, read without opening the store.

What a session writes after it was shown a stranger's text may be the stranger speaking. So every door
notes the least trust that it handed over, before the answer is out; a restart forgets none of it, and
every door finds it. A line is a hash of the session and a trust; the lowest line of a session counts.
"""

import fcntl
import hashlib
import os

from bowerbird.core.types import TRUSTS

SUFFIX = ".shown"
# The trusts that are noted; `normal` and `full` lower nothing.
NOTED = TRUSTS[: TRUSTS.index("normal")]
_HASH_BYTES = 10
# 23 bytes each: reading all of them takes 30 µs. Beyond that the older half goes.
MOST = 4_096
_LINE = 2 * _HASH_BYTES + len(" 0\n")


class Shown:
    """The side file of one store."""

    def __init__(self, store: str) -> None:
        self._path = store + SUFFIX

    def lowest(self, sessions: "tuple[str, ...]") -> str:
        """The least trust that any of these sessions was shown; empty where none is known."""
        held = self._held()
        least = min((_least(_key(session), held) for session in sessions), default=len(NOTED))
        return NOTED[least] if least < len(NOTED) else ""

    def note(self, sessions: "tuple[str, ...]", trust: str) -> bool:
        """Whoever goes by these names is shown something of this trust; whether that is noted now."""
        held, level = self._held(), NOTED.index(trust)
        least = {key: _least(key, held) for key in map(_key, sessions)}
        new = [key for key, known in least.items() if level < known]
        if not new:
            return True
        lines = b"".join(_line(key, level) for key in new)
        # Names that change must not push out the line of the name that stays.
        all = b"".join(_line(key, min(level, known)) for key, known in least.items())
        try:
            return self._append(lines, all)
        except OSError:
            return False  # whoever asks is told

    def _held(self) -> bytes:
        try:
            with open(self._path, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def _append(self, lines: bytes, all: bytes) -> bool:
        """Add whole lines behind whole lines; who replaced the file meanwhile is followed.

        Where the older half goes, `all` is added in their place.
        """
        while True:
            handle = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if not _still(handle, self._path):
                    continue
                size = os.fstat(handle).st_size
                if size >= MOST * _LINE:
                    return self._halve(all)
                # A crash may have cut the last line short: these must not end it.
                if size and os.pread(handle, 1, size - 1) != b"\n":
                    lines = b"\n" + lines
                return os.write(handle, lines) == len(lines)
            finally:
                os.close(handle)

    def _halve(self, lines: bytes) -> bool:
        """Put a file of the newer half, and these lines, in its place. Under the lock of the old one."""
        kept = self._held().split(b"\n")[-MOST // 2 :]
        new = self._path + ".new"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(b"".join(one + b"\n" for one in kept if len(one) == _LINE - 1) + lines)
        os.replace(new, self._path)
        return True


def _still(handle: int, path: str) -> bool:
    """Whether an open file is the one that stands there now."""
    mine = os.fstat(handle)
    try:
        now = os.stat(path)
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (now.st_dev, now.st_ino)


def _key(session: str) -> bytes:
    """A session without what it is called: names of clients and tokens are nobody's to read."""
    told = session.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(told, digest_size=_HASH_BYTES).hexdigest().encode()


def _line(key: bytes, level: int) -> bytes:
    return b"%s %d\n" % (key, level)


def _least(key: bytes, held: bytes) -> int:
    """The least trust that is noted of a name, by its place in NOTED; beyond its end where none is."""
    levels = range(len(NOTED))
    return next((level for level in levels if _line(key, level) in held), len(NOTED))
