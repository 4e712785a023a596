"""Calls verbs for a page: in a thread of the server's queues, in the name of whoever looks."""

import asyncio
from contextlib import contextmanager
from shlex import quote
from time import monotonic

from bowerbird.core.clock import system_clock
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.types import GLOBAL
from bowerbird.daemon.birds import COUNT, READ, WHOLE, queue
from bowerbird.surfaces.fields import module, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from typing import Any, Protocol, TypeVar

    from bowerbird.bird import Bowerbird
    from bowerbird.core.overview import Pulse
    from bowerbird.daemon.birds import Birds, Queue
    from bowerbird.surfaces.web.language import Language
    from bowerbird.surfaces.web.visits import Visit

    Done = TypeVar("Done")

    class Room(Protocol):
        """What runs a function in a thread, in its turn (`surfaces.http.routes.Room`)."""

        birds: Birds

        async def run(self, work: "Callable[[], Done]", queue: Queue) -> "Done":
            """Runs it."""


# What is kept of a project, and for how many seconds at the longest: files change without the store.
_MOST_KEPT = 64
KEPT_S = 30.0
# Seconds that a page waits for what takes longer: if it can show what was true before the last change,
# and if it has nothing to show yet. What took longer before is not waited for: at 100,000 memories each
# of nine pages waited 50 ms in vain after each change.
PATIENCE_S = 0.05
FIRST_PATIENCE_S = 0.15
# Seconds without a page after which what is not waited for is found again, and those after which it is
# found even while pages are asked for: a page that is made meanwhile shares Python's lock with it, and
# takes up to twice as long.
AFTER_S = 0.15
MOST_AFTER_S = 5.0
# What takes longer than this many seconds is found again only after this many times as long, however
# often the store changes meanwhile: with 100,000 memories each count takes .1 to .4 s of a processor, and
# the page that is asked next waits for it.
SLOW_S = 0.1
REST = 10
# Seconds after which what takes seconds is found again.
LATELY_S = 600.0


class Found:
    """What a function gave, at which change of the store, when, and in how many seconds."""

    def __init__(self, value: "Any", change: int, begun: float, took: float) -> None:
        self.value = value
        self.change = change
        self.begun = begun
        self.took = took
        self.at = system_clock() - round((monotonic() - begun) * 1000)

    def current(self, change: int) -> bool:
        """Whether nothing changed since, and it is not old: files change without the store."""
        return self.change == change and monotonic() - self.begun < KEPT_S

    def rests(self) -> bool:
        """Whether it took so long that it is not found again yet."""
        return self.took > SLOW_S and monotonic() - self.begun < REST * self.took


