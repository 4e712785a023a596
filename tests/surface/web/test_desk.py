"""What takes long comes later: a page shows what was true before, with its time, or that it counts."""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
import threading
from operator import methodcaller
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.daemon.birds import Birds
from bowerbird.daemon.indexing import Indexing
from bowerbird.daemon.log import Log
from bowerbird.surfaces.http.routes import Room
from bowerbird.surfaces.web.desk import PATIENCE_S, Call, Desk
from bowerbird.surfaces.web.language import Language
from bowerbird.surfaces.web.pages import experiment, fading, health, memories, modules
from bowerbird.surfaces.web.visits import Visit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from bowerbird.daemon.birds import Queue


class Threads:
    """Runs what pages ask for, each in a thread."""

    def __init__(self, store: str) -> None:
        self.birds = Birds(store)

    async def run(self, work: Callable[[], Any], queue: Queue) -> Any:
        del queue
        return await asyncio.to_thread(work)

    async def apart(self, work: Callable[..., Any], *given: Any) -> Any:
        sent, further = pickle.loads(pickle.dumps((work, given)))
        return pickle.loads(pickle.dumps(await asyncio.to_thread(sent, self.birds, *further)))


class OfALargeStore(Call):
    """A request of a page whose counts another process finds."""

    _apart = True


def test_a_page_waits_for_nothing_that_takes_long(tmp_path: Path) -> None:
    store = str(tmp_path / "memory.db")
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The till opens at nine")
    room = Threads(store)
    desk, visit = Desk(room), Visit(person=True, project="shop", host="")
    go = threading.Event()

    def slow(bird: Bowerbird) -> int:
        assert go.wait(30)
        return len(bird.list(memories_only=True))

    async def look() -> Call:
        call = Call(desk, visit, Language("en"), {}, {}, {})
        await call.begin()
        return call

    async def visits() -> None:
        first = await look()
        assert await first.soon(("slow",), slow) is None
        assert first.late == 0
        go.set()
        while await (second := await look()).soon(("slow",), slow) is None:
            pass
        assert (await second.soon(("slow",), slow), second.late) == (1, None)
        go.clear()
        with Bowerbird.open(store, project="shop") as bird:
            bird.remember("The till closes at six")
        third = await look()
        assert await third.soon(("slow",), slow) == 1
        assert third.late is not None
        assert third.now - 60_000 < third.late <= third.now
        go.set()
        while await (fourth := await look()).soon(("slow",), slow) == 1:
            pass
        assert fourth.late is None

    asyncio.run(visits())
    room.birds.close()


def test_what_took_long_is_found_again_beside_the_page(tmp_path: Path) -> None:
    store = str(tmp_path / "memory.db")
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The till opens at nine")
    room = Threads(store)
    desk, visit = Desk(room), Visit(person=True, project="shop", host="")
    lasts = threading.Event()
    begun: list[int] = []

    def counted(bird: Bowerbird) -> int:
        begun.append(len(begun))
        lasts.wait(PATIENCE_S * 1.2)
        return len(bird.list(memories_only=True))

    async def visits() -> None:
        while await desk.soon(visit, "shop", 1, ("slow",), counted) is None:
            pass
        shown = await desk.soon(visit, "shop", 2, ("slow",), counted)
        assert shown is not None
        assert shown.change == 1, "not waited for"
        lasts.set()
        while (now := await desk.soon(visit, "shop", 2, ("slow",), counted)) and now.change == 1:
            await desk.pulse(visit, "shop")
        assert len(begun) == 2

    asyncio.run(visits())
    room.birds.close()


def test_what_is_true_still_is_shown_at_once_however_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = str(tmp_path / "memory.db")
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The till opens at nine")
    room = Threads(store)
    desk, visit = Desk(room), Visit(person=True, project="shop", host="")
    go = threading.Event()
    begun: list[int] = []

    def counted(bird: Bowerbird) -> int:
        begun.append(len(begun))
        assert len(begun) == 1 or go.wait(30)
        return len(bird.list(memories_only=True))

    async def visits() -> None:
        while await desk.soon(visit, "shop", 1, ("count",), counted) is None:
            pass
        # Files change without the store, so that it is counted again: beside the page.
        known = await desk.soon(visit, "shop", 1, ("count",), counted, seconds=0.0)
        assert known is not None
        assert known.value == 1
        assert not go.is_set()
        go.set()
        while len(begun) < 2 or desk._asked:
            await desk.pulse(visit, "shop")

    asyncio.run(visits())
    room.birds.close()


def test_a_large_store_is_counted_by_another_process(tmp_path: Path) -> None:
    store = str(tmp_path / "memory.db")
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The till opens at nine")
    birds = Birds(store)
    room = Room(birds, Indexing(store, (), None, Log(quiet=True)))
    desk, visit = Desk(room), Visit(person=True, project="shop", host="")

    counted = methodcaller("list", memories_only=True)

    async def visits() -> Any:
        while (found := await desk.soon(visit, "shop", 1, ("list",), counted, apart=True)) is None:
            await desk.pulse(visit, "shop")
        return found.value

    assert [one.text for one in asyncio.run(visits())] == ["The till opens at nine"]
    counting = multiprocessing.active_children()
    assert counting
    room.close()
    birds.close()
    for one in counting:
        one.join(30)
        assert one.exitcode is not None


@pytest.mark.parametrize(
    ("page", "query"),
    [
        *((one.page, "") for one in (health, modules, fading, experiment)),
        *((memories.page, one) for one in ("", "stale:yes", "corrected:yes", "till kind:fact")),
    ],
)
def test_what_a_page_counts_can_be_sent_to_another_process(
    tmp_path: Path, page: Callable[[Call], Awaitable[Any]], query: str
) -> None:
    store = str(tmp_path / "memory.db")
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The till opens at nine")
    room = Threads(store)
    desk, visit = Desk(room), Visit(person=True, project="", host="")

    async def visited() -> None:
        while True:
            call = OfALargeStore(desk, visit, Language("en"), {"q": query}, {}, {})
            await call.begin()
            await page(call)
            if call.late is None:
                return

    asyncio.run(visited())
    room.birds.close()
