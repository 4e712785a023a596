"""Activity: what changed, by whom and why."""

from itertools import groupby

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

_ROWS = 50
# How a relation names a file.
_FILE = "file:"
LINKED = "linked"
# What a link says of itself where nobody gave a reason: its row says that already.
_RELATED = "it is related"


async def page(call: "Call") -> "dict[str, Any]":
    """Fifty changes from one on, by the days of their times."""
    before = call.query.get("before", "")
    by = call.query.get("by", "")
    given = {"before": int(before)} if before.isdecimal() else {}
    found = await call.verb("activity", limit=_ROWS, by=by, **given)
    # What was linked as it was learned is a part of that, and its reason says so.
    whole = {(one.operation, one.entry) for one in found.events if one.action != LINKED}
    shown = [
        one
        for one in found.events
        if one.action != LINKED or (one.operation, one.entry) not in whole
    ]
    # The clock of a machine may have been wrong: the order is that of the times that are shown.
    shown.sort(key=lambda one: -one.at)
    ids = {one.other for one in shown if one.other and not one.other.startswith(_FILE)}
    others = await call.work(lambda bird: bird.named(*ids)) if ids else []
    return {
        "found": found,
        "by": by,
        "days": [
            (day, [*of_it]) for day, of_it in groupby(shown, lambda one: call.language.day(one.at))
        ],
        "others": {one.id: one for one in others},
        "FILE": _FILE,
        "RELATED": _RELATED,
    }
