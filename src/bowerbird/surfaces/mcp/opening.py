"""What every client asks, answered without the SDK, as long as it asks nothing else.

Loading the SDK takes a second of CPU and 60 MB, and a client waits for the server and its tools before
it lets its user begin. What it asks first always has the same answer, told from plain data; a call is
answered by `calls`, which knows no protocol. All of it is said in the SDK's own words (tests hold every
reply against the SDK's, in every version of the protocol). At the first message that is not exactly one
of these the SDK is loaded, hears the same opening, and has the word from there on.
"""

import json

from bowerbird.core.kinds import KINDS
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.tool import OFFERS
from bowerbird.surfaces.mcp.wire import parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from bowerbird.surfaces.mcp.calls import Done
    from bowerbird.surfaces.mcp.tool import Offer
    from bowerbird.surfaces.mcp.wire import Wire

    Message = dict[str, Any]
    # What comes of a tool, for the name of a client and arguments.
    Work = Callable[[Offer, str, Message], Done]

# Versions of the protocol that begin with `initialize`, and the one that does not.
WITH_HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
_META = "io.modelcontextprotocol/"
# A client that says nothing for so long thinks, or lets its user write: clients send the messages of an
# opening within milliseconds.
IDLE_S = 0.1
# What the SDK has to have heard to be where its client is; a call is never carried out again.
_HEARD_AGAIN = ("initialize", "notifications/initialized", "server/discover", "tools/list")
FIXED = {"ttlMs": 3_600_000, "cacheScope": "public"}
_CAPABILITIES = {
    "resources": {"subscribe": False, "listChanged": False},
    "tools": {"listChanged": False},
}
_DISCOVERED: "Message" = {
    "supportedVersions": [STATELESS],
    "capabilities": _CAPABILITIES,
    "instructions": catalogue.INSTRUCTIONS,
}
_OF_A_CALL = {"name", "arguments", "_meta"}


def opening(wire: "Wire", told: "Told", idle: "Callable[[], None]") -> bool:
    """Answer what has no need of the SDK, and leave the rest as if none of it had been said.

    `idle` is called once, when the client says nothing for a while. False where the client is gone.
    """
    seen: list[bytes] = []
    answered: list[Any] = []
    patience: float | None = IDLE_S
    while (line := wire.within(patience)) != b"":
        if line is None:
            idle()
            patience = None
            continue
        message = parsed(line)
        reply = told.reply(message)
        if reply is None and not told.expected(message):
            seen.append(line)
            break
        again = message["method"] in _HEARD_AGAIN
        if again:
            seen.append(line)
        if reply is not None:
            wire.send({"jsonrpc": "2.0", "id": message["id"], "result": reply})
            answered += [message["id"]] * again
    wire.put_back(seen, answered)
    return line != b""


class Told:
    """What there is to tell, and how far the conversation has come."""

    def __init__(self, call: "Work", kinds: "Iterable[str]" = KINDS, *, may_write: bool) -> None:
        tools = catalogue.tools_for(may_write=may_write, kinds=kinds)
        self._call = call
        self._lists: dict[object, Message] = {
            "tools/list": {"tools": tools},
            "resources/list": {"resources": catalogue.RESOURCES},
            "resources/templates/list": {"resourceTemplates": catalogue.TEMPLATES},
        }
        self._client = ""
        self._version = ""
        self._initialized = False

    def expected(self, message: "Message") -> bool:
        """A message that wants no reply, and none of the SDK's care."""
        if message == {"jsonrpc": "2.0", "method": "notifications/initialized"}:
            self._initialized = self._version in WITH_HANDSHAKE
            return self._initialized
        # What was asked before it is answered.
        return self._initialized and message.get("method") == "notifications/cancelled"

    def reply(self, message: "Message") -> "Message | None":
        """The result of a request; None for what is the SDK's to answer."""
        if message.get("jsonrpc") != "2.0" or type(message.get("id")) not in (int, str):
            return None
        method, params = message.get("method"), message.get("params", {})
        if not isinstance(params, dict) or set(message) - {"jsonrpc", "id", "method", "params"}:
            return None
        if not _whole(message):
            return None
        if method == "initialize" and not self._version:
            return self._initialize(params)
        if self._initialized:
            return self._in_conversation(method, params)
        if self._version in ("", STATELESS) and _stateless(params.get("_meta")):
            return self._by_itself(method, params)
        return None

    def _in_conversation(self, method: object, params: "Message") -> "Message | None":
        if method == "ping" and not params:
            return {}
        if method == "tools/call" and _remarks(params.get("_meta", {})):
            return self._called(params, self._client)
        return None if params else self._lists.get(method)

    def _initialize(self, params: "Message") -> "Message | None":
        client, version = params.get("clientInfo"), params.get("protocolVersion")
        if (
            version not in WITH_HANDSHAKE
            or set(params) != {"protocolVersion", "capabilities", "clientInfo"}
            or not isinstance(params["capabilities"], dict)
            or not _named(client)
        ):
            return None
        self._version, self._client = str(version), params["clientInfo"]["name"]
        return {
            "protocolVersion": version,
            "capabilities": _CAPABILITIES,
            "serverInfo": catalogue.implementation(),
            "instructions": catalogue.INSTRUCTIONS,
        }

    def _by_itself(self, method: object, params: "Message") -> "Message | None":
        result: Message | None = None
        if method == "tools/call":
            client = params["_meta"].get(_META + "clientInfo", {"name": ""})
            result = self._called(params, client["name"])
        elif set(params) == {"_meta"}:
            told = _DISCOVERED if method == "server/discover" else self._lists.get(method)
            result = told and FIXED | told
        if result is None:
            return None
        self._version = STATELESS
        about = {_META + "serverInfo": catalogue.implementation()}
        return {"resultType": "complete", **result, "_meta": about}

    def _called(self, params: "Message", client: str) -> "Message | None":
        name, given = params.get("name"), params.get("arguments", {})
        offer = OFFERS.get(name) if isinstance(name, str) else None
        if offer is None or not isinstance(given, dict) or set(params) - _OF_A_CALL:
            return None
        done = self._call(offer, client, given)
        result = {"content": [{"type": "text", "text": done.text}], "isError": done.failed}
        return result if done.data is None else result | {"structuredContent": done.data}


def _whole(message: "Message") -> bool:
    """Whether its texts are texts: half a character, which JSON can write, is the SDK's to refuse."""
    try:
        return bool(json.dumps(message, ensure_ascii=False).encode())
    except (UnicodeEncodeError, RecursionError):
        return False


def _remarks(meta: object) -> bool:
    """Whether what a client says beside a call, within a conversation, asks nothing of the SDK."""
    return (
        isinstance(meta, dict)
        and type(meta.get("progressToken", "")) in (int, str)
        and not any(key.startswith(_META) for key in meta)
    )


def _stateless(meta: object) -> bool:
    """Whether a request says for itself all that a stateless one has to."""
    if not isinstance(meta, dict):
        return False
    said = {key.removeprefix(_META): value for key, value in meta.items() if key.startswith(_META)}
    return (
        len(said) == len(meta)
        and said.pop("protocolVersion", "") == STATELESS
        and isinstance(said.pop("clientCapabilities", None), dict)
        and (not said or (set(said) == {"clientInfo"} and _named(said["clientInfo"])))
    )


def _named(client: object) -> bool:
    """Whether a client says who it is as it has to."""
    return isinstance(client, dict) and all(
        isinstance(client.get(key), str) for key in ("name", "version")
    )
