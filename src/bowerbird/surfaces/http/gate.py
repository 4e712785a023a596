"""Checks of every request: host and origin, token, body size, and the number of open requests.

Plain ASGI around the application, so that no route can bypass it.
"""

from contextlib import contextmanager
from time import perf_counter

import anyio

from bowerbird.core.errors import BowerbirdError
from bowerbird.daemon.log import FAULT
from bowerbird.surfaces.http.failure import RETRY, Refused, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bowerbird.daemon.log import Log
    from bowerbird.daemon.tokens import Token, Tokens

LARGEST_BODY = 1 << 20
# Timeout in seconds for receiving a body.
BODY_S = 15.0
# Of a body that nobody read so much is received, and dropped: common clients look for the answer once
# they have sent all, and see only a broken connection if it is closed before.
MOST_DROPPED = 64 << 20
# Limits of concurrent requests, of one token and in total: each may hold a body in memory.
MOST_OF_ONE = 96
MOST = 128
HEALTH = "/health"
_SAFE = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
)
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
# Accepted values of Sec-Fetch-Site, a header that browsers set.
_OWN_SITE = frozenset({b"none", b"same-origin"})


class Gate:
    """Refuses a request, or passes it to `app` with its token in the scope."""

    def __init__(
        self,
        app: "ASGIApp",
        tokens: "Tokens",
        holder: "Callable[[str], Awaitable[Token | None]]",
        hosts: frozenset[str],
        log: "Log",
    ) -> None:
        """`holder` finds whose a token is that is not among `tokens`: those of the team."""
        self._app = app
        self._tokens = tokens
        self._holder = holder
        # Accepted hosts with their ports, in Host and in Origin.
        self._hosts = hosts
        self._log = log
        self._under_way: dict[str, int] = {}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Handles one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin, status, name = perf_counter(), 0, ""

        async def answer(message: "Message") -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *_SAFE]}
            await send(message)

        try:
            self._refuse_strangers(scope)
            if scope["path"] == HEALTH:
                await self._app(scope, receive, answer)
                return
            token = await self._who(scope)
            name = token.name
            with self._room(name):
                scope["bowerbird.token"] = token
                body = await _body(scope, receive)
                whole = {"type": "http.request", "body": body, "more_body": False}
                await self._app(scope, again(whole, receive), answer)
        except BowerbirdError as error:
            if not status:
                await failed(error)(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 the caller learns no more than that
            self._log.fault(error)
            if not status:
                await failed(Refused(500, *FAULT))(scope, receive, answer)
        finally:
            self._log.request(scope, status, perf_counter() - begin, name)

    def _refuse_strangers(self, scope: "Scope") -> None:
        """Raises Refused for a request to another host, or from another site's page."""
        if _all(scope, b"content-length") and _all(scope, b"transfer-encoding"):
            # A proxy may use the other header: the rest of the body would count as a request that nobody
            # sent.
            remedy = "send Content-Length or Transfer-Encoding"
            raise Refused(400, "the body has two lengths", remedy, {"Connection": "close"})
        hosts = _all(scope, b"host")
        if len(hosts) != 1 or hosts[0].decode("latin-1").lower() not in self._hosts:
            raise Refused(
                403, "this server is not called that", "if it should be, use --allow-host"
            )
        for origin in _all(scope, b"origin"):
            scheme, separator, host = origin.decode("latin-1").lower().partition("://")
            if not separator or scheme not in {"http", "https"} or host not in self._hosts:
                raise Refused(403, "pages of other sites may not ask", "ask from a program")
        if any(site not in _OWN_SITE for site in _all(scope, b"sec-fetch-site")):
            raise Refused(403, "pages of other sites may not ask", "ask from a program")

    async def _who(self, scope: "Scope") -> "Token":
        """The token of a request. Raises Refused."""
        shown = _all(scope, b"authorization")
        kind, _, text = shown[0].decode("latin-1").partition(" ") if len(shown) == 1 else ("",) * 3
        token = None
        if kind.lower() == "bearer":
            token = self._tokens.caller(text.strip()) or await self._holder(text.strip())
        if token is None:
            raise Refused(
                401,
                "missing, unknown, revoked or expired token",
                "send the header Authorization: Bearer TOKEN; the server said where its owner's is,"
                " and an admin of the team makes others",
                {"WWW-Authenticate": "Bearer"},
            )
        return token

    @contextmanager
    def _room(self, name: str) -> "Iterator[None]":
        """Counts a request while it is open. Raises Refused if there are too many."""
        if self._under_way.get(name, 0) >= MOST_OF_ONE:
            raise Refused(
                429,
                "too many concurrent requests with this token",
                "wait until some have finished",
                RETRY,
            )
        if sum(self._under_way.values()) >= MOST:
            raise Refused(503, "too many requests at once", "ask again in a moment", RETRY)
        self._under_way[name] = self._under_way.get(name, 0) + 1
        try:
            yield
        finally:
            self._under_way[name] -= 1
            if not self._under_way[name]:
                del self._under_way[name]


def heard(app: "ASGIApp") -> "ASGIApp":
    """Lets a client that still sends hear the answer: its connection ends once it has sent its body."""

    async def listening(scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http" or not _sends(scope):
            await app(scope, receive, send)
            return
        ended = False

        async def noting() -> "Message":
            nonlocal ended
            message = await receive()
            ended = not message.get("more_body", False)
            return message

        async def answer(message: "Message") -> None:
            last = message["type"] == "http.response.body" and not message.get("more_body")
            if last and not ended:
                await send({**message, "more_body": True})
                left = MOST_DROPPED
                with anyio.move_on_after(BODY_S):
                    while left > 0 and not ended:
                        left -= len((await noting()).get("body", b""))
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        await app(scope, noting, answer)

    return listening


def _sends(scope: "Scope") -> bool:
    """Whether a body comes unasked, and is not far too large."""
    lengths = _all(scope, b"content-length")
    some = bool(lengths) and 0 < int(lengths[0]) <= MOST_DROPPED
    return (some or bool(_all(scope, b"transfer-encoding"))) and not _all(scope, b"expect")


def _all(scope: "Scope", name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key == name]


async def _body(scope: "Scope", receive: "Receive") -> bytes:
    """The whole body. Raises Refused if it is not JSON, too large or too slow."""
    if scope["method"] in _WITH_BODY:
        kind = b"".join(_all(scope, b"content-type")).decode("latin-1").lower()
        main, _, parameters = kind.partition(";")
        if main.strip() != "application/json" or parameters.strip() not in {
            "",
            "charset=utf-8",
            'charset="utf-8"',
        }:
            raise Refused(415, "only JSON is taken", "send Content-Type: application/json")
        if _all(scope, b"content-encoding"):
            raise Refused(415, "packed bodies are not taken", "send it as it is")
    lengths = _all(scope, b"content-length")
    if lengths and int(lengths[0]) > LARGEST_BODY:
        raise _too_large()
    parts: list[bytes] = []
    size, more = 0, True
    try:
        with anyio.fail_after(BODY_S):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(400, "the request broke off", "send it again")
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                more = message.get("more_body", False)
                if size > LARGEST_BODY:
                    raise _too_large()
    except TimeoutError:
        raise Refused(408, f"the body took longer than {BODY_S:.0f} s", "send it at once") from None
    return b"".join(parts)


def _too_large() -> Refused:
    return Refused(
        413, f"the body is larger than {LARGEST_BODY:,} bytes", "send less, or index it as a file"
    )


def again(first: "Message", receive: "Receive") -> "Receive":
    """A `receive` that returns this message first, and then the following ones."""
    given = False

    async def once() -> "Message":
        nonlocal given
        if given:
            return await receive()
        given = True
        return first

    return once
