"""The routes: each verb with its checks, the document that describes them, and the health."""

import json

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.types import GLOBAL
from bowerbird.core.version import VERSION
from bowerbird.surfaces.birds import LANES
from bowerbird.surfaces.http.failure import FAULT, RETRY, Refused, failed
from bowerbird.surfaces.http.openapi import document
from bowerbird.surfaces.http.reading import from_address, from_body
from bowerbird.surfaces.http.verbs import VERBS, Begun, Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractAsyncContextManager
    from typing import Any, TypeVar

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bowerbird.surfaces.birds import Birds, Lane
    from bowerbird.surfaces.http.asked import Ask
    from bowerbird.surfaces.http.indexing import Indexing
    from bowerbird.surfaces.http.tokens import Token
    from bowerbird.surfaces.http.verbs import Verb

    Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]
    Done = TypeVar("Done")

BASE = "/api/v1"
DOCUMENT = BASE + "/openapi.json"
MCP = "/mcp"
# For so long a request may wait and work; what reads the whole store may take longer.
LIMIT_S, WHOLE_S = 30.0, 600.0


class Room:
    """The Bowerbirds, and the threads that may use them: as many as each lane is wide.

    Who waits does so without a thread, and in the order of arrival.
    """

    def __init__(self, birds: "Birds", indexing: "Indexing") -> None:
        self.birds = birds
        self.indexing = indexing
        self._turns = {lane: anyio.CapacityLimiter(lane.width) for lane in LANES}

    async def run(self, work: "Callable[[], Done]", lane: "Lane", limit: float = LIMIT_S) -> "Done":
        """Do it in a thread. Raises Refused where it takes too long: 503 not begun, 504 begun."""
        began = False

        def begin() -> "Done":
            nonlocal began
            began = True
            return work()

        try:
            with anyio.fail_after(limit):
                return await anyio.to_thread.run_sync(
                    begin, limiter=self._turns[lane], abandon_on_cancel=True
                )
        except TimeoutError:
            if began:
                again = "it may still be done: look before you ask again"
                remedy = again if lane.writes else "ask less"
                raise Refused(504, f"it took longer than {limit:.0f} s", remedy) from None
            raise Refused(503, "too much is asked at once", "ask again soon", RETRY) from None


class VerbEndpoint:
    """One verb as an ASGI application."""

    def __init__(self, verb: "Verb", room: Room) -> None:
        self._verb = verb
        self._room = room
        self.route = BASE + verb.path

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        request, verb, token = Request(scope, receive), self._verb, scope["bowerbird.token"]
        who = token.who()
        if verb.writes:
            who.require_write()
        if verb.owners:
            who.require_owner(verb.name)
        if verb.method == "GET":
            ask = from_address(verb.ask, scope["query_string"])
        else:
            ask = from_body(verb.ask, await request.body())
        id = request.path_params.get("id", "")
        limit = WHOLE_S if verb.whole else LIMIT_S
        status, body = await self._room.run(lambda: self._answer(ask, token, id), verb.lane, limit)
        await Response(body, status, media_type="application/json")(scope, receive, send)

    def _answer(self, ask: "Ask", token: "Token", id: str) -> tuple[int, bytes]:
        """The status and the JSON of the answer. Runs in a thread."""
        birds, verb = self._room.birds, self._verb
        project, wide = place(ask, token, whole=verb.whole)
        try:
            who = token.who(getattr(ask, "session", ""), wide=wide)
            with birds.lent(verb.lane, project, who) as bird:
                data = verb.run(Call(bird, ask, who, self._room.indexing, id))
        except BowerbirdError as error:
            if not token.owner:
                error.message = error.message.replace(birds.path, "the store")
                error.remedy = error.remedy.replace(birds.path, "the store")
            raise
        body = json.dumps(data, ensure_ascii=False, check_circular=False)
        return 202 if isinstance(data, Begun) else 200, body.encode("utf-8", "replace")


def place(ask: "Any", token: "Token", *, whole: bool = False) -> tuple[str, bool]:
    """The project that a request is about, and whether it reaches beyond it. Raises Refused."""
    if whole or getattr(ask, "all_projects", False) or getattr(ask, "everywhere", False):
        if token.projects:
            raise Refused(
                403, "this token is bound to projects", "ask with one that is for the whole store"
            )
        return GLOBAL.name, True
    if ask.project is not None:
        return ask.project, False
    if len(token.projects) == 1:
        return token.projects[0], False
    raise Refused(
        422, "no project is named", "give project: its name or uid, or all_projects: true"
    )


class Described:
    """The document that describes the routes."""

    route = DOCUMENT

    def __init__(self, kinds: "Iterable[str]") -> None:
        self._body = json.dumps(document(kinds), ensure_ascii=False).encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        await Response(self._body, media_type="application/json")(scope, receive, send)


class Healthy:
    """That the server runs, for whoever asks."""

    route = "/health"

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        body = json.dumps({"status": "ok", "version": VERSION})
        await Response(body, media_type="application/json")(scope, receive, send)


def application(
    room: Room, lifespan: "Lifespan", mcp: "ASGIApp | None" = None, *, verbs: bool = True
) -> Starlette:
    """Everything that is served, to be put behind the gate; `mcp` takes part where it is there."""
    routes = [Route(Healthy.route, Healthy(), methods=["GET"])]
    if verbs:
        routes.append(Route(DOCUMENT, Described(room.birds.kinds), methods=["GET"]))
        routes += [
            Route(BASE + verb.path, VerbEndpoint(verb, room), methods=[verb.method])
            for verb in VERBS
        ]
    remedy = f"see {DOCUMENT}" if verbs else f"there is {MCP} alone; bower serve has the verbs"
    if mcp is not None:
        routes += [Route(MCP, mcp), Route(MCP + "/", mcp)]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            HTTPException: lambda _, error: _not_there(error, remedy),
            BowerbirdError: _failed,
            Exception: _failed,
        },
    )
    app.router.redirect_slashes = False
    return app


def _not_there(error: Exception, remedy: str) -> Response:
    """No such route, or not by this method."""
    if isinstance(error, HTTPException) and error.status_code == 405:  # noqa: PLR2004 of HTTP
        return failed(Refused(405, "not by this method", remedy, error.headers))
    return failed(Refused(404, "no such route", remedy))


async def _failed(_: Request, error: Exception) -> Response:
    """An error of ours as an answer."""
    if isinstance(error, BowerbirdError):
        return failed(error)
    return failed(Refused(500, *FAULT))
