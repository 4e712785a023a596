"""The first words of a conversation, before the SDK is there.

Loading the SDK takes most of a second, and a client waits for the server and its tools before it lets
its user begin. What it asks first always has the same answer, told from plain data. So that is
answered at once, in the SDK's own words (tests hold every reply against the SDK's, in every version of
the protocol); then the SDK is loaded, hears the same messages, and has the word from there on. A
message that is not exactly one of these is the SDK's from the start.
"""

from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.wire import parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.mcp.wire import Wire

    Message = dict[str, Any]

# Versions of the protocol that begin with `initialize`, and the one that does not.
WITH_HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
_META = "io.modelcontextprotocol/"
# The longest that anybody waits for us to load the SDK while nothing is asked: clients send their
# next message within milliseconds.
PATIENCE_S = 0.1
FIXED = {"ttlMs": 3_600_000, "cacheScope": "public"}


def opening(wire: "Wire", *, may_write: bool) -> bool:
    """Answer what is asked first, and leave the rest of the conversation as if nothing had been said.

    False where the client is gone already.
    """
    told = Told(may_write=may_write)
    seen: list[bytes] = []
    answered: list[Any] = []
    while line := wire.within(PATIENCE_S):
        seen.append(line)
        message = parsed(line)
        reply = told.reply(message)
        if reply is not None:
            wire.send({"jsonrpc": "2.0", "id": message["id"], "result": reply})
            answered.append(message["id"])
        elif not told.expected(message):
            break
    wire.put_back(seen, answered)
    return line != b"" or len(answered) < len(seen)


class Told:
    """What there is to tell, and how far the conversation has come."""

    def __init__(self, *, may_write: bool) -> None:
        self._tools = [tool.told() for tool in catalogue.tools_for(may_write=may_write)]
        self._version = ""
        self._initialized = False

    def expected(self, message: "Message") -> bool:
        """The one message without a reply that belongs to an opening."""
        found = message == {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self._initialized = found and self._version in WITH_HANDSHAKE
        return self._initialized

    def reply(self, message: "Message") -> "Message | None":
        """The result of a request; None for what is the SDK's to answer."""
        if message.get("jsonrpc") != "2.0" or type(message.get("id")) not in (int, str):
            return None
        method, params = message.get("method"), message.get("params", {})
        if not isinstance(params, dict) or set(message) - {"jsonrpc", "id", "method", "params"}:
            return None
        if method == "initialize" and not self._version:
            return self._initialize(params)
        if method == "tools/list" and self._initialized and not params:
            return {"tools": self._tools}
        if self._version in ("", STATELESS) and set(params) == {"_meta"} and _stateless(params):
            return self._ask(method)
        return None

    def _initialize(self, params: "Message") -> "Message | None":
        client, version = params.get("clientInfo"), params.get("protocolVersion")
        if (
            version not in WITH_HANDSHAKE
            or set(params) != {"protocolVersion", "capabilities", "clientInfo"}
            or not isinstance(params["capabilities"], dict)
            or not _named(client)
        ):
            return None
        self._version = str(version)
        return {
            "protocolVersion": version,
            "capabilities": {
                "resources": {"subscribe": False, "listChanged": False},
                "tools": {"listChanged": False},
            },
            "serverInfo": catalogue.implementation(),
            "instructions": catalogue.INSTRUCTIONS,
        }

    def _ask(self, method: object) -> "Message | None":
        if method == "server/discover":
            result: Message = {
                "supportedVersions": [STATELESS],
                "capabilities": {
                    "resources": {"subscribe": False, "listChanged": False},
                    "tools": {"listChanged": False},
                },
                "instructions": catalogue.INSTRUCTIONS,
            }
        elif method == "tools/list":
            result = {"tools": self._tools}
        else:
            return None
        self._version = STATELESS
        about = {_META + "serverInfo": catalogue.implementation()}
        return {"resultType": "complete", **FIXED, **result, "_meta": about}


def _stateless(params: "Message") -> bool:
    """Whether a request says for itself all that a stateless one has to."""
    meta = params["_meta"]
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
