"""Activity: what changed, by whom and why."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

_ROWS = 50


async def page(call: "Call") -> "dict[str, Any]":
    """Fifty changes from one on."""
    before = call.query.get("before", "")
    given = {"before": int(before)} if before.isdecimal() else {}
    return {"found": await call.verb("activity", limit=_ROWS, **given)}
