"""The Model Context Protocol on the server's side, independent of the transport.

Both eras are supported: the one that begins with `initialize`, and the stateless one, in which each
request contains what it needs in `params._meta`. A server of tools and resources without notifications
needs a dozen replies, so they are implemented here: the SDK takes a second of CPU and 60 MB to load, and
users wait for it before they can begin. Tests compare every reply with that of the SDK, in every version
of the protocol.
"""

import json
import sys
from math import isfinite

from bowerbird.core.errors import BowerbirdError, NotFound, UsageError
from bowerbird.core.recalled import plain
from bowerbird.daemon.birds import READ
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.caller import named
from bowerbird.surfaces.mcp.tool import OFFERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.daemon.birds import Queue
    from bowerbird.surfaces.mcp.caller import Caller
    from bowerbird.surfaces.mcp.calls import Calls

    Message = dict[str, Any]

# Versions of the protocol with `initialize`, and the stateless one.
WITH_HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
# Error codes of JSON-RPC, and of the stateless era: contradicting headers, unsupported version.
NO_JSON = -32700
NO_REQUEST = -32600
NO_METHOD = -32601
WRONG_PARAMS = -32602
FAULT = -32603
OTHER_HEADERS = -32020
NO_VERSION = -32022
_META = "io.modelcontextprotocol/"
_VERSION = _META + "protocolVersion"
_CAPABLE = _META + "clientCapabilities"
_ABOUT: "Message" = {
    "capabilities": {
        "prompts": {"listChanged": False},
        "resources": {"subscribe": False, "listChanged": False},
        "tools": {"listChanged": False},
    },
    "instructions": catalogue.INSTRUCTIONS,
}
_DISCOVERED: "Message" = {"supportedVersions": [STATELESS], **_ABOUT}
# What describes the server is constant while it runs, and public; what was read from the store is not.
_FIXED: "Message" = {"ttlMs": 3_600_000, "cacheScope": "public"}
_ONCE: "Message" = {"ttlMs": 0, "cacheScope": "private"}


class Refusal(Exception):
    """The error reply to a message, with a code of the protocol."""

    def __init__(self, code: int, message: str, data: object = None, id: object = None) -> None:
        super().__init__(message)
        self.code = code
        self._data = data
        self.id = id

    def reply(self) -> "Message":
        """The reply, with the request's id if it is valid."""
        id = self.id
        known = type(id) in (int, str) or (isinstance(id, float) and isfinite(id))
        error = {"code": self.code, "message": str(self)}
        error |= {} if self._data is None else {"data": self._data}
        return {"jsonrpc": "2.0", "id": id if known else None, "error": error}


def read(line: bytes) -> "Message":
    """The message of a line; without an id or a method it wants no reply. Raises Refusal."""
    try:
        # Invalid UTF-8 is replaced.
        message = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise Refusal(NO_JSON, "this is no JSON") from None
    if isinstance(message, list):
        raise Refusal(NO_REQUEST, "batches are not supported: send each message separately")
    if not isinstance(message, dict):
        raise Refusal(NO_REQUEST, "a message is an object")
    if not message.keys() & {"method", "result", "error"}:
        raise Refusal(NO_REQUEST, "a message has a method", id=message.get("id"))
    if asks(message):
        _require_request(message, message["id"])
    return message


def _require_request(message: "Message", id: object) -> None:
    """Raises Refusal if it is not a JSON-RPC request."""
    if type(id) not in (int, str):
        raise Refusal(NO_REQUEST, "an id is a whole number or a text", id=id)
    if message.get("jsonrpc") != "2.0":
        raise Refusal(NO_REQUEST, 'a request says "jsonrpc": "2.0"', id=id)
    if not isinstance(message["method"], str):
        raise Refusal(NO_REQUEST, "a method is a text", id=id)
    if not isinstance(message.get("params"), dict | None):
        raise Refusal(WRONG_PARAMS, "params are an object", id=id)
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        problem = "the request holds half a character (a lone surrogate): leave that character out"
        raise Refusal(WRONG_PARAMS, problem, id=id) from None
    except RecursionError:
        raise Refusal(WRONG_PARAMS, "it is nested too deeply: send fewer levels", id=id) from None


