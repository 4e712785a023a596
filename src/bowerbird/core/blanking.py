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
    handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    blanked = at = 0
    try:
        with os.fdopen(os.dup(handle), "rb") as file:
            for line in file:
                said = line.decode("utf-8", "replace")
                stays = left(said)
                if stays != said:
                    content, kept = line.rstrip(b"\n"), stays.encode("utf-8", "replace")
                    kept = kept if len(kept) <= len(content) else b""
                    os.pwrite(handle, kept.ljust(len(content)), at)
                    blanked += 1
                at += len(line)
        if blanked:
            os.fsync(handle)
    finally:
        os.close(handle)
    return blanked
