"""Experiment: sessions with and without memory, figure by figure."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.surfaces.web.desk import Call


def _compared(bird: "Bowerbird") -> "Any":
    return bird.admin.sessions(compare=True).comparison


async def page(call: "Call") -> "dict[str, Any]":
    """The arms and their figures."""
    found = await call.soon(("experiment",), _compared)
    on = await call.work(lambda bird: bird.admin.setting("agent.experiment") == "on")
    return {"found": found, "on": on}