class Desk:
    """The verbs of a server, with answers that are kept until the store changes."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._kept: dict[tuple[str, ...], Found] = {}
        self._lately: dict[tuple[str, ...], tuple[float, Any]] = {}
        self._asked: dict[tuple[str, ...], asyncio.Future[Any]] = {}
        # By the visitor and the sort of what is found: what was asked for last.
        self._latest: dict[tuple[str, ...], tuple[str, ...]] = {}
        # By the sort of what is found: how long it took last, whatever was asked.
        self._took: dict[str, float] = {}
        # Pages that are being made, and when the last one was done.
        self._pages = 0
        self._page_done = 0.0

    @contextmanager
    def page(self) -> "Iterator[None]":
        """While a page is made, and for a moment afterwards, nothing slow is found again."""
        self._pages += 1
        try:
            yield
        finally:
            self._pages -= 1
            self._page_done = monotonic()

    async def work(
        self,
        visit: "Visit",
        project: str,
        work: "Callable[[Bowerbird], Done]",
        queue: "Queue" = READ,
    ) -> "Done":
        """Calls a function with a Bowerbird of a project, in the visitor's name."""

        def begin() -> "Done":
            with self._room.birds.acquire(queue, project or None, visit.who) as bird:
                return work(bird)

        return await self._room.run(begin, queue)

    async def kept(
        self,
        visit: "Visit",
        project: str,
        change: int,
        key: tuple[str, ...],
        work: "Callable[[Bowerbird], Done]",
    ) -> "Done":
        """The same, or what it gave before, if nothing changed since."""
        name = (project, visit.who.actor, *key)
        known = self._kept.get(name)
        if known is None or not known.current(change):
            known = await self._found(visit, name, change, work, READ)
        found: Done = known.value
        return found

    async def _found(
        self,
        visit: "Visit",
        name: tuple[str, ...],
        change: int,
        work: "Callable[[Bowerbird], Any]",
        queue: "Queue",
    ) -> Found:
        def timed(bird: "Bowerbird") -> "tuple[Any, float, float]":
            begun = (
                monotonic()
            )  # its turn has come: how many wait says nothing of how long it takes
            return work(bird), begun, monotonic() - begun

        value, begun, took = await self.work(visit, name[0], timed, queue)
        while len(self._kept) >= _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[name] = Found(value, change, begun, took)
        self._took[name[2]] = took
        return self._kept[name]

    async def _later(
        self,
        visit: "Visit",
        name: tuple[str, ...],
        change: int,
        work: "Callable[[Bowerbird], Any]",
        queue: "Queue",
    ) -> Found | None:
        """The same, once no page is being made; None if its visitor asked for another one meanwhile.

        A page that still shows asks again (`data-later`); of twenty searches nobody counts nineteen.
        """
        asked = monotonic()
        while monotonic() - asked < MOST_AFTER_S:
            await asyncio.sleep(AFTER_S)
            if not self._pages and monotonic() - self._page_done >= AFTER_S:
                break
        if self._latest.get(name[1:3]) != name:
            return None
        change = max(change, await self.change(visit, name[0]))
        return await self._found(visit, name, change, work, queue)

    async def soon(
        self,
        visit: "Visit",
        project: str,
        change: int,
        key: tuple[str, ...],
        work: "Callable[[Bowerbird], Any]",
        queue: "Queue" = COUNT,
        patience: float = FIRST_PATIENCE_S,
    ) -> Found | None:
        """What a function gives, or gave before where that takes long; None where it gave nothing yet.

        It goes on beside the page, so that a later one has the new. `patience`: seconds that a page waits
        that has nothing to show yet.
        """
        name = (project, visit.who.actor, *key)
        self._latest[name[1:3]] = name
        known = self._kept.get(name)
        if known is not None and (known.current(change) or known.rests()):
            return known
        # What was never asked likely takes as long as others of its sort.
        lasts = known.took if known is not None else self._took.get(key[0], 0.0)
        waited = patience if known is None else PATIENCE_S
        slow = lasts > waited
        asked = self._asked.get(name)
        if asked is None:
            finding: Awaitable[Found | None] = (
                self._later(visit, name, change, work, queue)
                if slow
                else self._found(visit, name, change, work, queue)
            )
            asked = self._asked[name] = asyncio.ensure_future(finding)
            asked.add_done_callback(lambda one: self._told(name, one))
        if slow:
            return known
        await asyncio.wait({asked}, timeout=waited)
        return (asked.result() or known) if asked.done() else known

    def _told(self, name: tuple[str, ...], asked: "asyncio.Future[Any]") -> None:
        del self._asked[name]
        if not asked.cancelled():
            asked.exception()  # whoever waits for it gets it, too; perhaps nobody does

    async def lately(
        self,
        visit: "Visit",
        project: str,
        key: tuple[str, ...],
        work: "Callable[[Bowerbird], Done]",
    ) -> "Done | None":
        """What a slow function gave last, however the store changed since; None until it gave anything.

        It is called again, beside the page, if that was a while ago.
        """
        name = (project, visit.who.actor, *key)
        known = self._lately.get(name)
        if name not in self._asked and (known is None or monotonic() - known[0] > LATELY_S):

            async def ask() -> None:
                try:
                    found = await self.work(visit, project, work, WHOLE)
                    self._lately[name] = (monotonic(), found)
                except BowerbirdError:
                    pass  # busy or closing: the next page asks again
                finally:
                    del self._asked[name]

            self._asked[name] = asyncio.ensure_future(ask())
        return None if known is None else known[1]

    async def change(self, visit: "Visit", project: str) -> int:
        """The number of the last change in the store."""
        return await self.work(visit, project, lambda bird: bird.admin.change())

    async def pulse(self, visit: "Visit", project: str) -> "Pulse":
        """The counts that every page shows."""
        change = await self.change(visit, project)
        return await self.kept(visit, project, change, ("pulse",), lambda bird: bird.admin.pulse())


