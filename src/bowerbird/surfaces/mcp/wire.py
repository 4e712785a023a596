"""Standard input and output as the transport: one message per line.

Standard output carries only messages of the protocol: whatever else is written to it, by us, by a library
or by a child process, goes to standard error.
"""

import json
import os
import select
import sys
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
