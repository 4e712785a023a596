"""Processes that answer questions beside the server's own, so that a question can use every core.

The server accepts and checks each request, writes, and hands what only reads to the reader that is free.
A reader has the store open like any other process; it keeps nothing that a client could miss, so a
question whose reader died is asked again of another one.
"""

import asyncio
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import wait
from threading import Thread

import anyio

from bowerbird.core.errors import BowerbirdError, StoreBusy
from bowerbird.core.types import GLOBAL
from bowerbird.daemon.birds import ASK, Birds
from bowerbird.daemon.log import Log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import Any, TypeVar

    Done = TypeVar("Done")

# What is counted for a page gives way to the page, which is made meanwhile.
_NICE = 10
# Any question works: it loads what questions need, the contextual model too.
_WARMING = "what was decided before"
# Those of this process, if it is a reader.
_opened: list[Birds] = []


class Readers:
    """A number of reader processes over one store. They end with the process that made them."""

    def __init__(self, store: str, count: int, *, counting: bool = False) -> None:
        """`counting`: they load nothing for questions, and give way to all else that runs."""
        self._store = store
        self._count = count
        self._counting = counting
        self._turns = anyio.CapacityLimiter(count)
        self._pool = self._started()

    async def run(self, work: "Callable[..., Done]", *given: "Any") -> "Done":
        """The result of a function of the reader's Bowerbirds and further values, all to be pickled.

        Waits until a reader is free. Raises StoreBusy if two readers died of it.
        """
        async with self._turns:
            for _ in range(2):
                pool = self._pool
                try:
                    return await asyncio.wrap_future(pool.submit(_answered, work, given))
                except BrokenProcessPool:
                    if pool is self._pool:
                        self._pool = self._started()
        raise StoreBusy("the processes that answer questions ended twice", "ask again in a moment")

    def close(self) -> None:
        """Ends the readers once they have answered."""
        self._pool.shutdown(cancel_futures=True)

    def abandon(self) -> None:
        """Ends them at once, whatever they are at."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for one in multiprocessing.active_children():
            one.terminate()
            one.join()

    def _started(self) -> ProcessPoolExecutor:
        """New processes, which load in the background what questions need, or are started when needed."""
        # A fork of a process with threads can hang; and the new ones read the code as it is now.
        fresh = multiprocessing.get_context("spawn")
        given = (self._store, self._counting)
        pool = ProcessPoolExecutor(self._count, fresh, _open, given)
        for _ in range(0 if self._counting else self._count):
            pool.submit(_warmed).add_done_callback(_unused)
        return pool


def _unused(warmed: "Future[None]") -> None:
    """Takes the error of a reader that could not load, whose first question will report it."""
    warmed.exception()


def _open(store: str, counting: bool) -> None:
    """Prepares this process as a reader."""
    if counting and hasattr(os, "nice"):
        os.nice(_NICE)
    # An interrupt from the terminal reaches all processes: the server ends its readers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()
    _opened.append(Birds(store))


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        wait([server.sentinel])
        os._exit(0)


def _warmed() -> None:
    with suppress(BowerbirdError), _opened[0].acquire(ASK, GLOBAL.name) as bird:
        bird.query(_WARMING, limit=1)


def _answered(work: "Callable[..., Done]", given: "tuple[Any, ...]") -> "Done":
    """Runs a function in this reader. Raises RuntimeError for any error, which it logs here."""
    try:
        return work(_opened[0], *given)
    except Exception as error:  # noqa: BLE001 the server answers 500, and the reader lives on
        # An error of any class might not survive pickling, and would then end the reader.
        Log(quiet=True).fault(error)
        raise RuntimeError(f"a reader failed: {type(error).__name__}") from None
