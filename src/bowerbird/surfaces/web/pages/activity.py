"""Activity: what changed, by whom and why."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

_ROWS = 50
LINKED = "linked"


async def page(call: "Call") -> "dict[str, Any]":
    """Fifty changes from one on."""
    before = call.query.get("before", "")
    given = {"before": int(before)} if before.isdecimal() else {}
    found = await call.verb("activity", limit=_ROWS, **given)
    # What was linked as it was learned is a part of that, and its reason says so.
    whole = {(one.operation, one.entry) for one in found.events if one.action != LINKED}
    shown = [
        one
        for one in found.events
        if one.action != LINKED or (one.operation, one.entry) not in whole
    ]
    return {"found": found, "shown": shown}
