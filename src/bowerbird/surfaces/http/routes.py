"""The routes: the verbs, the OpenAPI document and the health check."""

import json

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.ids import id_prefix
from bowerbird.core.types import GLOBAL
from bowerbird.core.value import spoken
from bowerbird.core.version import VERSION
from bowerbird.daemon.birds import ASK, DOOR, QUEUES, WHOLE_S, queue
from bowerbird.daemon.log import FAULT
from bowerbird.daemon.tokens import Token
from bowerbird.surfaces.fields import HTTP, run
from bowerbird.surfaces.http.failure import RETRY, Refused, failed, refusal
from bowerbird.surfaces.http.gate import HEALTH
from bowerbird.surfaces.http.openapi import document
from bowerbird.surfaces.http.readers import Readers
from bowerbird.surfaces.http.request_fields import from_address, from_body
from bowerbird.surfaces.http.service import BASE, REACH, SERVED, project_of, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from typing import Any, TypeVar

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bowerbird.core.value import Value
    from bowerbird.daemon.birds import Birds, Queue
    from bowerbird.daemon.indexing import Indexing
    from bowerbird.surfaces.fields import Verb

    Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]
    Data = dict[str, Any]
    Done = TypeVar("Done")

DOCUMENT = BASE + "/openapi.json"
MCP = "/mcp"
# Time limit in seconds of a request, with its time in the queue.
LIMIT_S = 30.0
# Processes that count: the second one starts when the first is at what takes seconds.
_COUNTERS = 2
_SERVED = {verb.name: (verb, module) for verb, module in SERVED}


class Room:
    """The open Bowerbirds, and one thread limit per queue.

    A waiting request holds no thread; requests are served in order of arrival.
    """

    def __init__(
        self, birds: "Birds", indexing: "Indexing", readers: Readers | None = None
    ) -> None:
        self.birds = birds
        self.indexing = indexing
        self._readers = readers
        self._counters: Readers | None = None
        self._turns = {queue: anyio.CapacityLimiter(queue.limit) for queue in QUEUES}

    async def ask(
        self, work: "Callable[..., Done]", *given: "Any", queue: "Queue", limit: float = LIMIT_S
    ) -> "Done":
        """The result of a function of the open Bowerbirds and further values, all to be pickled.

        A question is answered in a reader process, if there are any; all else runs in a thread.
        Raises Refused as `run` does.
        """
        if self._readers is None or queue is not ASK:
            return await self.run(lambda: work(self.birds, *given), queue, limit)
        try:
            with anyio.fail_after(limit):
                return await self._readers.run(work, *given)
        except TimeoutError:
            raise Refused(504, f"it took longer than {limit:.0f} s", "ask less") from None

    async def run(
        self, work: "Callable[[], Done]", queue: "Queue", limit: float = LIMIT_S
    ) -> "Done":
        """Runs a function in a thread. On time-out raises Refused: 503 if not started, 504 if started."""
        began = False

        def begin() -> "Done":
            nonlocal began
            began = True
            return work()

        try:
            with anyio.fail_after(limit):
                return await anyio.to_thread.run_sync(
                    begin, limiter=self._turns[queue], abandon_on_cancel=True
                )
        except TimeoutError:
            if began:
                again = "it may still be done: look before you ask again"
                remedy = again if queue.writes else "ask less"
                raise Refused(504, f"it took longer than {limit:.0f} s", remedy) from None
            raise Refused(503, "too much is asked at once", "ask again soon", RETRY) from None

    async def apart(self, work: "Callable[..., Done]", *given: "Any") -> "Done":
        """The result of a function of the Bowerbirds of a process that counts, started when it is needed.

        It shares no lock of Python with pages and requests. All values are pickled.
        """
        if self._counters is None:
            self._counters = Readers(self.birds.path, _COUNTERS, counting=True)
        return await self._counters.run(work, *given)

    def close(self) -> None:
        """Ends the processes beside this one; what is being counted nobody waits for."""
        if self._readers is not None:
            self._readers.close()
        if self._counters is not None:
            self._counters.abandon()

    async def holder(self, token: str) -> "Token | None":
        """The pass of the member of the team with that token, or None."""

        def asked() -> "Token | None":
            with self.birds.acquire(DOOR, GLOBAL.name) as bird:
                found = bird.admin.token_holder(token)
            return None if found is None else Token.of(found)

        return await self.run(asked, DOOR)


