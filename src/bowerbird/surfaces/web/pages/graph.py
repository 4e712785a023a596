"""Graph: a memory among what it hangs together with, as picture and table; and the groups of all."""

from operator import methodcaller

from bowerbird.core.relations import MUTUAL
from bowerbird.core.types import ALIVE
from bowerbird.surfaces.web.pages.memory import both_hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.overview import Around
    from bowerbird.core.ways import Leg
    from bowerbird.surfaces.web.desk import Call

    # Left, top, right and bottom, in pixels.
    Box = tuple[int, int, int, int]

_GROUPS = 8
# Memories that are put into groups for a page: 2,000 take 2 seconds, 100,000 more than 8 minutes.
_GROUPED = 5_000
# The size of the picture, and its margins, which hold the names.
_WIDE, _HIGH, _ACROSS, _ABOVE = 960, 520, 130, 30
# Letters of a name at most, and the pixels of one, and above and below its line.
_LETTERS = 26
_LETTER = 6.5
_RISE = 11
_FALL = 4
# Pixels by which names keep away from points, and where that of a point stands, tried in this order.
_ROOM = 9
_BESIDE = (21, -13)


async def page(call: "Call") -> "dict[str, Any]":
    """Around a memory, or the groups."""
    id, depth = call.query.get("around", ""), call.query.get("depth", "1")
    if not id:
        if call.pulse.memories > _GROUPED:
            return {"around": None, "groups": None, "few": False}
        groups = await call.soon(("groups",), methodcaller("communities", limit=_GROUPS))
        return {"around": None, "groups": groups, "few": True}
    found = await call.verb("graph", id=id, depth=int(depth) if depth in {"1", "2", "3"} else 1)
    found = found.replace(legs=_once(found.legs))
    kinds = await call.work(lambda bird: _kinds(bird, found))
    places = [
        (round(_ACROSS + x * (_WIDE - 2 * _ACROSS)), round(_ABOVE + y * (_HIGH - 2 * _ABOVE)))
        for x, y in found.places
    ]
    return {
        "around": found,
        "places": places,
        "size": (_WIDE, _HIGH),
        "kinds": kinds,
        "names": _names([one.name for one in found.points], places),
        "groups": None,
    }


def _once(legs: "tuple[Leg, ...]") -> "tuple[Leg, ...]":
    """Each relation once, the strongest: one that says the same from both ends may have two legs."""
    known: dict[tuple[object, ...], Leg] = {}
    for leg in sorted(legs, key=lambda one: -one.strength):
        ends = sorted((leg.source, leg.target)) if leg.kind in MUTUAL else (leg.source, leg.target)
        known.setdefault((leg.kind, *ends), leg)
    kept = {id(one) for one in known.values()}
    return tuple(leg for leg in legs if id(leg) in kept)


def _kinds(bird: "Bowerbird", found: "Around") -> "list[str]":
    """What each relation is called: a contradiction that is settled is none by now."""
    opposed = [leg for leg in found.legs if leg.kind == "contradicts"]
    ids = {found.points[at].id for leg in opposed for at in (leg.source, leg.target)} - {""}
    entries = {one.id: one for one in bird.named(*ids)} if ids else {}

    def called(leg: "Leg") -> str:
        ends = [entries.get(found.points[at].id) for at in (leg.source, leg.target)]
        one, other = ends
        if leg.kind != "contradicts" or one is None or other is None:
            return leg.kind
        if one.state not in ALIVE or other.state not in ALIVE:
            return "contradicted"
        return "held_both" if both_hold(one, other) else leg.kind

    return [called(leg) for leg in found.legs]


def _names(
    names: "list[str]", places: "list[tuple[int, int]]"
) -> "list[tuple[str, tuple[int, int]] | None]":
    """The name of each point and where it is written; None where it would cover another or a point."""
    taken = [(x - _ROOM, y - _ROOM, x + _ROOM, y + _ROOM) for x, y in places]
    found: list[tuple[str, tuple[int, int]] | None] = []
    for name, (x, y) in zip(names, places, strict=True):
        shown = name if len(name) <= _LETTERS else name[: _LETTERS - 1].rstrip() + "…"
        half = round(len(shown) * _LETTER / 2)
        tried = ((x - half, y + by - _RISE, x + half, y + by + _FALL) for by in _BESIDE)
        box = next((one for one in tried if not any(_overlap(one, other) for other in taken)), None)
        found.append(None if box is None else (shown, (x, box[3] - _FALL)))
        taken += [] if box is None else [box]
    return found


def _overlap(one: "Box", other: "Box") -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
