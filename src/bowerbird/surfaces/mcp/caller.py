"""The caller of a tool, and its project."""

from bowerbird.core.value import Record
from bowerbird.core.who import agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.who import Who


class Caller(Record):
    """One caller: `who` it is, and its project by name or uid (None: that of the folder)."""

    project: str | None
    who: "Who"


def named(caller: Caller, client: str) -> Caller:
    """The caller, with its client's name as the agent if the transport determined none."""
    if caller.who.actor:
        return caller
    return caller.replace(who=caller.who.replace(actor=agent(client)))
