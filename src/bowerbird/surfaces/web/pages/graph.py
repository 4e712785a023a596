"""Graph: a memory among what it hangs together with, as picture and table; and the groups of all."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

_GROUPS = 8
# The size of the picture, and its margins, which hold the names.
_WIDE, _HIGH, _ACROSS, _ABOVE = 960, 520, 130, 30
# Points with their names beside them: more names would overlap.
_NAMED = 24


async def page(call: "Call") -> "dict[str, Any]":
    """Around a memory, or the groups."""
    id, depth = call.query.get("around", ""), call.query.get("depth", "1")
    if not id:
        groups = await call.kept(("groups",), lambda bird: bird.communities(limit=_GROUPS))
        return {"around": None, "groups": groups}
    found = await call.verb("graph", id=id, depth=int(depth) if depth in {"1", "2", "3"} else 1)
    places = [
        (round(_ACROSS + x * (_WIDE - 2 * _ACROSS)), round(_ABOVE + y * (_HIGH - 2 * _ABOVE)))
        for x, y in found.places
    ]
    return {
        "around": found,
        "places": places,
        "size": (_WIDE, _HIGH),
        "named": len(found.points) <= _NAMED,
        "groups": None,
    }
