"""What a tool call touches: files, a command, and the open items of a to-do list. Pure."""

from bowerbird.core.tool_calls import command, kind_of, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["command", "kind_of", "paths", "undone"]

_MOST_TODO = 10


def undone(given: "Mapping[str, Any]") -> list[str] | None:
    """Return the open items of a to-do list; None if the call is no such list."""
    listed = given.get("todos", given.get("plan"))
    if not isinstance(listed, list):
        return None
    found = []
    for one in listed:
        if isinstance(one, dict) and one.get("status") not in ("completed", "cancelled"):
            text = one.get("content", one.get("step"))
            if isinstance(text, str) and text:
                found.append(text)
    return found[:_MOST_TODO]
