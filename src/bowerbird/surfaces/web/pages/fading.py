"""Fading: how sure memories still are, and what goes next."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call


async def page(call: "Call") -> "dict[str, Any]":
    """The counts by confidence, the half-lives, and the next to go."""
    found = await call.soon(("fading",), lambda bird: bird.fading())
    return {"found": found, "most": max(found.tenths if found else (), default=0) or 1}
