"""Activity: what changed, by whom and why."""

from collections import Counter
from itertools import groupby

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.overview import Done
    from bowerbird.surfaces.web.desk import Call

_ROWS = 50
# More rows in a row than this that differ by their memory alone are one, which opens.
_APART = 3
# How a relation names a file.
_FILE = "file:"
LINKED = "linked"
# What a person said of two that contradict each other: one operation confirms both.
_CONFIRMED, _BOTH, _SIDES = "confirmed", "both", 2
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
            (day, [*_together([*of_it])])
            for day, of_it in groupby(shown, lambda one: call.language.day(one.at))
        ],
        "others": {one.id: one for one in others},
        "FILE": _FILE,
        "RELATED": _RELATED,
    }


def _together(events: "Sequence[Done]") -> "Iterator[tuple[str, Done, Sequence[Done]]]":
    """What each row tells: what was done, to which memory first, and to which others besides."""
    confirmed = Counter(one.operation for one in events if one.action == _CONFIRMED)

    def sort(one: "Done") -> "tuple[str, object, str, str]":
        if one.action == _CONFIRMED and confirmed[one.operation] == _SIDES:
            return _BOTH, one.operation, "", ""
        return one.action, one.seq if one.other else "", one.actor, one.reason

    for (action, *_), some in groupby(events, sort):
        first, *others = some
        if action == _BOTH or len(others) >= _APART:
            yield action, first, others
        else:
            yield from ((action, one, ()) for one in (first, *others))
