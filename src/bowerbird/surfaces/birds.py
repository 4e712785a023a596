"""Bowerbirds for a process that stays and has threads: a few that read, and one that writes.

A Bowerbird is not for several threads at once, so each is lent to one thread at a time. Readers keep
answers and vectors in memory, dropped as soon as any process writes; the one used last is lent first,
so that a quiet server keeps one matrix (27 MB at 100,000 entries), not one a reader.
"""

from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import StoreBusy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.clock import Clock

# Readers that may work at once. Python runs one at a time, save inside SQLite and numpy.
READERS = 2
# For so long a call waits for a reader, or for the writer.
WAIT_S = 30.0


class Birds:
    """Lends Bowerbirds over one store, each to one thread at a time."""

    def __init__(
        self, store: str | None = None, *, readers: int = READERS, clock: "Clock | None" = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._free: list[Bowerbird] = []
        self._may_read = BoundedSemaphore(readers)
        self._writer = Bowerbird.open(store, clock=clock)
        self._may_write = Lock()

    @property
    def path(self) -> str:
        """Where the store file is, or would be."""
        return self._writer.path

    def setting(self, key: str) -> "Any":
        """The value of a setting that is in effect."""
        return self._writer.admin.setting(key)

    @contextmanager
    def reading(
        self, project: str | None = None, *, confined: bool = False
    ) -> "Iterator[Bowerbird]":
        """A Bowerbird that works in a project, for questions alone; None takes the default one.

        A confined one knows of no other project. Raises StoreBusy where none becomes free in time.
        """
        if not self._may_read.acquire(timeout=WAIT_S):
            raise _busy("others are asking")
        try:
            try:
                bird = self._free.pop()
            except IndexError:
                bird = Bowerbird.open(self._store, clock=self._clock, resident=True)
            try:
                yield _within(bird, project, confined)
            finally:
                self._free.append(bird)
        finally:
            self._may_read.release()

    @contextmanager
    def writing(
        self, project: str | None = None, *, confined: bool = False
    ) -> "Iterator[Bowerbird]":
        """The Bowerbird that writes, in a project; None takes the default one.

        A confined one knows of no other project. Raises StoreBusy where another call does
        not let go of it in time.
        """
        if not self._may_write.acquire(timeout=WAIT_S):
            raise _busy("others are writing")
        try:
            yield _within(self._writer, project, confined)
        finally:
            self._may_write.release()

    def close(self) -> None:
        """Close the store, once nobody reads or writes any more."""
        while self._free:
            self._free.pop().close()
        # What is still written then is cut off as a kill would: nothing acknowledged is lost.
        if self._may_write.acquire(timeout=WAIT_S):
            self._writer.close()
            self._may_write.release()


def _within(bird: Bowerbird, project: str | None, confined: bool) -> Bowerbird:
    return bird.within(project, confined=confined)


def _busy(why: str) -> StoreBusy:
    return StoreBusy(f"{why} and none was done within {WAIT_S:.0f} s", "ask again in a moment")
