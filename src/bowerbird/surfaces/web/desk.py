"""Calls verbs for a page: in a thread of the server's queues, in the name of whoever looks."""

import asyncio
from time import monotonic

from bowerbird.core.clock import system_clock
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.types import GLOBAL
from bowerbird.daemon.birds import READ, queue
from bowerbird.surfaces.fields import module, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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
# Seconds that a page waits for what takes longer, if it can show what was true before the last change.
PATIENCE_S = 0.05
# Seconds after which what takes seconds is found again.
LATELY_S = 600.0


class Desk:
    """The verbs of a server, with answers that are kept until the store changes."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._kept: dict[tuple[str, ...], tuple[int, float, Any]] = {}
        self._lately: dict[tuple[str, ...], tuple[float, Any]] = {}
        self._asked: dict[tuple[str, ...], asyncio.Future[Any]] = {}

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
        name = (project, str(visit.person), *key)
        known = self._kept.get(name)
        if known is not None and known[0] == change and monotonic() - known[1] < KEPT_S:
            found: Done = known[2]
            return found
        begun = monotonic()
        found = await self.work(visit, project, work)
        while len(self._kept) >= _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[name] = (change, begun, found)
        return found

    async def soon(
        self,
        visit: "Visit",
        project: str,
        change: int,
        key: tuple[str, ...],
        work: "Callable[[Bowerbird], Done]",
    ) -> "Done":
        """What `kept` gives, or what it gave before where that takes long: a later page has the new."""
        name = (project, str(visit.person), *key)
        asked = self._asked.get(name)
        if asked is None:
            asked = asyncio.ensure_future(self.kept(visit, project, change, key, work))
            self._asked[name] = asked
            asked.add_done_callback(lambda one: self._told(name, one))
        known = self._kept.get(name)
        if known is not None:
            await asyncio.wait({asked}, timeout=PATIENCE_S)
        found: Done = await asyncio.shield(asked) if known is None or asked.done() else known[2]
        return found

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
        name = (project, str(visit.person), *key)
        known = self._lately.get(name)
        if name not in self._asked and (known is None or monotonic() - known[0] > LATELY_S):

            async def ask() -> None:
                try:
                    self._lately[name] = (monotonic(), await self.work(visit, project, work))
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

    async def begin(self) -> None:
        """Reads the counts; a visit without a project gets the one with most memories."""
        self.pulse = await self._desk.pulse(self.visit, self.project)
        if not self.visit.project and "p" not in self.query and self.pulse.projects:
            most = max(self.pulse.projects, key=lambda one: one[2])
            self.visit.project = self.project = most[0] or GLOBAL.name
            self.pulse = await self._desk.pulse(self.visit, self.project)

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

    async def soon(self, key: "tuple[str, ...]", work: "Callable[[Bowerbird], Done]") -> "Done":
        """The same, or what was true before the last change where finding it takes long."""
        return await self._desk.soon(self.visit, self.project, self.pulse.change, key, work)

    async def lately(
        self, key: "tuple[str, ...]", work: "Callable[[Bowerbird], Done]"
    ) -> "Done | None":
        """What a slow function gave lately; it is called beside the page."""
        return await self._desk.lately(self.visit, self.project, key, work)
