"""MCP over standard input and output, one message per line: one client, until it closes the input."""

import json
import os
import select
import signal
import sys
from time import monotonic

from bowerbird.core.who import AGENT, Who
from bowerbird.daemon.hook_server import answering_hooks
from bowerbird.daemon.rounds import rounds
from bowerbird.surfaces.cli.caller import client, session
from bowerbird.surfaces.mcp.caller import Caller
from bowerbird.surfaces.mcp.calls import Calls
from bowerbird.surfaces.mcp.protocol import Conversation, Refusal, asks, read

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


# Standard output carries only messages of the protocol: whatever else is written to it, by us, by a
# library or by a child process, goes to standard error.
_CHUNK = 65_536
# Windows can wait for sockets only: there a line is read without a timeout.
PIPES_CAN_BE_WATCHED = os.name != "nt"


def claim() -> "Wire":
    """Opens the transport. From now on descriptor 0 is empty, and 1 is standard error."""
    sys.stdout.flush()
    wire = Wire(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed, too
        os.dup2(nothing, 1)
    os.close(nothing)
    return wire


class Wire:
    """Reads and writes messages."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._in = os.fdopen(incoming, "rb", buffering=0)
        self._out = os.fdopen(outgoing, "wb")
        self._rest = b""

    def line(self, seconds: float | None = None) -> bytes | None:
        """The next line, or a last one without its line break; None after `seconds` without one.

        Without `seconds` it waits. Empty at the end of the input.
        """
        until = None if seconds is None else monotonic() + seconds
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            if not self._ready(until):
                self._rest = b"".join(parts)
                return None
            chunk = self._in.read(_CHUNK)
            if not chunk:
                self._rest = b""
                return b"".join(parts)
            parts.append(chunk)
        line, mark, self._rest = b"".join(parts).partition(b"\n")
        return line + mark

    def _ready(self, until: float | None) -> bool:
        if until is None or not PIPES_CAN_BE_WATCHED:
            return True
        ready, _, _ = select.select([self._in], [], [], max(0.0, until - monotonic()))
        return bool(ready)

    def send(self, message: "dict[str, Any]") -> None:
        """Writes a message. Raises BrokenPipeError if the reader is gone."""
        self._out.write(json.dumps(message).encode() + b"\n")
        self._out.flush()
