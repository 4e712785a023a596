"""What is said to a line that is no message of the protocol: who asks is answered, never left to wait.

The SDK drops what it cannot read. A client would wait for an answer until its own patience ends.
"""

import json
from math import isfinite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Message = dict[str, Any]

# The codes of JSON-RPC.
NO_JSON, NO_REQUEST, WRONG_PARAMS = -32700, -32600, -32602


def refusal(line: bytes, readable: "Callable[[bytes], object]") -> "Message | None":
    """The error that answers a line; None for what the SDK reads, and for what asks nothing.

    `readable` raises ValueError for a line that the SDK would drop.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _error(NO_JSON, "this line is no JSON") if line.strip() else None
    if isinstance(message, list):
        return _error(NO_REQUEST, "there are no batches: send each message by itself")
    if not isinstance(message, dict):
        return _error(NO_REQUEST, "a message is an object")
    return _refused(message, line, readable)


def _refused(
    message: "Message", line: bytes, readable: "Callable[[bytes], object]"
) -> "Message | None":
    asked, id = "id" in message, message.get("id")
    if not ("method" in message or "result" in message or "error" in message):
        return _error(NO_REQUEST, "a message has a method", id)
    if not asked or "method" not in message:
        return None  # a notification, or an answer
    if type(id) not in (int, str):
        return _error(NO_REQUEST, "an id is a whole number or a text", id)
    if message.get("jsonrpc") != "2.0":
        return _error(NO_REQUEST, 'a request says "jsonrpc": "2.0"', id)
    if not isinstance(message["method"], str):
        return _error(NO_REQUEST, "a method is a text", id)
    if not isinstance(message.get("params"), dict | None):
        return _error(WRONG_PARAMS, "params are an object", id)
    try:
        readable(line)
    except ValueError:
        told = "half a character (a lone surrogate), or nested too deeply"
        return _error(WRONG_PARAMS, told, id)
    return None


def _error(code: int, told: str, id: object = None) -> "Message":
    """The answer; it names the id where that could be one."""
    shown = type(id) in (int, str) or (isinstance(id, float) and isfinite(id))
    return {
        "jsonrpc": "2.0",
        "id": id if shown else None,
        "error": {"code": code, "message": told},
    }
