"""MCP over standard input and output: one client, until it closes its end."""

import gc
import os
import signal

from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.mcp.caller import Caller
from bowerbird.surfaces.mcp.opening import opening
from bowerbird.surfaces.mcp.wire import claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.birds import Birds

_SESSION_BYTES = 8


def serve(birds: "Birds", *, project: str | None, all_projects: bool, may_write: bool) -> None:
    """Serve until the client closes its end. Standard output is the protocol's from here on."""
    session = os.urandom(_SESSION_BYTES).hex()
    caller = Caller(
        project,
        all_projects,
        may_write,
        may_share=True,
        session=session,
        local=True,
        reader=session,
    )
    # Ctrl-C ends it as a kill does: a thread that waits for a line would wait on, and nothing that
    # was acknowledged is lost.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    wire = claim()
    if opening(wire, may_write=may_write):
        # What is loaded here stays to the end. Looking through it for garbage takes a third of the
        # CPU of loading it, and the same again at the end (measured: 870 ms, 485 without).
        gc.disable()
        conversation = load("mcp.session")
        gc.freeze()
        gc.enable()
        conversation.run(birds, caller, wire)
