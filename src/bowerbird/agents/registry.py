"""Loads the description of an agent when it is asked for: a hook reads one, not all."""

from bowerbird.agents.index import IDS
from bowerbird.core.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.agents.agent import Agent


def agent(id: str, among: tuple[str, ...] = IDS) -> "Agent":
    """The agent with that id, if it is among some. Raises UnknownName."""
    if id not in among:
        raise UnknownName.among("agent", id, [*among])
    name = id.replace("-", "_")
    module = __import__(f"bowerbird.agents.{name}", fromlist=("AGENT",))
    found: Agent = module.AGENT
    return found


def agents(ids: tuple[str, ...] = IDS) -> "tuple[Agent, ...]":
    """All agents, or those with these ids, in that order."""
    return tuple(agent(id) for id in ids)
