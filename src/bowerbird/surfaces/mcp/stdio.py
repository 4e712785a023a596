"""MCP over standard input and output: one client, until it closes the input."""

import os
import signal

from bowerbird.core.who import AGENT, Who
from bowerbird.daemon.hook_server import answering_hooks
from bowerbird.daemon.rounds import rounds
from bowerbird.surfaces.cli.caller import client, session
from bowerbird.surfaces.mcp.caller import Caller
from bowerbird.surfaces.mcp.calls import Calls
from bowerbird.surfaces.mcp.protocol import Conversation, Refusal, asks, read
from bowerbird.surfaces.mcp.wire import claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.daemon.birds import Birds

_SESSION_BYTES = 8
# A client that sends nothing for this long is thinking, or its user is typing: clients send the messages
# of a handshake within milliseconds.
IDLE_S = 0.1


def serve(
    birds: "Birds", *, project: str | None, all_projects: bool, may_write: bool, may_share: bool
) -> None:
    """Serves until the client closes the input.

    Standard output is reserved for the protocol from here on.
    """
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
    # Ctrl-C ends it like a kill: nothing that was acknowledged is lost.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    wire, calls = claim(), Calls(birds)
    talk = Conversation(calls, Caller(project, who))
    patience: float | None = IDLE_S
    with answering_hooks(birds), rounds(birds):
        while (line := wire.line(patience)) != b"":
            if line is None:
                calls.warm(project)
                patience = None
            elif line.strip() and (reply := answered(talk, line)) is not None:
                wire.send(reply)


def answered(talk: Conversation, line: bytes) -> "dict[str, Any] | None":
    """The reply to a line; None if it wants none."""
    try:
        message = read(line)
    except Refusal as error:
        return error.reply()
    return talk.reply(message) if asks(message) else None
