"""Lessons on long files: their wording, and whether they are still true."""

import os
import re

from bowerbird.core.foreign import whole

_SAID = re.compile(r"`([^`\n]+)` is long, more than ([\d,]+) lines:")
# In bytes; larger files count as long without being read.
_MOST_BYTES = 10_000_000


def said(path: str, lines: int) -> str:
    """Return the sentence that a file has more than this many lines, with the consequence."""
    return (
        f"`{path}` is long, more than {lines:,} lines: search it and read the part that is needed, not"
        " the whole file."
    )


def stands(text: str, root: str) -> bool:
    """Return whether the file that a text calls long is still long; true if it calls none long.

    `root` is the folder to which its path is relative. A file that cannot be read counts as unchanged.
    """
    match = _SAID.match(text.strip())
    if match is None:
        return True
    try:
        data = whole(os.path.join(root, match[1]), _MOST_BYTES)
    except OSError:
        return True
    return len(data.splitlines()) > int(match[2].replace(",", ""))