def asks(message: "Message") -> bool:
    """Whether a message wants a reply."""
    return "id" in message and "method" in message


def stated(params: "Message") -> "Message":
    """The metadata of a stateless request. Raises Refusal if it is incomplete."""
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        needed = f"the required {_VERSION!r} and {_CAPABLE!r} envelope keys"
        raise Refusal(WRONG_PARAMS, f"params._meta must be an object carrying {needed}")
    if missing := [key for key in (_VERSION, _CAPABLE) if key not in meta]:
        problem = f"params._meta is missing the required envelope key(s): {', '.join(missing)}"
        raise Refusal(WRONG_PARAMS, problem)
    return meta


def version_of(params: "Message") -> object:
    """The protocol version of a stateless request. Raises Refusal."""
    return stated(params)[_VERSION]


class Conversation:
    """One client's requests with their replies; on a stateless transport, each request has its own."""

    def __init__(self, calls: "Calls", caller: "Caller", version: str = "") -> None:
        self._calls = calls
        self._caller = caller
        # The negotiated version; empty until the client has sent it.
        self._version = version

    def queue(self, message: "Message") -> "Queue | None":
        """The queue that a request waits in; None if it needs no store."""
        if message["method"] in ("resources/read", "prompts/get"):
            return READ
        name = (message.get("params") or {}).get("name")
        known = message["method"] == "tools/call" and isinstance(name, str) and name in OFFERS
        return OFFERS[name].queue if known else None

    def reply(self, message: "Message") -> "Message":
        """The reply to a request."""
        id, method, params = message["id"], message["method"], message.get("params") or {}
        try:
            return {"jsonrpc": "2.0", "id": id, "result": self._result(method, params)}
        except Refusal as error:
            error.id = id
            return error.reply()
        except Exception as error:  # noqa: BLE001 one request fails, the server lives on
            sys.stderr.write(f"{method}: {type(error).__name__}: {plain(str(error))}\n")
            return Refusal(FAULT, "internal error", id=id).reply()

    def _result(self, method: str, params: "Message") -> "Message":
        meta = params.get("_meta")
        says_itself = isinstance(meta, dict) and _VERSION in meta
        if self._version == STATELESS or (says_itself and not self._version):
            return self._by_itself(method, params)
        if says_itself:
            problem = f"requests carrying the {STATELESS} envelope are not accepted on it"
            raise Refusal(
                NO_REQUEST, f"this connection serves the handshake protocol era; {problem}"
            )
        work = {"initialize": self._initialize, "ping": lambda *_: {}, **self._methods}.get(method)
        if work is None:
            raise Refusal(NO_METHOD, "Method not found", method)
        if not self._version and method not in {"initialize", "ping"}:
            raise _invalid()
        _require(params)
        return work(params, self._caller)

    def _by_itself(self, method: str, params: "Message") -> "Message":
        """The reply to a stateless request."""
        if self._version and method == "initialize":
            problem = f"connection is serving the {STATELESS} protocol; the initialize handshake"
            raise _unsupported(f"{problem} is not accepted", params.get("protocolVersion"))
        meta = stated(params)
        version, client = meta[_VERSION], meta.get(_META + "clientInfo")
        if not isinstance(version, str):
            raise Refusal(WRONG_PARAMS, "the protocol-version envelope value must be a string")
        if version != STATELESS:
            raise _unsupported("Unsupported protocol version", version)
        work = {"server/discover": lambda *_: _DISCOVERED, **self._methods}.get(method)
        if work is None:
            raise Refusal(NO_METHOD, "Method not found", method)
        if not isinstance(meta[_CAPABLE], dict) or not (client is None or _named(client)):
            raise _invalid()
        _require(params)
        self._version = STATELESS
        result = work(params, named(self._caller, client["name"] if client else ""))
        fresh = {"tools/call": {}, "prompts/get": {}, "resources/read": _ONCE}.get(method, _FIXED)
        about = {_META + "serverInfo": catalogue.implementation()}
        return {"resultType": "complete", **fresh, **result, "_meta": about}

    @property
    def _methods(self) -> "dict[str, Callable[[Message, Caller], Message]]":
        """The methods of both eras."""
        return {
            "tools/list": self._tools,
            "tools/call": self._call,
            "resources/list": lambda *_: {"resources": catalogue.RESOURCES},
            "resources/templates/list": lambda *_: {"resourceTemplates": catalogue.TEMPLATES},
            "resources/read": self._read,
            "prompts/list": lambda *_: {"prompts": catalogue.PROMPTS},
            "prompts/get": self._prompt,
        }

    def _initialize(self, params: "Message", caller: "Caller") -> "Message":
        client, version = params.get("clientInfo"), params.get("protocolVersion")
        capable = isinstance(params.get("capabilities"), dict)
        if not isinstance(version, str) or not capable or not _named(client):
            raise _invalid()
        self._version = version if version in WITH_HANDSHAKE else WITH_HANDSHAKE[-1]
        self._caller = named(caller, params["clientInfo"]["name"])
        about = catalogue.implementation()
        return {"protocolVersion": self._version, **_ABOUT, "serverInfo": about}

    def _tools(self, _: "Message", caller: "Caller") -> "Message":
        may_write, kinds = caller.who.may_write, self._calls.kinds
        return {"tools": catalogue.tools_for(may_write=may_write, kinds=kinds)}

    def _call(self, params: "Message", caller: "Caller") -> "Message":
        name, given = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(given, dict | None):
            raise _invalid()
        if name not in OFFERS:
            known = ", ".join(OFFERS)
            raise Refusal(WRONG_PARAMS, f"Unknown tool: {name}; known: {known}")
        done = self._calls.call(OFFERS[name], caller, given or {})
        result = {"content": [{"type": "text", "text": done.text}], "isError": done.failed}
        return result if done.data is None else result | {"structuredContent": done.data}

    def _read(self, params: "Message", caller: "Caller") -> "Message":
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise _invalid()
        try:
            text = self._calls.read(uri, caller).text
        except BowerbirdError as error:
            code = WRONG_PARAMS if isinstance(error, NotFound | UsageError) else FAULT
            message = self._calls.error_text(error, caller)
            raise Refusal(code, message, {"uri": uri}) from error
        return {"contents": [{"uri": uri, "text": text, "mimeType": catalogue.MARKDOWN}]}

    def _prompt(self, params: "Message", caller: "Caller") -> "Message":
        name, given = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(given, dict | None):
            raise _invalid()
        (known,) = catalogue.PROMPTS
        if name != known["name"]:
            raise Refusal(WRONG_PARAMS, f"Unknown prompt: {name}; known: {known['name']}")
        try:
            text = self._calls.prompt(caller)
        except BowerbirdError as error:
            raise Refusal(FAULT, self._calls.error_text(error, caller)) from error
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return {"description": known["description"], "messages": [message]}


def _require(params: "Message") -> None:
    """Raises Refusal for invalid values of the fields that any request may have."""
    meta = params.get("_meta")
    token = meta.get("progressToken", "") if isinstance(meta, dict) else ""
    whole = isinstance(meta, dict | None) and type(token) in (int, str)
    if not whole or not isinstance(params.get("cursor"), str | None):
        raise _invalid()


def _named(client: object) -> bool:
    """Whether a client identifies itself as required."""
    return isinstance(client, dict) and all(
        isinstance(client.get(key), str) for key in ("name", "version")
    )


def _invalid() -> Refusal:
    return Refusal(WRONG_PARAMS, "Invalid request parameters", "")


def _unsupported(message: str, requested: object) -> Refusal:
    return Refusal(NO_VERSION, message, {"supported": [STATELESS], "requested": requested})
