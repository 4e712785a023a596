"""Modules: what memory knows of each part of a project, and which files it says nothing of."""

from operator import methodcaller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

_MOST = 100


async def page(call: "Call") -> "dict[str, Any]":
    """A card for each module."""
    return {"found": await call.soon(("modules",), methodcaller("modules", limit=_MOST))}
