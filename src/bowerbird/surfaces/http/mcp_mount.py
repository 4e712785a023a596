"""MCP over streamable HTTP, behind the same gate: the token identifies the caller of the tools.

Each request is answered by itself, with JSON, and nothing is told unasked; of a conversation nothing is
kept, so that a server that was started again is the same one. A client names its project in a header,
since the protocol has no place for it.
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

    from bowerbird.daemon.tokens import Token
    from bowerbird.surfaces.http.routes import Room
    from bowerbird.surfaces.http.serving import Serving

PROJECT = b"bower-project"
ALL_PROJECTS = b"bower-all-projects"
SESSION = b"mcp-session-id"
# What a request of the stateless era says in its headers, too; and where a method has its name.
_VERSION, _METHOD, _NAME = b"mcp-protocol-version", b"mcp-method", b"mcp-name"
_NAMES = {"tools/call": "name", "resources/read": "uri"}
_CODED, _CODED_END = "=?base64?", "?="
_LONGEST = 500
_SESSION_BYTES, _LONGEST_SESSION = 16, 100


class Mounted:
    """Determines the caller, session and project of a request, and answers it.

    A client that begins with `initialize` is given a session, which is nothing but a name that it
    repeats. It may repeat none, or begin anew at will, so what it was shown counts for its token too.
    """

    route = MCP

    def __init__(self, room: "Room", serving: "Serving") -> None:
        self._calls = Calls(room.birds)
        self._room = room
        self._serving = serving

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        token: Token = scope["bowerbird.token"]
        headers = dict(scope["headers"])
        project, wide = self._project(headers, token)
        session = _session(headers)
        # Over MCP an agent calls, also with the user's own token.
        who = Who(
            "" if token.owner else token.actor,
            AGENT,
            session=session,
            reader=f"{token.name}\n{session}" if session else "",
            holder=token.name,
            may_write=not (token.read_only or self._serving.read_only),
            may_share=wide,
            projects=token.projects,
            wide=wide,
            local=False,
        )
        if token.projects:
            await self._room.run(lambda: self._check(project, who), READ)
        body = (await receive())["body"]
        answer = await self._answered(body, scope["headers"], Caller(project, who))
        await answer(scope, receive, send)

    async def _answered(
        self, body: bytes, sent: "list[tuple[bytes, bytes]]", caller: Caller
    ) -> Response:
        """The answer to a body; 202 where it wants none."""
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
        talk = Conversation(self._calls, caller, "" if by_itself else version)
        queue = talk.queue(message)
        reply = (
            talk.reply(message)
            if queue is None
            else await self._room.run(lambda: talk.reply(message), queue, WHOLE_S)
        )
        status = _status(reply) if by_itself else 200
        begins = message["method"] == "initialize" and "result" in reply
        return _response(reply, status, os.urandom(_SESSION_BYTES).hex() if begins else "")

    def _check(self, project: str | None, who: Who) -> None:
        """Raise Denied for a project that is not open. Runs in a thread."""
        with self._room.birds.acquire(READ, project, who):
            pass

    def _project(self, headers: dict[bytes, bytes], token: "Token") -> tuple[str | None, bool]:
        """The project that a client means, and whether it asks for all of them. Raises Refused."""
        serving = self._serving
        named = headers.get(PROJECT, b"").decode("utf-8", "replace")
        everything = headers.get(ALL_PROJECTS) == b"true"
        if everything and token.projects:
            raise Refused(403, "this token is bound to projects", "leave out Bower-All-Projects")
        if everything or (serving.all_projects and not named and not token.projects):
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


def _session(headers: dict[bytes, bytes]) -> str:
    """The session that a client says it is in; none where that cannot be one."""
    name = headers.get(SESSION, b"").decode("latin-1")
    return name if len(name) <= _LONGEST_SESSION and name.isprintable() else ""


def _response(reply: "dict[str, Any]", status: int, session: str = "") -> Response:
    headers = {SESSION.decode(): session} if session else None
    return Response(json.dumps(reply), status, headers, "application/json")


def _status(reply: "dict[str, Any]") -> int:
    """What HTTP says of a reply in the stateless era."""
    code = reply.get("error", {}).get("code", FAULT)
    return {NO_METHOD: 404, FAULT: 200}.get(code, 400)


def _require_same(sent: "list[tuple[bytes, bytes]]", message: "dict[str, Any]") -> None:
    """Raise Refusal where headers say something else than the message: a proxy may have believed them."""
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
    """A header as it was meant: non-ASCII values are sent in base64."""
    if not (value.startswith(_CODED) and value.endswith(_CODED_END)):
        return value
    try:
        return base64.b64decode(value[len(_CODED) : -len(_CODED_END)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
