"""Overwrites lines of our own side files in place: nothing that is appended meanwhile is lost."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def blank_lines(path: str, left: "Callable[[str], str]") -> int:
    """Overwrite lines of a file with what is `left` of them and blanks, and return how many changed.

    What would be longer than its line is not left. The bytes are on the disk when it returns. Blanks
    behind JSON are none of it, and a line that is no JSON any more is skipped by all readers. Raises
    OSError.
    """
    # What Windows has none of: it hands no handle to children, and has no such links.
    private = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, os.O_RDWR | private | getattr(os, "O_BINARY", 0))
    blanks: list[tuple[int, bytes]] = []
    at = 0
    try:
        with os.fdopen(os.dup(handle), "rb") as file:
            for line in file:
                said = line.decode("utf-8", "replace")
                stays = left(said)
                if stays != said:
                    content, kept = line.rstrip(b"\n"), stays.encode("utf-8", "replace")
                    kept = kept if len(kept) <= len(content) else b""
                    blanks.append((at, kept.ljust(len(content))))
                at += len(line)
        for at, kept in blanks:
            os.lseek(handle, at, os.SEEK_SET)
            os.write(handle, kept)
        if blanks:
            os.fsync(handle)
    finally:
        os.close(handle)
    return len(blanks)
