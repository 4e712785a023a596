"""The Bowerbirds of a process with threads: one for queries, some that read, one that writes.

Threads that share a Bowerbird wait for each other. So that no query waits for a write, each Bowerbird
serves one thread at a time. The one for queries caches answers and vectors until any process writes; a
second one would double that cache (80 MB at 100,000 entries) and hardly raise throughput, because ranking
is Python and numpy, which share one processor (29 answers a second against 26, 64 clients against one).
A server uses other processors by processes of their own (`surfaces.http.readers`).

They follow the user's configuration file: one that was opened before it changed is opened again, so that
a process that stays does not go on embedding with a model that was replaced.
"""

import os
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import StoreBusy, StoreReplaced, UsageError
from bowerbird.core.value import FrozenRecord
from bowerbird.core.who import PROGRAM, Who

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.clock import Clock

    _Settings = tuple[int, int, int] | None

# Seconds that a call waits for its turn: in general, and if it reads or rewrites the whole store. And
# that closing waits for a read: nothing is lost by one that is cut off, such as loading a model.
WAIT_S = 30.0
WHOLE_S = 600.0
CLOSING_S = 2.0


class Queue(FrozenRecord):
    """Calls of one queue wait for each other, not for calls of other queues.

    Args: name: what its calls do. limit: how many calls may run at once. writes: whether they change the
    store.
    """

    name: str
    limit: int
    writes: bool = False


# Queries; other reads; reads of the whole store, which take minutes; counts for pages, which take
# seconds; writes; rewrites of the whole store, in batches, so that other writes get in between; calls
# that ask for the progress of a background run; and whose token a request has.
ASK = Queue("ask", 1)
READ = Queue("read", 2)
WHOLE = Queue("whole", 1)
COUNT = Queue("count", 1)
WRITE = Queue("write", 1, writes=True)
REBUILD = Queue("rebuild", 1, writes=True)
AFTER = Queue("after", 4)
DOOR = Queue("door", 1)
QUEUES = (ASK, READ, WHOLE, COUNT, WRITE, REBUILD, AFTER, DOOR)
_BY_NAME = {queue.name: queue for queue in QUEUES}


def queue(name: str) -> Queue:
    """The queue with that name, as verbs declare it."""
    return _BY_NAME[name]


class Birds:
    """Bowerbirds over one store, each used by one thread at a time."""

    def __init__(self, store: str | None = None, *, clock: "Clock | None" = None) -> None:
        self._store = store
        self._clock = clock
        # Each with the state of the configuration file that it was opened with.
        self._free: dict[Queue, list[tuple[Bowerbird, _Settings]]] = {queue: [] for queue in QUEUES}
        self._turns = {queue: BoundedSemaphore(queue.limit) for queue in QUEUES}
        # Opens no file yet.
        first = Bowerbird.open(store, clock=clock)
        self._file = first.admin.settings(changed=True).path
        self._free[WRITE].append((first, _settings(self._file)))
        self.path = first.path
        self._setting, self._check = first.admin.setting, first.admin.check
        self.kinds = first.admin.kinds
        # Device and inode of the store when the server started.
        self._served: tuple[int, int] | None = None

    def setting(self, key: str) -> "Any":
        """The effective value of a setting."""
        return self._setting(key)

    def check(self) -> None:
        """Validate the settings that only a write would read. Raises BadConfig."""
        self._check()

    @contextmanager
    def acquire(
        self, queue: Queue, project: str | None = None, who: Who = PROGRAM
    ) -> "Iterator[Bowerbird]":
        """A Bowerbird for a project on behalf of `who`; None takes the default project.

        Raises StoreBusy if its turn does not come in time, and Denied as `Bowerbird.acting` does. Raises
        StoreReplaced if the store's file was removed or replaced; this lasts until the process is
        restarted, because other clients still hold ids of the old store, and most of them never see this
        error.
        """
        found = self._require_same()
        if not self._turns[queue].acquire(timeout=WAIT_S):
            raise StoreBusy(
                f"others are at it ({queue.name}) and none was done within {WAIT_S:.0f} s",
                "ask again in a moment",
            )
        try:
            free = self._free[queue]
            settings = _settings(self._file)
            bird, opened = free.pop() if free else (None, None)
            if bird is None or opened != settings:
                bird = self._opened(queue, bird)
            try:
                yield bird.within(project).acting(who)
                if self._served is None:
                    self._served = found or _identity(self.path)
            finally:
                free.append((bird, settings))
        finally:
            self._turns[queue].release()

    def _opened(self, queue: Queue, former: Bowerbird | None) -> Bowerbird:
        """One with today's settings; the `former` one if those are invalid: no client can mend them."""
        try:
            bird = Bowerbird.open(self._store, clock=self._clock, resident=queue == ASK)
        except UsageError:
            if former is None:
                raise
            return former
        if former is not None:
            former.close()
        return bird

    def _require_same(self) -> tuple[int, int] | None:
        found = _identity(self.path)
        if self._served is not None and found != self._served:
            state = "is gone" if found is None else "is another file than the one that was served"
            raise StoreReplaced(
                f"{self.path} {state}", "put it back, or restart the server to use what is there"
            )
        return found

    def close(self) -> None:
        """Closes the store once no write is in progress, nor a read that ends soon."""
        for queue in QUEUES:
            # A write that is still running then is aborted as by a kill: nothing acknowledged is lost.
            if self._turns[queue].acquire(timeout=WAIT_S if queue.writes else CLOSING_S):
                while self._free[queue]:
                    self._free[queue].pop()[0].close()
                self._turns[queue].release()


def _settings(path: str) -> "_Settings":
    """What tells one state of the configuration file from another; None if there is none."""
    with suppress(OSError):
        found = os.stat(path)
        return found.st_mtime_ns, found.st_size, found.st_ino
    return None


def _identity(path: str) -> tuple[int, int] | None:
    """The device and inode of a file; None if it does not exist."""
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None
