"""What is learned of where a name is defined: how it is said, and whether it is so still."""

import os
import re

from bowerbird.core.foreign import whole

_SAID = r"`(?:\w+\.)*(\w+)` is defined in `([^`\n]+)`: `(.+)`\."
# Larger files are no source code.
_MOST_BYTES = 10_000_000


def said(whole_name: str, path: str, line: str) -> str:
    """Where a name is defined, in a sentence."""
    return f"`{whole_name}` is defined in `{path}`: `{line}`."


def short(line: str) -> str:
    """A line that defines something, without what stands around it."""
    return " ".join(line.split()).rstrip("{(:= ")


def stands(text: str, root: str) -> bool:
    """Whether the line that a text tells of stands in its file still; true where it tells of none.

    `root` is the folder below which its path is.
    """
    match = re.fullmatch(_SAID, text.strip())
    if match is None:
        return True
    name, line = match[1].encode(), match[3]
    try:
        data = whole(os.path.join(root, match[2]), _MOST_BYTES)
    except OSError:
        return False
    lines = (one for one in data.splitlines() if name in one)
    return any(short(one.decode("utf-8", "replace")) == line for one in lines)
