"""MCP over standard input and output: one client, until it closes its end."""

import gc
import os
import signal

from bowerbird.core.who import AGENT, Who
from bowerbird.surfaces.cli.speaker import client, session
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.mcp.caller import Caller, named
from bowerbird.surfaces.mcp.opening import Told, opening
from bowerbird.surfaces.mcp.wire import claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.mcp.calls import Calls, Done
    from bowerbird.surfaces.mcp.tool import Offer
    from bowerbird.surfaces.pool import Pool

_SESSION_BYTES = 8


def serve(
    birds: "Pool", *, project: str | None, all_projects: bool, may_write: bool, may_share: bool
) -> None:
    """Serve until the client closes its end. Standard output is the protocol's from here on."""
    reader = session() or client()
    who = Who(
        origin=AGENT,
        session=os.urandom(_SESSION_BYTES).hex(),
        reader=reader or AGENT,
        roaming=not reader,
        may_write=may_write,
        may_share=may_share,
        wide=all_projects,
    )
    # Ctrl-C ends it as a kill does: a thread that waits for a line would wait on, and nothing that
    # was acknowledged is lost.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    wire = claim()
    caller = Caller(project, who)
    work = _Work(birds, caller)
    if opening(wire, Told(work.call, birds.kinds, may_write=may_write), work.warm):
        # What is loaded here stays to the end. Looking through it for garbage takes a third of the
        # CPU of loading it, and the same again at the end (measured: 870 ms, 485 without).
        gc.disable()
        conversation = load("mcp.session")
        gc.freeze()
        gc.enable()
        conversation.run(birds, caller, wire)


class _Work:
    """Calls of one caller, loaded when they are needed: after the first words."""

    def __init__(self, birds: "Pool", caller: Caller) -> None:
        self._birds = birds
        self._caller = caller
        self._calls: Calls | None = None

    def call(self, offer: "Offer", client: str, given: "dict[str, Any]") -> "Done":
        """Do what a tool is for, in the name that the client gives itself."""
        return self._loaded().call(offer, named(self._caller, client), given)

    def warm(self) -> None:
        """Load what a question needs."""
        self._loaded().warm(self._caller.project)

    def _loaded(self) -> "Calls":
        if self._calls is None:
            self._calls = load("mcp.calls").Calls(self._birds)
        return self._calls
