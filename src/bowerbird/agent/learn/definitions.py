"""Lessons on where a name is defined: their wording, and whether they are still true."""

import os
import re

from bowerbird.core.foreign import whole

_SAID = r"`(?:\w+\.)*(\w+)` is defined in `([^`\n]+)`: `(.+)`\."
# Larger files are not source code.
_MOST_BYTES = 10_000_000


def said(whole_name: str, path: str, line: str) -> str:
    """Return the sentence that says where a name is defined."""
    return f"`{whole_name}` is defined in `{path}`: `{line}`."


def short(line: str) -> str:
    """Return the line of a definition without the surrounding syntax."""
    return " ".join(line.split()).rstrip("{(:= ")


def stands(text: str, root: str) -> bool:
    """Return whether the line that a text quotes is still in its file; true if it quotes none.

    `root` is the folder to which its path is relative.
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
