"""What is learned of files that are long: how it is said, and whether it is so still."""

import os
import re

from bowerbird.core.foreign import whole

_SAID = re.compile(r"`([^`\n]+)` is long, more than ([\d,]+) lines:")
# Larger files are long whatever they hold.
_MOST_BYTES = 10_000_000


def said(path: str, lines: int) -> str:
    """That a file has more than so many lines, and what follows from that."""
    return (
        f"`{path}` is long, more than {lines:,} lines: search it and read the part that is needed, not"
        " the whole file."
    )


def stands(text: str, root: str) -> bool:
    """Whether the file that a text calls long is so long still; true where it calls none so.

    `root` is the folder below which its path is. Of a file that cannot be read nothing is known.
    """
    match = _SAID.match(text.strip())
    if match is None:
        return True
    try:
        data = whole(os.path.join(root, match[1]), _MOST_BYTES)
    except OSError:
        return True
    return len(data.splitlines()) > int(match[2].replace(",", ""))
