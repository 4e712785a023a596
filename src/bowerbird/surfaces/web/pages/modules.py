"""Modules: what memory knows of each part of a project, and which files it says nothing of."""

from operator import methodcaller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

# Modules on a page: 60 of a large project are 35 kB of the 40 that a page may be.
_MOST = 60


async def page(call: "Call") -> "dict[str, Any]":
    """A card for each module."""
    return {"found": await call.soon(("modules",), methodcaller("modules", limit=_MOST))}
