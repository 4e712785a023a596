"""What serves MCP, behind the same gate: whoever shows a token is the caller of the tools.

A client names its project in a header, since the protocol has no place for it.
"""

import anyio

from bowerbird.core.types import GLOBAL
from bowerbird.surfaces.birds import READ
from bowerbird.surfaces.http.failure import Refused
from bowerbird.surfaces.http.routes import check_bound
from bowerbird.surfaces.mcp.caller import Caller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Event

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bowerbird.surfaces.http.routes import Room
    from bowerbird.surfaces.http.tokens import Token

PROJECT = b"bower-project"
ALL_PROJECTS = b"bower-all-projects"
_LONGEST = 500


class Mounted:
    """Tells the application for MCP who calls it, and for which project."""

    route = "/mcp"

    def __init__(self, app: "ASGIApp", room: "Room", ending: "Event") -> None:
        self._app = app
        self._room = room
        # Set when the server is to end: a stream that waits for news would hold it up.
        self._ending = ending

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        token: Token = scope["bowerbird.token"]
        headers = dict(scope["headers"])
        project, wide = _place(headers, token)
        if token.projects:
            await self._room.run(lambda: self._check(project, token), READ)
        scope["bowerbird.caller"] = Caller(
            project=project, all_projects=wide, may_write=not token.read_only, actor=token.actor
        )
        if scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._cut_off, tasks.cancel_scope)
            await self._app(scope, receive, send)
            tasks.cancel_scope.cancel()

    async def _cut_off(self, scope: anyio.CancelScope) -> None:
        await self._ending.wait()
        scope.cancel()

    def _check(self, project: str, token: "Token") -> None:
        """Raise Refused for a project that the token is not for. Runs in a thread."""
        with self._room.birds.lent(READ, project, confined=True) as bird:
            check_bound(bird.project.uid, token)


def _place(headers: dict[bytes, bytes], token: "Token") -> tuple[str, bool]:
    """The project that a client names, and whether it asks for all of them. Raises Refused."""
    if headers.get(ALL_PROJECTS) == b"true":
        if token.projects:
            raise Refused(403, "this token is bound to projects", "leave out Bower-All-Projects")
        return GLOBAL.name, True
    named = headers.get(PROJECT, b"").decode("utf-8", "replace")
    if named and len(named) <= _LONGEST:
        return named, False
    if not named and len(token.projects) == 1:
        return token.projects[0], False
    raise Refused(
        422,
        "no project is named",
        "send Bower-Project: its name or uid, or Bower-All-Projects: true",
    )
