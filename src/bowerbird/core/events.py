"""Events that an agent reports while it works, in one format for every agent."""

from bowerbird.core.value import Record, fresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What happened, as recorded in the journal beside the agent's own name for the event.
STARTED = "started"
PROMPTED = "prompted"
CALLING = "calling"
CALLED = "called"
FAILED = "failed"
COMPACTING = "compacting"
STOPPED = "stopped"
SUB_STOPPED = "sub_stopped"
ENDED = "ended"
SAID = "said"
# What was injected into the agent's context. No agent reports it; the journal records it.
GAVE = "gave"
# That the agent was asked what the session taught; ours as well.
ASKED = "asked"
# That the work after a session's end was begun once more, or is done. Ours as well.
TAKEN = "taken"
# Set in the environment of what a hook or a question to a model starts: hooks of ours do nothing there.
INSIDE = "BOWER_HOOK"
# The reason of a session's start that only continues after a compaction.
COMPACTED = "compact"


class Event(Record):
    """One thing that happened in a session of an agent.

    Args:
        agent: who reports it, by its id in `agents/`.
        name: what the agent itself calls it.
        what: one of the constants above.
        session: the agent's id of the session; empty if it sends none.
        cwd: the folder that it works in.
        sub: the sub-agent, where one acts.
        transcript: the agent's transcript file of the session, if it sends the path.
        tool: the tool's name, given: what it was given, answer: what it returned; `use` pairs two events
            of one call.
        text: what was typed or said.
        error: the error text of a failed call.
        why: the reason a session began or ended, or what caused a compaction.
        again: the agent has gone on because a hook asked it to.
    """

    agent: str
    name: str
    what: str
    session: str = ""
    cwd: str = ""
    sub: str = ""
    transcript: str = ""
    tool: str = ""
    given: "dict[str, Any]" = fresh(dict)
    answer: "Any" = None
    use: str = ""
    text: str = ""
    error: str = ""
    why: str = ""
    again: bool = False
