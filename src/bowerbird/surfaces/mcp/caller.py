"""Who calls over MCP, and where they work."""

from bowerbird.core.value import Value
from bowerbird.core.who import agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.who import Who


class Caller(Value):
    """One caller: `who` it is, and the project to work in, by name or uid (None: the folder's)."""

    __slots__ = ("project", "who")

    def __init__(self, project: str | None, who: "Who") -> None:
        self.project = project
        self.who = who


def named(caller: Caller, client: str) -> Caller:
    """The caller, as an agent under the name of its client where the door gave it none."""
    if caller.who.actor:
        return caller
    return caller.replace(who=caller.who.replace(actor=agent(client)))
