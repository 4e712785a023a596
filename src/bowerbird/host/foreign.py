"""Opens files that others may have put on a disk: only regular ones, without blocking, up to a limit.

A pipe in place of a file would block forever, a device has no end, and a sparse file of terabytes takes
no disk space. All code that reads files of a checkout, or of a folder that a user named, opens them here.
"""

import os
import stat

NOT_REGULAR = "a pipe, socket or device"
# The read size, so that memory use follows the size of the file, not the limit.
_PART = 1 << 20
_OPEN = (
    os.O_RDONLY
    # Without this, a pipe that replaces the file after the check would block.
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def opened(path: str, *, links: bool = True) -> int:
    """A handle on a regular file, whose reads never block; with `links`, symbolic links are followed.

    Raises OSError, with a readable reason in its `strerror`, also for anything but a regular file.
    """
    try:
        # Checked before opening as well, because opening some devices has an effect.
        found = os.stat(path, follow_symlinks=links)
    except ValueError as error:  # names in foreign files may contain NUL or invalid characters
        raise OSError(0, "no name of a file", path) from error
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, NOT_REGULAR, path)
    handle = os.open(path, _OPEN if links else _OPEN | getattr(os, "O_NOFOLLOW", 0))
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(0, NOT_REGULAR, path)


def is_unchanged(path: str, size: int, modified: int) -> bool:
    """Whether a file has the size and the time (UTC milliseconds) of when it was indexed."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    return (found.st_size, found.st_mtime_ns // 1_000_000) == (size, modified)


def head(path: str, most: int, *, links: bool = True) -> bytes:
    """The first `most` bytes of a regular file. Raises OSError."""
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
    """The content of a regular file. Raises OSError, also if it has more than `most` bytes."""
    data = head(path, most + 1, links=links)
    if len(data) > most:
        raise OSError(0, f"larger than {most:,} bytes", path)
    return data
