"""Who calls over MCP, and where they work."""

from bowerbird.core.value import Record
from bowerbird.core.who import agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.who import Who


class Caller(Record):
    """One caller: `who` it is, and the project to work in, by name or uid (None: the folder's)."""

    project: str | None
    who: "Who"


def named(caller: Caller, client: str) -> Caller:
    """The caller, as an agent under the name of its client where the door gave it none."""
    if caller.who.actor:
        return caller
    return caller.replace(who=caller.who.replace(actor=agent(client)))
