"""``bower hook``: what an agent calls at each step of its work.

`bower install` writes these calls into an agent's settings; nobody types them. The event's payload is
JSON on standard input. The event is recorded, with secrets removed, in a journal beside the store;
the answer contains memories that fit, or nothing. On any failure the answer is empty, the exit code
is 0, and `bower doctor` reports it. Agents, events and what is stored of them: docs/HOOKS.md.
"""

from bowerbird.agents.index import HOOKED
from bowerbird.surfaces.cli.ancestors import known_above
from bowerbird.surfaces.fields import Field, Verb
from bowerbird.surfaces.hooks.command import main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower hook claude-code SessionStart < payload.json", "context for the start of a session"),
    ("bower hook gemini BeforeAgent < payload.json", "context for a prompt"),
)

VERB = Verb(
    "hook",
    "Answer an event of an agent's hooks; agents call it",
    (
        Field("agent", "text", ", ".join(HOOKED), needed=True, option=("AGENT",)),
        Field("event", "text", "the agent's name for it", needed=True, option=("EVENT",)),
    ),
    group="Connect",
    order=4,
    prose=True,
)


def command(call: "Call") -> "NoReturn":
    """Answer the event; a failure is recorded, not reported."""
    options = call.options
    flags = {
        name: value
        for name, value in (("store", options.store), ("project", options.project))
        if value is not None
    }
    main(options.agent, options.event, flags, known_above)
