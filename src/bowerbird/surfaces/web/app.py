"""The pages by their addresses: finds the one that is asked for, calls it, and renders what it gives."""

import asyncio
import re
from contextlib import suppress
from urllib.parse import parse_qsl

from bowerbird.core.errors import (
    BadInput,
    BowerbirdError,
    Denied,
    NotFound,
    StoreBusy,
    StoreMissing,
)
from bowerbird.daemon.birds import COUNT
from bowerbird.surfaces.web import actions
from bowerbird.surfaces.web.desk import Call, Desk
from bowerbird.surfaces.web.entrance import Entrance
from bowerbird.surfaces.web.gate import ENTER, ROOT, SIGN_IN, Reply, WebGate, statics, within
from bowerbird.surfaces.web.language import Language, available, preferred
from bowerbird.surfaces.web.live import MOST as MOST_STREAMS
from bowerbird.surfaces.web.live import Live
from bowerbird.surfaces.web.pages import PAGES, review, teach
from bowerbird.surfaces.web.rendering import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from starlette.types import Receive, Scope, Send

    from bowerbird.bird import Bowerbird
    from bowerbird.daemon.links import Links
    from bowerbird.daemon.log import Log
    from bowerbird.surfaces.web.entrance import Door
    from bowerbird.surfaces.web.visits import Visit

# The pages of the side bar: name, address, key after g, group.
NAV = (
    ("health", "/", "h", "look"),
    ("ask", "/ask", "a", "look"),
    ("memories", "/memories", "m", "look"),
    ("modules", "/modules", "o", "look"),
    ("review", "/review", "r", "decide"),
    ("teach", "/teach", "t", "decide"),
    ("sessions", "/sessions", "s", "see"),
    ("team", "/team", "w", "see"),
    ("graph", "/graph", "p", "see"),
    ("fading", "/fading", "f", "see"),
    ("experiment", "/experiment", "e", "see"),
    ("activity", "/activity", "v", "see"),
    ("settings", "/settings", ",", "see"),
)
# Those that lie below one of them.
BELOW = {
    **dict.fromkeys(("memory", "edit", "wrong", "erase"), "memories"),
    "bulk": "review",
    "session": "sessions",
}
# Those that say what their own first step is where there is no store yet.
FIRST = frozenset(("review", "graph"))
EVENTS = ROOT + "/events"
_DO = ROOT + "/do/"
# The pages outside of any session that are more than a text.
_OUTSIDE = {**dict.fromkeys(("enter", "over", "key"), "enter.html"), "entered": "entered.html"}
_PAGES = [(re.compile(ROOT + pattern), name, page) for pattern, name, page in PAGES]


