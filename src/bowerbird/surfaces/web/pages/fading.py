"""Fading: how sure memories still are, and what goes next."""

from operator import methodcaller

from bowerbird.core.life import DAY, current_confidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.overview import FadingKind
    from bowerbird.surfaces.web.desk import Call


# The picture of the curves: its size in points, how far it looks ahead in days, and from point to point.
_WIDTH, _HEIGHT = 580, 130
_DAYS, _STEP = 180, 6
# The least distance of two labels.
_LINE = 14


async def page(call: "Call") -> "dict[str, Any]":
    """The counts by confidence, the curves of the kinds that fade, and the next to go."""
    found = await call.soon(("fading",), methodcaller("fading"))
    return {
        "found": found,
        "level": await call.kept(("level",), lambda bird: bird.admin.level()),
        "most": max(found.tenths if found else (), default=0) or 1,
        "curves": curves(found.kinds) if found else [],
    }


def curves(kinds: "Sequence[FadingKind]") -> "list[tuple[list[str], str, float]]":
    """The kinds of each half-life, the points of their curve, and the height of its label.

    Points go right with the days without use, and down as confidence falls. Labels do not overlap.
    """
    found = []
    above = float(_HEIGHT + _LINE)
    for half_life in sorted({one.half_life for one in kinds}):
        heights = [
            (1 - current_confidence(1.0, half_life, 0, day * DAY)) * _HEIGHT
            for day in range(0, _DAYS + 1, _STEP)
        ]
        right = _WIDTH * _STEP / _DAYS
        points = " ".join(f"{at * right:.1f},{height:.1f}" for at, height in enumerate(heights))
        above = min(heights[-1], above - _LINE)
        names = [one.kind for one in kinds if one.half_life == half_life]
        found.append((names, points, round(above, 1)))
    return found
