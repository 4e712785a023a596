"""MCP over streamable HTTP, behind the same gate: the token identifies the caller of the tools.

It is stateless: each request gets one JSON response, and the server sends no notifications, so a restart
loses nothing. A client names its project in a header, since the protocol has no field for it.
"""

import base64
import binascii
import json
import os

from starlette.responses import Response

from bowerbird.core.types import GLOBAL
from bowerbird.core.who import AGENT, Who
from bowerbird.daemon.birds import READ, WHOLE_S
from bowerbird.surfaces.http.failure import Refused
from bowerbird.surfaces.http.routes import MCP
from bowerbird.surfaces.mcp.caller import Caller
from bowerbird.surfaces.mcp.calls import Calls
from bowerbird.surfaces.mcp.protocol import (
    FAULT,
    NO_METHOD,
    OTHER_HEADERS,
    WITH_HANDSHAKE,
    Conversation,
    Refusal,
    asks,
    read,
    version_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from starlette.types import Receive, Scope, Send

    from bowerbird.daemon.birds import Birds
    from bowerbird.daemon.tokens import Token
    from bowerbird.surfaces.http.routes import Room
    from bowerbird.surfaces.http.serving import Serving
    from bowerbird.surfaces.mcp.protocol import Message

PROJECT = b"bower-project"
ALL_PROJECTS = b"bower-all-projects"
SESSION = b"mcp-session-id"
# Headers that repeat fields of a stateless request; and the field that names a method's target.
_VERSION = b"mcp-protocol-version"
_METHOD = b"mcp-method"
_NAME = b"mcp-name"
_NAMES = {"tools/call": "name", "resources/read": "uri"}
_CODED = "=?base64?"
_CODED_END = "?="
_LONGEST = 500
_SESSION_BYTES = 16
_LONGEST_SESSION = 100


class Mounted:
    """Determines the caller, session and project of a request, and answers it.

    A client that sends `initialize` gets a session id, which it repeats. It may omit the id or start
    again at will, so what it was shown is recorded for its token, too.
    """

    route = MCP

    def __init__(self, room: "Room", serving: "Serving") -> None:
        self._calls = Calls(room.birds)
        self._room = room
        self._serving = serving

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Handles one request."""
        token: Token = scope["bowerbird.token"]
        headers = dict(scope["headers"])
        project, wide = self._project(headers, token)
        session = _session(headers)
        # Over MCP the caller is an agent, also with the user's own token.
        who = (
            token.who(session)
            if token.role
            else Who(
                "" if token.owner else token.actor,
                AGENT,
                session=session,
                reader=f"{token.name}\n{session}" if session else "",
                holder=token.name,
                may_write=not token.read_only,
                may_share=wide,
                projects=token.projects,
                wide=wide,
                local=False,
            )
        )
        if self._serving.read_only:
            who = who.replace(may_write=False)
        if token.projects:
            await self._room.run(lambda: self._check(project, who), READ)
        body = (await receive())["body"]
        answer = await self._answered(body, scope["headers"], Caller(project, who))
        await answer(scope, receive, send)

    async def _answered(
        self, body: bytes, sent: "list[tuple[bytes, bytes]]", caller: Caller
    ) -> Response:
        """The response to a body; 202 if the message wants no reply."""
        version = dict(sent).get(_VERSION, WITH_HANDSHAKE[-1].encode()).decode("latin-1")
        by_itself = version not in WITH_HANDSHAKE
        message: dict[str, Any] = {}
        try:
            message = read(body)
            if not asks(message):
                return Response(status_code=202)
            if by_itself:
                _require_same(sent, message)
        except Refusal as error:
            error.id = message.get("id", error.id)
            return _response(error.reply(), 400)
        version = "" if by_itself else version
        talk = Conversation(self._calls, caller, version)
        queue = talk.queue(message)
        reply = (
            talk.reply(message)
            if queue is None
            else await self._room.ask(replied, caller, version, message, queue=queue, limit=WHOLE_S)
        )
        status = _status(reply) if by_itself else 200
        begins = message["method"] == "initialize" and "result" in reply
        return _response(reply, status, os.urandom(_SESSION_BYTES).hex() if begins else "")

    def _check(self, project: str | None, who: Who) -> None:
        """Raises Denied for a project that is not accessible. Runs in a thread."""
        with self._room.birds.acquire(READ, project, who):
            pass

    def _project(self, headers: dict[bytes, bytes], token: "Token") -> tuple[str | None, bool]:
        """The requested project, and whether the request is for all. Raises Refused if there is none."""
        serving = self._serving
        named = headers.get(PROJECT, b"").decode("utf-8", "replace")
        everything = headers.get(ALL_PROJECTS) == b"true"
        if everything and token.role:
            raise Refused(403, "a member of the team names one project", "send Bower-Project")
        if everything or (
            serving.all_projects and not named and not token.projects and not token.role
        ):
            return GLOBAL.name, True
        if named and len(named) <= _LONGEST:
            return named, False
        if not named and len(token.projects) == 1:
            return token.projects[0], False
        if not named and serving.only_mcp and not token.projects:
            return serving.project, False
        raise Refused(
            422,
            "no project is named",
            "send Bower-Project: its name or uid, or Bower-All-Projects: true",
        )


def replied(birds: "Birds", caller: Caller, version: str, message: "Message") -> "Message":
    """The reply to a message that reads or writes the store."""
    return Conversation(Calls(birds), caller, version).reply(message)


def _session(headers: dict[bytes, bytes]) -> str:
    """The session id that a client sent; empty if it is not valid."""
    name = headers.get(SESSION, b"").decode("latin-1")
    return name if len(name) <= _LONGEST_SESSION and name.isprintable() else ""


def _response(reply: "dict[str, Any]", status: int, session: str = "") -> Response:
    headers = {SESSION.decode(): session} if session else None
    return Response(json.dumps(reply), status, headers, "application/json")


def _status(reply: "dict[str, Any]") -> int:
    """The HTTP status of a reply to a stateless request."""
    code = reply.get("error", {}).get("code", FAULT)
    return {NO_METHOD: 404, FAULT: 200}.get(code, 400)


def _require_same(sent: "list[tuple[bytes, bytes]]", message: "dict[str, Any]") -> None:
    """Raises Refusal if headers contradict the message: a proxy may have relied on them."""
    params = message.get("params") or {}
    version, method = version_of(params), message["method"]
    wanted = {_VERSION: (version, "request envelope's protocol version")}
    wanted[_METHOD] = (method, "request body's method")
    if (name := _NAMES.get(method)) is not None and params.get(name) is not None:
        wanted[_NAME] = (params[name], f"request body's {name!r} parameter")
    for header in (_VERSION, _METHOD, _NAME):
        values = [value.decode("latin-1") for key, value in sent if key == header]
        if len(values) > 1:
            raise Refusal(OTHER_HEADERS, f"{header.decode()} header appears more than once")
        if header in wanted and [*map(_decoded, values)] != [wanted[header][0]]:
            problem = f"{header.decode()} header does not match the {wanted[header][1]}"
            raise Refusal(OTHER_HEADERS, problem)


def _decoded(value: str) -> str | None:
    """The decoded value of a header: non-ASCII values are sent in base64."""
    if not (value.startswith(_CODED) and value.endswith(_CODED_END)):
        return value
    try:
        return base64.b64decode(value[len(_CODED) : -len(_CODED_END)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
