"""Where a name is defined: what a lesson keeps of it, and whether that is still so."""

import os

from bowerbird.core.ids import text_hash
from bowerbird.host.foreign import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Larger files are not source code.
_MOST_BYTES = 10_000_000


def payload(name: str, path: str, line: str) -> "dict[str, Any]":
    """Return what is kept: of the line a hash, since a line of a file may hold anything."""
    return {"name": name, "file": path, "line": _hashed(line)}


def short(line: str) -> str:
    """Return the line of a definition without the surrounding syntax."""
    return " ".join(line.split()).rstrip("{(:= ")


def stands(payload: "Mapping[str, Any]", root: str) -> bool:
    """Return whether the line of a definition is still in its file; true for any other payload.

    `root` is the folder to which its path is relative.
    """
    name, path, line = (payload.get(one) for one in ("name", "file", "line"))
    if not (name and path and line):
        return True
    own = name.rpartition(".")[2].encode()
    try:
        data = whole(os.path.join(root, path), _MOST_BYTES)
    except OSError:
        return False
    lines = (one for one in data.splitlines() if own in one)
    return any(_hashed(short(one.decode("utf-8", "replace"))) == line for one in lines)


def _hashed(line: str) -> str:
    return text_hash(line).hex()[:16]
