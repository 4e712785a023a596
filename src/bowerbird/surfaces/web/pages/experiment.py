"""Experiment: sessions with and without memory, figure by figure."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call


async def page(call: "Call") -> "dict[str, Any]":
    """The arms and their figures."""
    found = await call.kept(("experiment",), lambda bird: bird.admin.sessions(compare=True))
    on = await call.work(lambda bird: bool(bird.admin.setting("agent.experiment")))
    return {"found": found.comparison, "on": on}
