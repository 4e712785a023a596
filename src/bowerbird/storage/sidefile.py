"""A file of lines beside a store: what doors have to tell each other without opening it.

Lines are appended under a lock, and whoever finds the file replaced meanwhile follows it. Above its bound
the older half goes.
"""

import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib

_HASH_BYTES = 10
# Characters of a name's hash.
KEY = 2 * _HASH_BYTES


class SideFile:
    """One file, of at most so many bytes and what one writer adds."""

    def __init__(self, path: str, most: int) -> None:
        self.path = path
        self._most = most

    def held(self) -> bytes:
        """All of it; empty where there is none."""
        try:
            with open(self.path, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def append(self, lines: bytes, instead: bytes) -> bool:
        """Add whole lines behind whole lines; whether that was done. Raises OSError.

        Where the older half goes, `instead` is added in their place.
        """
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if not _still(handle, self.path):
                    continue
                size = os.fstat(handle).st_size
                if size >= self._most:
                    return self._halve(instead)
                # A crash may have cut the last line short: these must not end it.
                if size and os.pread(handle, 1, size - 1) != b"\n":
                    lines = b"\n" + lines
                return os.write(handle, lines) == len(lines)
            finally:
                os.close(handle)

    def _halve(self, lines: bytes) -> bool:
        """Put a file of the newer half, and these lines, in its place. Under the lock of the old one."""
        held = self.held()
        kept = held[held.find(b"\n", len(held) // 2) + 1 :].rpartition(b"\n")
        new = self.path + ".new"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(kept[0] + kept[1] + lines)
        os.replace(new, self.path)
        return True


def key(name: str) -> bytes:
    """A session without what it is called: names of clients and tokens are nobody's to read."""
    told = name.encode("utf-8", "surrogatepass")
    return _blake2b()(told, digest_size=_HASH_BYTES).hexdigest().encode()


def _blake2b() -> "type[hashlib.blake2b]":
    try:
        # `hashlib` loads OpenSSL, a quarter of a bare interpreter, to give this very function.
        from _blake2 import blake2b  # start-up: see above
    except ImportError:
        from hashlib import blake2b  # start-up: another interpreter than CPython
    return blake2b


def _still(handle: int, path: str) -> bool:
    """Whether an open file is the one that stands there now."""
    mine = os.fstat(handle)
    try:
        now = os.stat(path)
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (now.st_dev, now.st_ino)
