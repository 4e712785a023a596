"""What takes long comes later: a page shows what was true before, with its time, or that it counts."""

from __future__ import annotations

import asyncio
import threading
from time import monotonic
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.daemon.birds import Birds
from bowerbird.surfaces.web.desk import AFTER_S, PATIENCE_S, Call, Desk, Found
from bowerbird.surfaces.web.language import Language
from bowerbird.surfaces.web.visits import Visit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bowerbird.daemon.birds import Queue


class Threads:
    """Runs what pages ask for, each in a thread."""

    def __init__(self, store: str) -> None:
        self.birds = Birds(store)

    async def run(self, work: Callable[[], Any], queue: Queue) -> Any:
        del queue
        return await asyncio.to_thread(work)


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


def test_what_took_long_is_found_again_only_when_the_page_is_there(tmp_path: Path) -> None:
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
        assert (shown.change, len(begun)) == (1, 1), "neither waited for nor begun"
        lasts.set()
        while (now := await desk.soon(visit, "shop", 2, ("slow",), counted)) and now.change == 1:
            await desk.pulse(visit, "shop")
        assert len(begun) == 2

    asyncio.run(visits())
    room.birds.close()


def test_nothing_is_found_again_while_a_page_is_made(tmp_path: Path) -> None:
    store = str(tmp_path / "memory.db")
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The till opens at nine")
    room = Threads(store)
    desk, visit = Desk(room), Visit(person=True, project="shop", host="")
    begun: list[bool] = []
    made = False

    def counted(bird: Bowerbird) -> int:
        begun.append(made)
        threading.Event().wait(PATIENCE_S * 1.2 if len(begun) == 1 else 0)
        return len(bird.list(memories_only=True))

    async def visits() -> None:
        nonlocal made
        while await desk.soon(visit, "shop", 1, ("slow",), counted) is None:
            pass
        with desk.page():
            await desk.soon(visit, "shop", 2, ("slow",), counted)
            until = monotonic() + 2 * AFTER_S
            while monotonic() < until:
                await desk.pulse(visit, "shop")
        made = True
        while (now := await desk.soon(visit, "shop", 2, ("slow",), counted)) and now.change == 1:
            await desk.pulse(visit, "shop")

    asyncio.run(visits())
    assert begun == [False, True]
    room.birds.close()


def test_what_took_seconds_is_not_counted_at_each_change() -> None:
    found = Found(1, change=5, begun=monotonic() - 2, took=2)
    assert not found.current(6)
    assert found.rests()
    assert not Found(1, change=5, begun=monotonic(), took=0).rests()
