"""What stands before every page: host, origin, session, form token, and the headers of safety.

A cookie does not know ports: one of 127.0.0.1 goes to every server there. So the pages live at a name
that nobody can guess, below `localhost`, which browsers resolve by themselves; a cookie of that name goes
nowhere else (measured in Chromium).
"""

import os
import secrets
from hashlib import sha256
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, parse_qsl, quote, unquote

import anyio

from bowerbird.core.errors import BowerbirdError
from bowerbird.surfaces.web.visits import Visits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import Message, Receive, Scope, Send

    from bowerbird.surfaces.web.entrance import Entrance
    from bowerbird.surfaces.web.visits import Visit

    # Answers a request: with the session and the fields of its form.
    Pages = Callable[[Scope, Visit, dict[str, str]], Awaitable["Reply"]]

ROOT = "/ui"
ENTER = ROOT + "/enter"
# Where a member leaves for the provider of single sign-on, and where that sends them back.
SIGN_IN = ROOT + "/sign-in"
BACK = ROOT + "/signed-in"
STATIC = ROOT + "/static/"
COOKIE = "bower"
WANTED = "bower_to"
# A secret of the browser that leaves; with SameSite=Lax, as it returns from another site.
LEFT = "bower_in"
_SIGN_IN_S = 600
LARGEST_FORM = 1 << 20
_FORM_S = 15.0
_BYTES = 32
_FOLDER = os.path.join(os.path.dirname(__file__), "static")
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'; trusted-types 'none'"
)
_SAFE = (
    (b"content-security-policy", _POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)
_NOT_KEPT = (b"cache-control", b"no-store")
_KEPT = (b"cache-control", b"public, max-age=31536000, immutable")


class Reply:
    """An answer: a page, a place to go to, or a stream of chunks."""

    def __init__(
        self,
        status: int,
        body: bytes = b"",
        kind: str = "text/html; charset=utf-8",
        *,
        to: str = "",
        cookies: tuple[str, ...] = (),
        stream: "Callable[[Send], Awaitable[None]] | None" = None,
    ) -> None:
        self.status = status
        self.body = body
        self.stream = stream
        self.headers = [(b"content-type", kind.encode())]
        if to:
            self.headers.append((b"location", quote(to, safe="/?&=#%:+,.~-_").encode()))
        self.headers += [(b"set-cookie", one.encode()) for one in cookies]


def statics() -> "dict[str, tuple[str, bytes]]":
    """The static files by their addresses, which change with their content."""
    found = {}
    for name in sorted(os.listdir(_FOLDER)):
        with open(os.path.join(_FOLDER, name), "rb") as file:
            data = file.read()
        stem, ending = os.path.splitext(name)
        found[f"{STATIC}{stem}-{sha256(data).hexdigest()[:12]}{ending}"] = (_TYPES[ending], data)
    return found


class WebGate:
    """Passes a request to the pages, or refuses it."""

    def __init__(
        self,
        pages: "Pages",
        refused: "Callable[..., Reply]",
        entrance: "Entrance",
        hosts: frozenset[str],
        shared: frozenset[str],
        *,
        secure: bool,
    ) -> None:
        """`refused` makes the page of a refusal; `hosts` and `shared` are the names with their ports.

        At a shared name members sign in; `secure` says that browsers reach those by https.
        """
        self._pages = pages
        self._refused = refused
        self._entrance = entrance
        self._hosts = hosts | shared
        self._secure = shared if secure else frozenset()
        self._statics = statics()
        self.visits = Visits()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> int:
        """Handles one request; returns its status."""
        path = scope["path"]
        kept = self._statics.get(path)
        if kept is not None and scope["method"] == "GET":
            kind, data = kept
            return await _sent(Reply(200, data, kind), send, _KEPT)
        reply = await self._answered(scope, receive)
        return await _sent(reply, send, _NOT_KEPT)

    async def _answered(self, scope: "Scope", receive: "Receive") -> Reply:
        host = _one(scope, b"host").lower()
        if host not in self._hosts:
            return self._refused(scope, 403, "host")
        if scope["method"] == "POST":
            return await self._posted(scope, receive, host)
        if scope["method"] not in {"GET", "HEAD"}:
            return self._refused(scope, 405, "method")
        path, site = scope["path"], _one(scope, b"sec-fetch-site")
        if path == ENTER:
            return self._refused(scope, 200, "enter")
        if path in {SIGN_IN, BACK}:
            return await self._by_single_sign_on(scope, path, host)
        if site not in {"", "none", "same-origin"}:
            # A link from elsewhere carries no cookie: a button on a page of ours does.
            return self._refused(scope, 200, "elsewhere")
        visit = await self._visit(scope, host)
        if visit is None:
            return self._sign_in(scope, _asked(scope))
        return await self._pages(scope, visit, {})

    async def _visit(self, scope: "Scope", host: str) -> "Visit | None":
        """The session of a request; None if there is none, or who began it may not look any more."""
        visit = self.visits.of(_cookies(scope).get(COOKIE, ""), host)
        if visit is None or await self._entrance.still(visit):
            return visit
        self.visits.end(visit)
        return None

    async def _posted(self, scope: "Scope", receive: "Receive", host: str) -> Reply:
        """The answer to a form: of a page of ours, with the token of its session."""
        site, path = _one(scope, b"sec-fetch-site"), scope["path"]
        if _one(scope, b"origin") != self._origin(scope, host) or site not in {"", "same-origin"}:
            return self._refused(scope, 403, "origin")
        form = await _form(receive)
        if form is None:
            return self._refused(scope, 413, "form")
        cookies = _cookies(scope)
        if path == ENTER:
            return await self._entered(scope, form, host, cookies.get(WANTED, ""))
        visit = await self._visit(scope, host)
        if visit is None:
            return self._sign_in(scope, form.get("back", ROOT))
        if not compare_digest(form.pop("token", "").encode(), visit.token.encode()):
            return self._refused(scope, 403, "token")
        return await self._pages(scope, visit, form)

    def _sign_in(self, scope: "Scope", wanted: str) -> Reply:
        reply = self._refused(scope, 401, "over")
        reply.headers.append((b"set-cookie", _set(WANTED, quote(wanted, safe=""), 600).encode()))
        return reply

    async def _entered(self, scope: "Scope", form: dict[str, str], host: str, wanted: str) -> Reply:
        visit = await self._entrance.by_key(form.get("key", "").strip(), host)
        if visit is None:
            return self._refused(scope, 403, "key")
        to = within(form.get("to", "") or unquote(wanted))
        return Reply(303, to=to, cookies=self._begun(visit, host))

    async def _by_single_sign_on(self, scope: "Scope", path: str, host: str) -> Reply:
        """Sends a browser to the provider, or takes in one that comes from there."""
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"), errors="replace"))
        cookies, secure = _cookies(scope), host in self._secure
        try:
            if path == SIGN_IN:
                browser = secrets.token_urlsafe(_BYTES)
                back = self._origin(scope, host) + BACK
                wanted = within(query.get("to", "") or unquote(cookies.get(WANTED, "")))
                page = await self._entrance.begin(back, browser, wanted)
                left = _set(LEFT, browser, _SIGN_IN_S, secure=secure, site="Lax")
                return Reply(303, to=page, cookies=(left,))
            visit, wanted = await self._entrance.finish(query, cookies.get(LEFT, ""), host)
        except BowerbirdError as error:
            return self._refused(scope, 403, "error", message=error.message, remedy=error.remedy)
        # A page of ours goes on: what the provider sent here would come without the session's cookie.
        reply = self._refused(scope, 200, "entered", wanted=wanted)
        left = _set(LEFT, "", 0, secure=secure, site="Lax")
        cookies_set = (left, *self._begun(visit, host))
        reply.headers += [(b"set-cookie", one.encode()) for one in cookies_set]
        return reply

    def _begun(self, visit: "Visit", host: str) -> tuple[str, ...]:
        """The cookies of a new session."""
        secure = host in self._secure
        cookie = self.visits.begin(visit)
        return _set(COOKIE, cookie, secure=secure), _set(WANTED, "", 0, secure=secure)

    def _origin(self, scope: "Scope", host: str) -> str:
        """The address that a browser shows for these pages; a proxy may take https off before us."""
        return f"{'https' if host in self._secure else scope['scheme']}://{host}"


def within(path: str) -> str:
    """A path of the pages, or their first one for any other text."""
    own = path == ROOT or path.startswith((ROOT + "/", ROOT + "?"))
    return path if own and path.isprintable() and "\\" not in path else ROOT + "/"


def _asked(scope: "Scope") -> str:
    query = scope["query_string"].decode("latin-1")
    return f"{scope['path']}?{query}" if query else str(scope["path"])


def _set(
    name: str, value: str, seconds: int | None = None, *, secure: bool = False, site: str = "Strict"
) -> str:
    lasts = "" if seconds is None else f"; Max-Age={seconds}"
    only = "; Secure" if secure else ""
    return f"{name}={value}; Path={ROOT}; HttpOnly; SameSite={site}{only}{lasts}"


def _one(scope: "Scope", name: bytes) -> str:
    """A header that is there once; empty otherwise."""
    found = [value for key, value in scope["headers"] if key == name]
    return found[0].decode("latin-1") if len(found) == 1 else ""


def _cookies(scope: "Scope") -> dict[str, str]:
    try:
        return {name: one.value for name, one in SimpleCookie(_one(scope, b"cookie")).items()}
    except CookieError:
        return {}


async def _form(receive: "Receive") -> dict[str, str] | None:
    """The fields of a form, several of one name by lines; None if it is too large or too slow."""
    parts: list[bytes] = []
    more = True
    try:
        with anyio.fail_after(_FORM_S):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                parts.append(message.get("body", b""))
                more = message.get("more_body", False)
                if sum(map(len, parts)) > LARGEST_FORM:
                    return None
    except TimeoutError:
        return None
    text = b"".join(parts).decode("utf-8", "replace")
    fields = parse_qs(text, keep_blank_values=True, errors="replace", max_num_fields=2_000)
    return {
        name: "\n".join(one.replace("\r\n", "\n") for one in some) for name, some in fields.items()
    }


async def _sent(reply: Reply, send: "Send", kept: "tuple[bytes, bytes]") -> int:
    headers = [*reply.headers, *_SAFE, kept]
    if reply.stream is None:
        headers.append((b"content-length", str(len(reply.body)).encode()))
    start: Message = {"type": "http.response.start", "status": reply.status, "headers": headers}
    await send(start)
    if reply.stream is not None:
        await reply.stream(send)
    else:
        await send({"type": "http.response.body", "body": reply.body})
    return reply.status