class Web:
    """The dashboard of one server, as an application behind its own gate."""

    def __init__(
        self,
        room: "Door",
        links: "Links",
        hosts: frozenset[str],
        log: "Log",
        shared: frozenset[str] = frozenset(),
        *,
        secure: bool = False,
    ) -> None:
        """`hosts` are names of this machine alone, `shared` those that others reach; see `WebGate`."""
        self._desk = Desk(room)
        self._entrance = entrance = Entrance(links, room, hosts)
        self._languages = {name: Language(name) for name in available()}
        self._live: Live | None = None
        self._prepared: asyncio.Future[None] | None = None
        self._log = log
        # By name and ending, without the sum of the content: app_css.
        names = {re.sub(r"-[0-9a-f]+\.", "_", one.rpartition("/")[2]): one for one in statics()}
        known: dict[str, Any] = {"static": names, "NAV": NAV, "BELOW": BELOW, "ROOT": ROOT}
        known |= {"FIRST_KINDS": teach.FIRST_KINDS, "SIGNS": review.SIGNS}
        self._templates = environment(known)
        self._gate = WebGate(self._answer, self._refused, entrance, hosts, shared, secure=secure)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> int:
        """Handles one request; returns its status."""
        scope["bowerbird.receive"] = receive
        return await self._gate(scope, receive, send)

    def end(self) -> None:
        """Ends the open streams."""
        if self._live is not None:
            self._live.end()

    async def _answer(self, scope: "Scope", visit: "Visit", form: dict[str, str]) -> Reply:
        path = scope["path"]
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"), errors="replace"))
        language = self._language(scope, visit)
        if path == EVENTS:
            return self._events(scope, visit, query)
        call = Call(self._desk, visit, language, query, form, {})
        if scope["method"] == "POST":
            return await self._act(call, path.removeprefix(_DO))
        try:
            return await self._page(call, path)
        except StoreMissing:  # nothing was ever kept: the first steps say what makes a store
            return Reply(303, to=f"{ROOT}/welcome")
        except BowerbirdError as error:
            return self._failed(call, error)
        except Exception as error:  # noqa: BLE001 the visitor learns no more than that
            self._log.fault(error)
            return self._render(500, "plain.html", language, what="fault")

    async def _page(self, call: Call, path: str) -> Reply:
        for pattern, name, page in _PAGES:
            if found := pattern.fullmatch(path):
                if not call.visit.sees(name):
                    return self._kept_from(call, name)
                call.path = found.groupdict()
                await call.begin()
                try:
                    data = await page(call)
                except StoreMissing:  # nothing was ever kept: what would be there, and how
                    if name not in FIRST:
                        raise
                    return self._render(
                        200, "first.html", call.language,
                        call=call, page=name, notice=None, path=path, query=call.query,
                    )  # fmt: skip
                if self._prepared is None:
                    self._prepared = asyncio.ensure_future(self._prepare(call))
                if isinstance(data, str):
                    return Reply(303, to=data)
                visit = call.visit
                notice, visit.notice = visit.notice, None
                typed, visit.typed = visit.typed, {}
                return self._render(
                    200, f"{name}.html", call.language,
                    call=call, page=name, notice=notice, typed=typed, path=path, query=call.query,
                    **data,
                )  # fmt: skip
        return self._render(404, "plain.html", call.language, what="missing")

    async def _prepare(self, call: Call) -> None:
        """Loads beside the first page what others need: Review took 130 ms once, and 35 later."""

        def load(bird: "Bowerbird") -> None:
            for name in self._templates.list_templates(extensions=("html",)):
                self._templates.get_template(name)
            if bird.owned:
                bird.admin.queue()
                bird.admin.settled(1)

        with suppress(BowerbirdError):
            await call.work(load, COUNT)

    def _kept_from(self, call: Call, name: str) -> Reply:
        """What a member gets in place of a page of the owner's; of the first one, their own first one."""
        if name == "health":
            return Reply(303, to=f"{ROOT}/memories")
        return self._failed(call, Denied(f"that page is the owner's: {name}", "ask them"))

    async def _act(self, call: Call, name: str) -> Reply:
        """Does what a form asks, and goes back to a page: 303, so that reloading repeats nothing."""
        visit, back = call.visit, within(call.form.pop("back", ""))
        act = actions.ACTIONS.get(name, actions.remember)
        if name not in {"preview", *actions.ACTIONS}:
            return self._render(404, "plain.html", call.language, what="missing")
        if not visit.may(name):
            visit.notice = {"key": "notice.not_a_person", "error": True}
            return Reply(303, to=back)
        try:
            if name == "preview":
                return await self._preview(call)
            if name in actions.ABOUT_SEEN:
                await actions.as_seen(call)
            to = await act(call)
            if visit.done and not visit.done[-1].on:
                visit.done[-1].on = back.partition("?")[0]
        except BowerbirdError as error:
            visit.typed = call.form
            visit.notice = {"error": True, "message": error.message, "remedy": error.remedy}
            visit.notice["busy"] = isinstance(error, StoreBusy)
            to = None
        return Reply(303, to=within(to) if to else back)

    async def _preview(self, call: Call) -> Reply:
        """What would become of a text: the only form that a page answers, as it changes nothing."""
        await call.begin()
        data = await teach.preview(call)
        return self._render(
            200, "teach.html", call.language,
            call=call, page="teach", notice=None, typed={}, path=ROOT + "/teach", query=call.query,
            **data,
        )  # fmt: skip

    def _events(self, scope: "Scope", visit: "Visit", query: dict[str, str]) -> Reply:
        if visit.streams >= MOST_STREAMS:
            return Reply(429, b"", "text/plain")
        if self._live is None:
            self._live = Live(self._desk)
        last = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
        since = last or query.get("since", "")
        live, receive = self._live, scope["bowerbird.receive"]
        project, begin = query.get("p", "") or visit.project, int(since) if since.isdecimal() else 0

        async def stream(send: "Send") -> None:
            await live.stream(visit, project, begin, receive, send)

        return Reply(200, kind="text/event-stream", stream=stream)

    def _language(self, scope: "Scope", visit: "Visit | None") -> Language:
        if visit is not None and visit.language in self._languages:
            return self._languages[visit.language]
        accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        return self._languages[preferred(accepted, tuple(self._languages))]

    def _refused(self, scope: "Scope", status: int, what: str, **told: str) -> Reply:
        """A page outside of any session; `told` is what it says besides."""
        asked = scope["query_string"].decode("latin-1")
        here = scope["path"] + (f"?{asked}" if asked else "")
        template = _OUTSIDE.get(what, "plain.html")
        return self._render(
            status, template, self._language(scope, None),
            what=what, enter=ENTER, sign_in=SIGN_IN, sso=self._entrance.has_single_sign_on,
            here=within(here), to=dict(parse_qsl(asked, errors="replace")).get("to", ""), **told,
        )  # fmt: skip

    def _failed(self, call: Call, error: BowerbirdError) -> Reply:
        known = ((NotFound, 404), (Denied, 403), (BadInput, 400))
        status = next((status for kind, status in known if isinstance(error, kind)), 503)
        return self._render(
            status, "plain.html", call.language,
            what="error", message=error.message, remedy=error.remedy,
        )  # fmt: skip

    def _render(self, status: int, template: str, language: Language, **data: "Any") -> Reply:
        text = self._templates.get_template(template).render(
            t=language.say, lang=language, languages=[*self._languages], **data
        )
        return Reply(status, text.encode("utf-8", "replace"))