class VerbEndpoint:
    """One verb as an ASGI application."""

    def __init__(self, verb: "Verb", module: "Any", room: Room) -> None:
        self._verb = verb
        self._module = module
        self._room = room
        self._queue = queue(verb.queue)
        self.method, path = verb.route or ("", "")
        self.route = BASE + path

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Handles one request."""
        request, verb, token = Request(scope, receive), self._verb, scope["bowerbird.token"]
        verb.require(token.who())
        if self.method == "GET":
            given = from_address(verb, scope["query_string"])
        else:
            given = from_body(verb, await request.body())
        given |= request.path_params
        limit = LIMIT_S if verb.reach else WHOLE_S
        if hasattr(self._module, "served"):
            indexing = self._room.indexing
            answer = await self._room.run(
                lambda: answered(self._room.birds, verb.name, given, token, indexing),
                self._queue,
                limit,
            )
        else:
            answer = await self._room.ask(
                answered, verb.name, given, token, queue=self._queue, limit=limit
            )
        status, body, headers = answer
        await Response(body, status, headers, "application/json")(scope, receive, send)


def answered(
    birds: "Birds", name: str, given: "Data", token: "Token", indexing: "Indexing | None" = None
) -> tuple[int, bytes, dict[str, str]]:
    """The status, the JSON and the headers of the response to a verb's request, errors included."""
    verb, module = _SERVED[name]
    secret = "" if token.who().local else birds.path
    try:
        value, data = _done(birds, verb, module, given, token, indexing)
    except BowerbirdError as error:
        error.message = words(error.message, secret)
        error.remedy = words(error.remedy, secret)
        return refusal(error)
    payload = spoken(data, lambda text: words(text, secret))
    body = json.dumps(payload, ensure_ascii=False, check_circular=False)
    status = 202 if verb.begun is not None and isinstance(value, verb.begun) else 200
    return status, body.encode("utf-8", "replace"), {}


def _done(
    birds: "Birds",
    verb: "Verb",
    module: "Any",
    given: "Data",
    token: "Token",
    indexing: "Indexing | None",
) -> "tuple[Value, Data]":
    """The result of a request and its data, both read before the Bowerbird is released."""
    project, wide = project_of(given, token, verb.reach)
    who = token.who(given.get("session", ""), wide=wide)
    # A request reaches all projects by the name that a command has for it; its session is the caller's.
    fields = (one for one in verb.fields if one.name != "session" or HTTP in one.interfaces)
    own = {one.name for one in fields}
    asked = {name: value for name, value in given.items() if name not in REACH or name in own}
    if verb.route is not None and "{id}" in verb.route[1]:
        asked["id"] = id_prefix(asked["id"])
    with birds.acquire(queue(verb.queue), project, who) as bird:
        value = run(module, bird, asked) if indexing is None else module.served(indexing, asked)
        if hasattr(module, "used"):
            bird.used(module.used(value))
        return value, value.as_dict()


class Fixed:
    """Routes with a fixed response: the health check, and the OpenAPI document."""

    def __init__(self, route: str, data: "Data") -> None:
        self.route = route
        self._body = json.dumps(data, ensure_ascii=False).encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Handles one request."""
        await Response(self._body, media_type="application/json")(scope, receive, send)


def application(
    room: Room, lifespan: "Lifespan", mcp: "ASGIApp", *, verbs: bool = True
) -> Starlette:
    """The application behind the gate: MCP, and the verbs unless only MCP is served."""
    fixed = [Fixed(HEALTH, {"status": "ok", "version": VERSION})]
    fixed += [Fixed(DOCUMENT, document(room.birds.kinds))] if verbs else []
    routes = [Route(one.route, one, methods=["GET"]) for one in fixed]
    for verb, module in SERVED if verbs else ():
        endpoint = VerbEndpoint(verb, module, room)
        routes.append(Route(endpoint.route, endpoint, methods=[endpoint.method]))
    remedy = f"see {DOCUMENT}" if verbs else f"there is {MCP} alone; bower serve has the verbs"
    routes += [Route(path, mcp, methods=["POST"]) for path in (MCP, MCP + "/")]
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
    """The response if no route has that path, or none that method."""
    if isinstance(error, HTTPException) and error.status_code == 405:  # noqa: PLR2004 of HTTP
        return failed(Refused(405, "not by this method", remedy, error.headers))
    return failed(Refused(404, "no such route", remedy))


async def _failed(_: Request, error: Exception) -> Response:
    """The response to one of our errors."""
    if isinstance(error, BowerbirdError):
        return failed(error)
    return failed(Refused(500, *FAULT))
