"""Calls verbs for a page: in a thread of the server's queues, in the name of whoever looks."""

import asyncio
from functools import partial
from shlex import quote
from time import monotonic

from bowerbird.core.clock import system_clock
from bowerbird.core.types import GLOBAL
from bowerbird.daemon.birds import ASK, COUNT, READ, WHOLE, queue
from bowerbird.surfaces.fields import module, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar

    from bowerbird.bird import Bowerbird
    from bowerbird.core.overview import Pulse
    from bowerbird.core.who import Who
    from bowerbird.daemon.birds import Birds, Queue
    from bowerbird.surfaces.web.language import Language
    from bowerbird.surfaces.web.visits import Visit

    Done = TypeVar("Done")

    class Room(Protocol):
        """What runs a function in a thread, in its turn (`surfaces.http.routes.Room`)."""

        birds: Birds

        async def run(self, work: "Callable[[], Done]", queue: Queue) -> "Done":
            """Runs it."""

        async def apart(self, work: "Callable[..., Done]", *given: "Any") -> "Done":
            """The result of a function of Bowerbirds in another process, and further values."""


# What is kept of a project, and for how many seconds at the longest: files change without the store.
_MOST_KEPT = 64
KEPT_S = 30.0
# Seconds that a page waits for what takes longer: if it can show what was true before the last change,
# and if it has nothing to show yet. What took longer before is not waited for: at 100,000 memories each
# of nine pages waited 50 ms in vain after each change.
PATIENCE_S = 0.05
FIRST_PATIENCE_S = 0.15
# Memories of a store from which on a process of its own counts them. Up to there what takes longest, the
# score, takes less than a tenth of a second; of 100,000 half a second, and a page that is made beside it
# in this process waits for Python's lock at each row that it reads: review took 173 ms instead of 39.
LARGE = 20_000
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

    def current(self, change: int, seconds: float = KEPT_S) -> bool:
        """Whether nothing changed since, and it is not older than some seconds."""
        return self.change == change and monotonic() - self.begun < seconds


class Desk:
    """The verbs of a server, with answers that are kept until the store changes."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._kept: dict[tuple[str, ...], Found] = {}
        self._asked: dict[tuple[str, ...], asyncio.Future[Found]] = {}
        # By the sort of what is found: how long it took last, whatever was asked.
        self._took: dict[str, float] = {}

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
        *,
        apart: bool = False,
    ) -> Found:
        if apart:
            timed = await self._room.apart(_counted, name[0], visit.who, work, queue.name)
        else:
            timed = await self.work(visit, name[0], partial(_timed, work), queue)
        while len(self._kept) >= _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        found = self._kept[name] = Found(timed[0], change, *timed[1:])
        self._took[name[2]] = found.took
        return found

    async def soon(
        self,
        visit: "Visit",
        project: str,
        change: int,
        key: tuple[str, ...],
        work: "Callable[[Bowerbird], Any]",
        queue: "Queue" = COUNT,
        patience: float = FIRST_PATIENCE_S,
        seconds: float = KEPT_S,
        *,
        apart: bool = False,
    ) -> Found | None:
        """What a function gives, or gave before where that takes long; None where it gave nothing yet.

        It goes on beside the page, so that a later one has the new; `apart` in another process, for which
        the function is pickled. `patience`: seconds that a page waits that has nothing to show yet.
        `seconds`: for how long it holds at most if nothing changes.
        """
        name = (project, visit.who.actor, *key)
        known = self._kept.get(name)
        if known is not None and known.current(change, seconds):
            return known
        asked = self._asked.get(name)
        if asked is None:
            finding = self._found(visit, name, change, work, queue, apart=apart)
            asked = self._asked[name] = asyncio.ensure_future(finding)
            asked.add_done_callback(lambda one: self._told(name, one))
        if known is not None and known.change == change:
            return known  # files may have changed without the store: a later page shows that
        waited = patience if known is None else PATIENCE_S
        # What was never asked likely takes as long as others of its sort.
        if (known.took if known is not None else self._took.get(key[0], 0.0)) > waited:
            return known
        await asyncio.wait({asked}, timeout=waited)
        return asked.result() if asked.done() else known

    def _told(self, name: tuple[str, ...], asked: "asyncio.Future[Found]") -> None:
        del self._asked[name]
        if not asked.cancelled():
            asked.exception()  # whoever waits for it gets it, too; perhaps nobody does

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
        # Whether the experiment is on: its page is offered then.
        self.experiments = False
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
        self.experiments = await self._desk.kept(
            self.visit, self.project, 0, ("experiments",),
            lambda bird: bird.admin.setting("agent.experiment") == "on",
        )  # fmt: skip

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
        patience: float = FIRST_PATIENCE_S,
        *,
        asks: bool = False,
    ) -> "Done | None":
        """The same, or what was true before where finding it takes long; None where nothing is known yet.

        `late` then says so to the page. `patience` as of `Desk.soon`. The function can be pickled, unless
        it `asks`: by what this process keeps for questions.
        """
        change, apart = self.pulse.change, self._apart and not asks
        queue = ASK if asks else COUNT
        found = await self._desk.soon(
            self.visit, self.project, change, key, work, queue, patience, apart=apart
        )
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
        """What a function that takes seconds gave lately, however the store changed; None until then."""
        found = await self._desk.soon(
            self.visit, self.project, 0, key, work, WHOLE, 0.0, LATELY_S, apart=self._apart
        )
        return None if found is None else found.value

    @property
    def _apart(self) -> bool:
        """Whether so much is to be counted that another process does."""
        return sum(memories for *_, memories in self.pulse.projects) > LARGE


def _timed(work: "Callable[[Bowerbird], Any]", bird: "Bowerbird") -> "tuple[Any, float, float]":
    """What a function gives, when it began, and how long it took: not how long its turn took to come."""
    begun = monotonic()
    return work(bird), begun, monotonic() - begun


def _counted(
    birds: "Birds", project: str, who: "Who", work: "Callable[[Bowerbird], Any]", turns: str
) -> "tuple[Any, float, float]":
    """The same in the process that counts."""
    with birds.acquire(queue(turns), project or None, who) as bird:
        return _timed(work, bird)
