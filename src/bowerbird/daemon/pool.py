"""Bowerbirds for a process that stays and has threads: one that is asked, some that read, one writes.

Threads may share a Bowerbird, and then wait for each other; so that no search waits for a write, each
is lent to one thread at a time. The one that is asked keeps answers and vectors in memory, dropped as
soon as any process writes; a second one would keep them twice (80 MB at 100,000 entries) and answer
little more in a second: ranking is Python and numpy, which share one processor (29 answers a second
against 26, 64 clients against one).
"""

import os
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import StoreBusy, StoreReplaced
from bowerbird.core.value import Frozen
from bowerbird.core.who import PROGRAM, Who

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.clock import Clock

# For so long a call waits for its turn, and what goes through the whole store may take.
WAIT_S, WHOLE_S = 30.0, 600.0


class Lane(Frozen):
    """Calls that take turns with each other and hold up no others.

    Args:
        name: what its Bowerbirds do.
        width: how many calls may be under way at once.
        writes: whether they change the store.
    """

    __slots__ = ("name", "width", "writes")

    def __init__(self, name: str, width: int, *, writes: bool = False) -> None:
        self.name = name
        self.width = width
        self.writes = writes


# Questions, by meaning and words; whatever else reads; what reads the whole store, for minutes; writes;
# what writes the whole store, batch by batch, so that others write in between; what asks after work
# that goes on by itself.
ASK, READ, WHOLE = Lane("ask", 1), Lane("read", 2), Lane("whole", 1)
WRITE, ANEW = Lane("write", 1, writes=True), Lane("anew", 1, writes=True)
AFTER = Lane("after", 4)
LANES = (ASK, READ, WHOLE, WRITE, ANEW, AFTER)
_BY_NAME = {lane.name: lane for lane in LANES}


def lane(name: str) -> Lane:
    """The lane that a verb names."""
    return _BY_NAME[name]


class Pool:
    """Lends Bowerbirds over one store, each to one thread at a time."""

    def __init__(self, store: str | None = None, *, clock: "Clock | None" = None) -> None:
        self._store = store
        self._clock = clock
        self._free: dict[Lane, list[Bowerbird]] = {lane: [] for lane in LANES}
        self._turns = {lane: BoundedSemaphore(lane.width) for lane in LANES}
        # Opens nothing yet.
        first = Bowerbird.open(store, clock=clock)
        self._free[WRITE].append(first)
        self.path = first.path
        self._setting, self._check = first.admin.setting, first.admin.check
        self.kinds = first.admin.kinds
        # Device and inode of the store that was served first.
        self._served: tuple[int, int] | None = None

    def setting(self, key: str) -> "Any":
        """The value of a setting that is in effect."""
        return self._setting(key)

    def check(self) -> None:
        """Look at the settings that only a write would. Raises BadConfig."""
        self._check()

    @contextmanager
    def lent(
        self, lane: Lane, project: str | None = None, who: Who = PROGRAM
    ) -> "Iterator[Bowerbird]":
        """A Bowerbird of a lane that works in a project for somebody; None takes the default one.

        Raises StoreBusy where its turn does not come in time, Denied as `Bowerbird.acting` does, and
        StoreReplaced, until the process is started anew, where another file is there, or none: clients
        go on with what they were told before, and most do not hear what one of them is told.
        """
        found = self._require_same()
        if not self._turns[lane].acquire(timeout=WAIT_S):
            raise StoreBusy(
                f"others are at it ({lane.name}) and none was done within {WAIT_S:.0f} s",
                "ask again in a moment",
            )
        try:
            free = self._free[lane]
            bird = (
                free.pop()
                if free
                else Bowerbird.open(self._store, clock=self._clock, resident=lane == ASK)
            )
            try:
                yield bird.within(project).acting(who)
                if self._served is None:
                    self._served = found or _identity(self.path)
            finally:
                free.append(bird)
        finally:
            self._turns[lane].release()

    def _require_same(self) -> tuple[int, int] | None:
        found = _identity(self.path)
        if self._served is not None and found != self._served:
            state = "is gone" if found is None else "is another file than the one that was served"
            raise StoreReplaced(
                f"{self.path} {state}", "put it back, or start the server anew to use what is there"
            )
        return found

    def close(self) -> None:
        """Close the store, once nobody reads or writes any more."""
        for lane in LANES:
            # What is still written then is cut off as a kill would: nothing acknowledged is lost.
            if self._turns[lane].acquire(timeout=WAIT_S):
                while self._free[lane]:
                    self._free[lane].pop().close()
                self._turns[lane].release()


def _identity(path: str) -> tuple[int, int] | None:
    """The device and inode of a file; None where there is none."""
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None
