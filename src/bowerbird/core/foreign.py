"""Opens files that others may have put on a disk: only regular ones, without blocking, up to a limit.

A pipe in place of a file would block forever, a device has no end, and a sparse file of terabytes takes
no disk space. All code that reads files of a checkout, or of a folder that somebody named, opens them
here.
"""

import os
import stat

NOT_REGULAR = "a pipe, socket or device"
# The read size, so that memory use follows the size of the file, not the limit.
_PART = 1 << 20
_OPEN = (
    os.O_RDONLY
    # A pipe that takes the file's place after the first look would be waited for without this.
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def opened(path: str, *, links: bool = True) -> int:
    """A handle on a regular file, whose reads never wait; `links`: one may lead to it.

    Raises OSError, with a reason for people in its `strerror`, also for what is no regular file.
    """
    try:
        # Asked before it is opened as well: of some devices opening alone is felt.
        found = os.stat(path, follow_symlinks=links)
    except ValueError as error:  # what others wrote may hold a NUL, or half a character
        raise OSError(0, "no name of a file", path) from error
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, NOT_REGULAR, path)
    handle = os.open(path, _OPEN if links else _OPEN | getattr(os, "O_NOFOLLOW", 0))
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(0, NOT_REGULAR, path)


def head(path: str, most: int, *, links: bool = True) -> bytes:
    """The first bytes of a regular file, `most` of them. Raises OSError."""
    handle = opened(path, links=links)
    try:
        parts = []
        while most > 0 and (part := os.read(handle, min(most, _PART))):
            parts.append(part)
            most -= len(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def whole(path: str, most: int, *, links: bool = True) -> bytes:
    """What a regular file holds. Raises OSError, also for more than `most` bytes."""
    data = head(path, most + 1, links=links)
    if len(data) > most:
        raise OSError(0, f"larger than {most:,} bytes", path)
    return data