class Call:
    """A request of a page: who looks, at which project, in which language, and what was asked."""

    def __init__(
        self,
        desk: Desk,
        visit: "Visit",
        language: "Language",
        query: dict[str, str],
        form: dict[str, str],
        path: dict[str, str],
    ) -> None:
        self._desk = desk
        self.visit = visit
        self.language = language
        self.query = query
        self.form = form
        self.path = path
        self.now = system_clock()
        self.project = query.get("p") or form.get("p") or visit.project or GLOBAL.name
        self.pulse: Pulse
        # What modules are called, by the names that memories may give them.
        self.modules: dict[str, str] = {}
        # Since when a part of the page may have changed (UTC milliseconds); 0: it is not known yet.
        self.late: int | None = None

    @property
    def named(self) -> str:
        """The project as a command line names it: by its name, unless another one has that too."""
        names = [name for _, name, _ in self.pulse.projects]
        own = next((name for uid, name, _ in self.pulse.projects if uid == self.project), "")
        return quote(own if own and names.count(own) == 1 else self.project)

    async def begin(self) -> None:
        """Reads the counts; a visit without a project gets the one with most memories."""
        self.pulse = await self._desk.pulse(self.visit, self.project)
        if not self.visit.project and "p" not in self.query and self.pulse.projects:
            most = max(self.pulse.projects, key=lambda one: one[2])
            self.visit.project = self.project = most[0] or GLOBAL.name
            self.pulse = await self._desk.pulse(self.visit, self.project)
        # Of the project's folders, which no change of a memory changes.
        self.modules = await self._desk.kept(
            self.visit, self.project, 0, ("module names",), lambda bird: bird.admin.module_names()
        )

    async def verb(self, name: str, **given: "Any") -> "Any":
        """Calls a verb by its description."""
        found = module(name)
        return await self.work(lambda bird: run(found, bird, given), queue(found.VERB.queue))

    async def work(self, work: "Callable[[Bowerbird], Done]", queue: "Queue" = READ) -> "Done":
        """Calls a function with a Bowerbird."""
        return await self._desk.work(self.visit, self.project, work, queue)

    async def kept(self, key: "tuple[str, ...]", work: "Callable[[Bowerbird], Done]") -> "Done":
        """Calls a function with a Bowerbird unless its answer is known and nothing changed since."""
        return await self._desk.kept(self.visit, self.project, self.pulse.change, key, work)

    async def soon(
        self,
        key: "tuple[str, ...]",
        work: "Callable[[Bowerbird], Done]",
        queue: "Queue" = COUNT,
        patience: float = FIRST_PATIENCE_S,
    ) -> "Done | None":
        """The same, or what was true before where finding it takes long; None where nothing is known yet.

        `late` then says so to the page. `patience` as of `Desk.soon`.
        """
        change = self.pulse.change
        found = await self._desk.soon(self.visit, self.project, change, key, work, queue, patience)
        if found is None:
            self.late = 0
            return None
        if found.change != self.pulse.change:
            self.late = found.at if self.late is None else min(self.late, found.at)
        value: Done = found.value
        return value

    async def lately(
        self, key: "tuple[str, ...]", work: "Callable[[Bowerbird], Done]"
    ) -> "Done | None":
        """What a slow function gave lately; it is called beside the page."""
        return await self._desk.lately(self.visit, self.project, key, work)
