"""What serves MCP, behind the same gate: whoever shows a token is the caller of the tools.

A client names its project in a header, since the protocol has no place for it.
"""

import json
import os
from http import HTTPStatus

import anyio

from bowerbird.core.types import GLOBAL
from bowerbird.core.who import AGENT, Who
from bowerbird.surfaces.http.failure import Refused
from bowerbird.surfaces.http.gate import again
from bowerbird.surfaces.mcp.caller import Caller
from bowerbird.surfaces.pool import READ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Event

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bowerbird.surfaces.http.routes import Room
    from bowerbird.surfaces.http.serving import Serving
    from bowerbird.surfaces.http.tokens import Token

PROJECT = b"bower-project"
ALL_PROJECTS = b"bower-all-projects"
SESSION = b"mcp-session-id"
_LONGEST = 500
_SESSION_BYTES, _LONGEST_SESSION = 16, 100


class Mounted:
    """Tells the application for MCP who calls it, in which session and for which project.

    A client that begins with `initialize` is given a session, which is nothing but a name that it
    repeats. It may repeat none, or begin anew at will, so what it was shown counts for its token too.
    """

    route = "/mcp"

    def __init__(self, app: "ASGIApp", room: "Room", ending: "Event", serving: "Serving") -> None:
        self._app = app
        self._room = room
        # Set when the server is to end: a stream that waits for news would hold it up.
        self._ending = ending
        self._serving = serving

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        token: Token = scope["bowerbird.token"]
        headers = dict(scope["headers"])
        project, wide = self._place(headers, token)
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
        scope["bowerbird.caller"] = Caller(project, who)
        if scope["method"] == "GET":
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._cut_off, tasks.cancel_scope)
                await self._app(scope, receive, send)
                tasks.cancel_scope.cancel()
            return
        first = await receive()
        if _begins(first.get("body", b"")):
            send = _with_session(send)
        await self._app(scope, again(first, receive), send)

    async def _cut_off(self, scope: anyio.CancelScope) -> None:
        await self._ending.wait()
        scope.cancel()

    def _check(self, project: str | None, who: Who) -> None:
        """Raise Denied for a project that is not open. Runs in a thread."""
        with self._room.pool.lent(READ, project, who):
            pass

    def _place(self, headers: dict[bytes, bytes], token: "Token") -> tuple[str | None, bool]:
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
    told = headers.get(SESSION, b"").decode("latin-1")
    return told if len(told) <= _LONGEST_SESSION and told.isprintable() else ""


def _begins(body: bytes) -> bool:
    """Whether a body is the `initialize` of a client."""
    if b'"initialize"' not in body:
        return False
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("method") == "initialize"


def _with_session(send: "Send") -> "Send":
    """A `send` that gives the client the name of a new session."""
    name = os.urandom(_SESSION_BYTES).hex().encode()

    async def told(message: "Message") -> None:
        if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
            message = {**message, "headers": [*message["headers"], (SESSION, name)]}
        await send(message)

    return told
