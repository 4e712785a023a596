"""Long files: what a lesson keeps of them, and whether that is still so."""

import os

from bowerbird.host.foreign import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# In bytes; larger files count as long without being read.
_MOST_BYTES = 10_000_000


def payload(path: str, lines: int) -> "dict[str, Any]":
    """Return what is kept of a file that has more than this many lines."""
    return {"file": path, "lines": lines}


def stands(payload: "Mapping[str, Any]", root: str) -> bool:
    """Return whether a file is still long; true for any other payload.

    `root` is the folder to which its path is relative. A file that cannot be read counts as unchanged.
    """
    path, lines = payload.get("file"), payload.get("lines")
    if not isinstance(path, str) or not isinstance(lines, int):
        return True
    try:
        data = whole(os.path.join(root, path), _MOST_BYTES)
    except OSError:
        return True
    return len(data.splitlines()) > lines
