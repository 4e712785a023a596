"""A queue of processes, through a file beside the store, for its creation, upgrades and writes."""

import os
from contextlib import contextmanager
from time import monotonic_ns, sleep

import apsw

from bowerbird.core.errors import StoreBusy, StoreReadOnly
from bowerbird.host.locks import anyone_at, leave, lock, opened_to_lock, stand_at
from bowerbird.storage.sqlite.file import connection as sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# In a line, who comes looks each 10 ms, after a tenth of a second twice as often, after one each ms.
FIRST_LOOK_S = 0.01
LOOKS_TWICE_AFTER_S = 0.1


@contextmanager
def file_lock(path: str) -> "Iterator[None]":
    """Hold `path`.lock exclusively: first open and migrations happen one process at a time.

    Raises StoreReadOnly where no such file can be made or locked.
    """
    handle = -1
    try:
        handle = opened_to_lock(path + ".lock")
        lock(handle)
    except OSError as error:
        if handle >= 0:
            os.close(handle)
        raise StoreReadOnly(
            f"{path}.lock cannot be locked: {error.strerror}",
            "keep the store on a local disk, in a folder that you may write to: --store PATH",
        ) from error
    try:
        yield
    finally:
        os.close(handle)


def wait_for_upgrade(path: str) -> None:
    """Wait, at most as long as a writer does, while another process creates or upgrades the store.

    Does nothing if none does, or if that cannot be determined. Raises StoreBusy.
    """
    try:
        handle = os.open(path + ".lock", os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return
    try:
        again = sqlite.patient()
        times = 0
        while not _taken(handle, shared=True):
            if not again(times):
                raise StoreBusy(
                    f"{path} is being upgraded by another process",
                    "run this again when that has ended",
                )
            times += 1
    finally:
        os.close(handle)


@contextmanager
def in_turn(path: str, ahead: "Callable[[], None] | None" = None) -> "Iterator[None]":
    """Queue for the write lock: one process waits for it, the others wait behind that one.

    Otherwise the process that released the lock would take it again before others poll. Without the file,
    or on a disk without such locks, there is no queue, and no process is refused. A process that had to
    wait calls `ahead` when it is next. Raises BusyError, and what `ahead` raises.
    """
    try:
        handle = opened_to_lock(path + ".lock")
    except OSError:
        yield
        return
    try:
        if _wait(handle) and ahead is not None:
            ahead()
        yield
    finally:
        leave(handle)
        os.close(handle)


def _wait(handle: int) -> bool:
    """Wait until no process is ahead; returns whether it had to wait. Raises BusyError."""
    came = monotonic_ns()
    if not _anyone_before(handle, came, came) and _taken(handle):
        return False
    stand_at(handle, came)
    while True:
        now = monotonic_ns()
        waited = (now - came) / 1e9
        if waited > sqlite.BUSY_TIMEOUT_MS / 1000:
            raise apsw.BusyError("the queue of writers did not advance")
        first = not _anyone_before(handle, came, now)
        if first and _taken(handle):
            return True
        sleep(sqlite.LOOK_S if first else FIRST_LOOK_S / (1 + waited / LOOKS_TWICE_AFTER_S))


def _taken(handle: int, *, shared: bool = False) -> bool:
    try:
        return lock(handle, wait=False, shared=shared)
    except OSError:
        return True  # such a disk cannot hold a queue


# A waiting process locks one byte of the file, at the nanosecond of its arrival: later ones see it, and
# the system releases it when the process is killed. They are locks of an open file, which only Linux has:
# elsewhere a process that has waited longer polls more often, and is mostly first.
# How long a process counts as waiting: one suspended by Ctrl-Z, say, does not block others longer.
# Of sixteen writers on two busy cores one in a thousand waited 4 s.
_WAIT_NS = 5_000_000_000


def _anyone_before(handle: int, came: int, now: int) -> bool:
    """Whether a process waits that arrived before a time, in nanoseconds, and still counts."""
    oldest = max(0, now - _WAIT_NS)
    return oldest < came and anyone_at(handle, oldest, came - oldest)
