"""Standard input and output as the wire: lines in, lines out, a message each.

Standard output carries messages of the protocol and nothing else, from the first moment on: whatever
else is written there, by us, by a library or by a child, goes to standard error.
"""

import json
import os
import select
import sys
from threading import Condition
from time import monotonic

from bowerbird.surfaces.mcp.refusal import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CHUNK = 65_536
# Windows watches sockets alone: a line is waited for there, however long it takes.
PIPES_CAN_BE_WATCHED = os.name != "nt"
# When the client closes its end, what it has asked is still answered, for so long: as long as a write
# may wait for its turn.
LAST_WORDS_S = 30.0
# So often somebody looks whether there is still anybody to answer.
_LOOK_S = 0.1


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
    """Both directions. `readline`, `write` and `flush` are for the SDK, which calls them in threads.

    Lines that were taken `within` a time and put back are read again; replies to them that were sent
    already are left out, once. What the SDK could not read, which `readable` raises ValueError for, is
    answered here.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._in = os.fdopen(incoming, "rb", buffering=0)
        self._out = os.fdopen(outgoing, "wb")
        self._rest = b""
        self._back: list[bytes] = []
        self._sent: list[Any] = []
        # Requests that have been read and not answered.
        self._open: list[Any] = []
        self._changed = Condition()
        self.readable: Callable[[bytes], object] = parsed

    def within(self, seconds: float | None) -> bytes | None:
        """The next line, the last one also without its end; None where none has come in time.

        Without a time it is waited for.
        """
        until = None if seconds is None else monotonic() + seconds
        while b"\n" not in self._rest:
            if not self._ready(until):
                return None
            chunk = self._in.read(_CHUNK)
            if not chunk:
                rest, self._rest = self._rest, b""
                return rest
            self._rest += chunk
        line, mark, self._rest = self._rest.partition(b"\n")
        return line + mark

    def _ready(self, until: float | None) -> bool:
        if until is None or not PIPES_CAN_BE_WATCHED:
            return True
        ready, _, _ = select.select([self._in], [], [], max(0.0, until - monotonic()))
        return bool(ready)

    def send(self, message: "dict[str, Any]") -> None:
        """Write a message."""
        with self._changed:
            self._out.write(json.dumps(message).encode() + b"\n")
            self._out.flush()

    def put_back(self, lines: list[bytes], answered: "list[Any]") -> None:
        """Let lines come again, before any other; the requests of these ids have their reply."""
        self._back = lines
        self._sent = answered

    def readline(self) -> str:
        """The next message, however long it takes; empty at the end, when all is answered."""
        while line := self._back.pop(0) if self._back else self._next():
            # What is no UTF-8 is read as far as it goes.
            text = line.decode("utf-8", "replace")
            wrong = refusal(text.encode(), self.readable)
            if wrong is None:
                self._read(parsed(text))
                return text
            self.send(wrong)
        self._wait_for_answers()
        return ""

    def write(self, line: str) -> int:
        """Write a line, unless it is a reply too many."""
        message = parsed(line)
        answer = message.get("id") if "method" not in message else None
        if answer is not None and answer in self._sent:
            self._sent.remove(answer)
        else:
            with self._changed:
                self._out.write(line.encode())
                self._out.flush()
        self._settled(answer)
        return len(line)

    def flush(self) -> None:
        """Nothing: what was written is sent, or its request would not be answered."""

    def _next(self) -> bytes:
        parts = []
        while b"\n" not in self._rest:
            parts.append(self._rest)
            self._rest = self._in.read(_CHUNK) or b""
            if not self._rest:
                return b"".join(parts)
        line, mark, self._rest = self._rest.partition(b"\n")
        return b"".join([*parts, line, mark])

    def _read(self, message: "dict[str, Any]") -> None:
        """Note what waits for an answer, and what does no longer."""
        if "id" in message and "method" in message and message.get("jsonrpc") == "2.0":
            with self._changed:
                self._open.append(message["id"])
        elif message.get("method") == "notifications/cancelled":
            params = message.get("params")
            self._settled(params.get("requestId") if isinstance(params, dict) else None)

    def _settled(self, id: object) -> None:
        with self._changed:
            if id in self._open:
                self._open.remove(id)
                self._changed.notify_all()

    def _wait_for_answers(self) -> None:
        """The SDK drops what is unanswered at the end; so the end comes when nothing is."""
        until = monotonic() + LAST_WORDS_S
        with self._changed:
            while self._open and monotonic() < until and not self._deaf():
                self._changed.wait(_LOOK_S)

    def _deaf(self) -> bool:
        """Whether the client's other end is closed too."""
        if not hasattr(select, "poll"):
            return False
        look = select.poll()
        look.register(self._out, 0)
        return bool(look.poll(0))


def parsed(line: str | bytes) -> "dict[str, Any]":
    """The message of a line; empty for what is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
