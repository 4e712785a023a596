"""Health: one number with its formula, what needs attention, what is covered; and the first run."""

from bowerbird.core.health import PROBLEM
from bowerbird.surfaces.web.pages.sessions import UNHELPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.overview import Modules, Score
    from bowerbird.surfaces.web.desk import Call

# Modules that the first page lists.
_MODULES = 8
# Where each part of the score is moved: a page, and what is searched there.
_MOVED_BY = {
    "right": ("/memories", "corrected:yes"),
    "fresh": ("/memories", "stale:yes"),
    "settled": ("/review", ""),
    "helped": ("/sessions", UNHELPED),
    "covered": ("/modules", ""),
}


def _problem(bird: "Bowerbird") -> "tuple[str, str] | None":
    """What keeps the store from working, and its remedy; None where one may not examine it."""
    if not bird.owned:
        return None
    found = (one for one in bird.admin.doctor() if one.level == PROBLEM)
    return next(((one.found, str(one.remedy)) for one in found), None)


def _scored(bird: "Bowerbird") -> "tuple[Score, Modules]":
    return bird.admin.health(_MODULES)


async def page(call: "Call") -> "dict[str, Any] | str":
    """The first page; before there is anything, the first steps."""
    if not call.pulse.projects and not call.pulse.waiting:
        return "/ui/welcome"
    connected = await call.kept(
        ("connected",), lambda bird: bool(bird.admin.sessions(limit=1).sessions)
    )
    found = await call.soon(("health",), _scored)
    # Checking the file takes seconds at 100,000 entries: what it found comes with a later page.
    problem = await call.lately(("doctor",), _problem)
    if found is None:
        return {"score": None, "problem": problem, "connected": connected}
    score, modules = found
    level = score.level
    offered = bool(level["back"]) and f"level {level['level']}" not in call.visit.settled
    return {
        "score": score,
        "problem": problem,
        "connected": connected,
        "modules": modules,
        "moved": _MOVED_BY,
        "offered": offered and not level["pinned"],
    }


async def welcome(call: "Call") -> "dict[str, Any]":
    """Three lines, each with its own truth."""

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        recorded = bird.admin.sessions(limit=1).sessions
        return {
            "connected": bool(recorded),
            "indexed": bird.status(all_projects=True).total_passages > 0,
        }

    return {**await call.work(read), "taught": bool(call.pulse.projects)}
