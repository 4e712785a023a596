"""Disk space reserved beside a store for forgetting: a full disk has none, and deletion writes first.

Every change is written to the log before it reaches the file: forgetting a memory temporarily needs 70 to
250 KB of it. So a larger file is kept beside the store, and deleted when space is needed.
"""

import os
from contextlib import suppress

from bowerbird.host.places import private_file

SUFFIX = ".reserve"
# To forget one takes a quarter of it; what takes more is done in smaller pieces.
SIZE = 1_048_576
# The free space, after the reserve was released and everything is written, that suffices for a new one.
LEAST = SIZE // 2
_AMPLE = 4 * SIZE
_BLOCK = bytes(65_536)


def keep(path: str) -> bool:
    """Create the reserve beside a store, unless it exists; False without space for half of it."""
    name = path + SUFFIX
    with suppress(OSError):
        if os.stat(name).st_size >= SIZE:
            return True
    try:
        handle = private_file(name, os.O_WRONLY)
    except OSError:
        return False
    try:
        # Written, not just made longer: a file of holes holds no room.
        for _ in range(SIZE // len(_BLOCK)):
            os.write(handle, _BLOCK)
    except OSError:
        pass  # as much as there is room for
    finally:
        size = os.fstat(handle).st_size
        os.close(handle)
    if size < LEAST:
        release(path)  # the room that there is serves others
    return size >= LEAST


def release(path: str) -> bool:
    """Let go of the reserve; whether there was one."""
    try:
        os.unlink(path + SUFFIX)
    except OSError:
        return False
    return True


def keep_early(path: str) -> bool:
    """Put it there while there is room for much more: it is not to be what fills the disk."""
    return _free(path) >= _AMPLE and keep(path)


def needed(path: str) -> bool:
    """Whether so little is free on the disk that taking out may fail. A quota is not seen here."""
    return _free(path) < SIZE


def _free(path: str) -> int:
    folder = os.path.dirname(path) or "."
    if not hasattr(os, "statvfs"):
        from shutil import disk_usage  # start-up: Windows alone needs it

        return disk_usage(folder).free
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize
