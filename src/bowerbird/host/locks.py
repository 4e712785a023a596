"""Locks between processes, on open files, and the only module that knows how each system makes them.

The system releases a lock when its handle is closed, however the process ends. POSIX locks whole files
and folders (flock). Windows locks bytes, and no folders: here one byte far behind any content, for a
folder that of a file in it; a shared lock is an exclusive one there, and nobody queues in order.
"""

import os
import sys

from bowerbird.host.places import private_file

# What Windows has no flag for: it hands no handle to children, and has no such links.
_PRIVATE = getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def opened_to_lock(path: str, *, links: bool = True) -> int:
    """A handle of a file to lock, created empty and for its owner only. Raises OSError.

    Without `links` a symbolic link is refused.
    """
    return private_file(path, os.O_RDWR | (0 if links else _NO_LINK))


if sys.platform == "win32":
    import msvcrt
    from time import sleep

    # The byte that is locked: behind any file's content, since others cannot read a locked one.
    _BYTE = 1 << 40
    # Seconds after which a lock that another process holds is tried again.
    _AGAIN_S = 0.02

    # Whether processes that wait can be served in the order of their arrival.
    IN_ORDER = False

    def lock(handle: int, *, wait: bool = True, shared: bool = False) -> bool:  # noqa: ARG001
        """Whether the lock is had; without `wait` not if another process has it."""
        while not _at_byte(handle, msvcrt.LK_NBLCK):
            if not wait:
                return False
            sleep(_AGAIN_S)
        return True

    def unlock(handle: int) -> None:
        """Releases the lock of an open handle. Raises OSError."""
        _at_byte(handle, msvcrt.LK_UNLCK)

    def _at_byte(handle: int, how: int) -> bool:
        at = os.lseek(handle, 0, os.SEEK_CUR)
        try:
            os.lseek(handle, _BYTE, os.SEEK_SET)
            msvcrt.locking(handle, how, 1)
        except PermissionError:  # another process has it
            return False
        finally:
            os.lseek(handle, at, os.SEEK_SET)
        return True

    def opened_folder(folder: str) -> int:
        """A handle by which a folder is locked. Raises OSError."""
        return opened_to_lock(os.path.join(folder, ".lock"))

    def stand_at(handle: int, byte: int) -> None:
        """Nobody queues in order."""

    def anyone_at(handle: int, byte: int, count: int) -> bool:  # noqa: ARG001 as below
        """Nobody queues in order."""
        return False

    def leave(handle: int) -> None:
        """Releases the lock."""
        unlock(handle)

else:
    import fcntl

    # Locks of single bytes that belong to an open file are Linux's alone.
    IN_ORDER = hasattr(fcntl, "F_OFD_SETLK")
    # As Linux has it: type, whence, start, length, process.
    _FLOCK = "hhqqi"

    def lock(handle: int, *, wait: bool = True, shared: bool = False) -> bool:
        """Whether the lock is had; without `wait` not if another process has it.

        Raises OSError on a file system without locks.
        """
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(handle, how if wait else how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(handle: int) -> None:
        """Releases the lock of an open handle. Raises OSError."""
        fcntl.flock(handle, fcntl.LOCK_UN)

    def opened_folder(folder: str) -> int:
        """A handle by which a folder is locked. Raises OSError."""
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _PRIVATE)

    def stand_at(handle: int, byte: int) -> None:
        """Locks one byte, whose number others can look for, beside the lock of the whole file."""
        if not IN_ORDER:
            return
        try:
            fcntl.fcntl(handle, fcntl.F_OFD_SETLK, _bytes(byte, 1, fcntl.F_WRLCK))
        except OSError:
            return  # such a disk cannot hold a queue

    def anyone_at(handle: int, byte: int, count: int) -> bool:
        """Whether another open file stands at one of these bytes."""
        if not IN_ORDER:
            return False
        try:
            found = fcntl.fcntl(handle, fcntl.F_OFD_GETLK, _bytes(byte, count, fcntl.F_WRLCK))
        except OSError:
            return False
        from struct import unpack  # start-up: hooks that only record do not queue

        return bool(unpack(_FLOCK, found)[0] != fcntl.F_UNLCK)

    def leave(handle: int) -> None:
        """Releases all: a child that was forked meanwhile would keep a lock that is only closed."""
        try:
            if IN_ORDER:
                fcntl.fcntl(handle, fcntl.F_OFD_SETLK, _bytes(0, 0, fcntl.F_UNLCK))
            unlock(handle)
        except OSError:
            return  # there was none

    def _bytes(start: int, length: int, how: int) -> bytes:
        """A number of bytes of a file from an offset on (0: all), as the system takes them."""
        from struct import pack  # start-up: as above

        return pack(_FLOCK, how, os.SEEK_SET, start, length, 0)
