"""Standard input and output as the wire: lines in, lines out, a message each.

Standard output carries messages of the protocol and nothing else, from the first moment on: whatever
else is written there, by us, by a library or by a child, goes to standard error.
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
# Windows watches sockets alone: a line is waited for there, however long it takes.
PIPES_CAN_BE_WATCHED = os.name != "nt"


def claim() -> "Wire":
    """The wire. From now on descriptor 0 is empty, and 1 is standard error."""
    sys.stdout.flush()
    wire = Wire(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # nobody listens to standard error either
        os.dup2(nothing, 1)
    os.close(nothing)
    return wire


class Wire:
    """Both directions."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._in = os.fdopen(incoming, "rb", buffering=0)
        self._out = os.fdopen(outgoing, "wb")
        self._rest = b""

    def line(self, seconds: float | None = None) -> bytes | None:
        """The next line, the last one also without its end; None where none has come in time.

        Without a time it is waited for. Empty at the end.
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
        """Write a message. Raises BrokenPipeError where nobody reads any more."""
        self._out.write(json.dumps(message).encode() + b"\n")
        self._out.flush()
