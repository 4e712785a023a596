"""A queue of processes, through a file beside the store, for its creation, upgrades and writes."""

import fcntl
import os
import struct
from contextlib import contextmanager, suppress
from time import monotonic_ns, sleep

import apsw

from bowerbird.core.errors import StoreBusy, StoreReadOnly
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
        handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
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
        handle = os.open(path + ".lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        again = sqlite.patient()
        times = 0
        while not _taken(handle, fcntl.LOCK_SH):
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
        handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        if _wait(handle) and ahead is not None:
            ahead()
        yield
    finally:
        _let_go(handle)
        os.close(handle)


def _wait(handle: int) -> bool:
    """Wait until no process is ahead; returns whether it had to wait. Raises BusyError."""
    came = monotonic_ns()
    if not _anyone_before(handle, came, came) and _taken(handle):
        return False
    _stand(handle, came)
    while True:
        now = monotonic_ns()
        waited = (now - came) / 1e9
        if waited > sqlite.BUSY_TIMEOUT_MS / 1000:
            raise apsw.BusyError("the queue of writers did not advance")
        first = not _anyone_before(handle, came, now)
        if first and _taken(handle):
            return True
        sleep(sqlite.LOOK_S if first else FIRST_LOOK_S / (1 + waited / LOOKS_TWICE_AFTER_S))


def _taken(handle: int, lock: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(handle, lock | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # such a disk cannot hold a queue
    return True


# A waiting process locks one byte of the file, at the nanosecond of its arrival: later ones see it, and
# the system releases it when the process is killed. They are locks of an open file, which only Linux has:
# elsewhere a process that has waited longer polls more often, and is mostly first.
_IN_ORDER = hasattr(fcntl, "F_OFD_SETLK")
# How long a process counts as waiting: one suspended by Ctrl-Z, say, does not block others longer.
# Of sixteen writers on two busy cores one in a thousand waited 4 s.
_WAIT_NS = 5_000_000_000


def _stand(handle: int, came: int) -> None:
    if _IN_ORDER:
        with suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_OFD_SETLK, _bytes(came, 1))


def _anyone_before(handle: int, came: int, now: int) -> bool:
    """Whether a process waits that arrived before a time, in nanoseconds, and still counts."""
    oldest = max(0, now - _WAIT_NS)
    if not _IN_ORDER or oldest >= came:
        return False
    try:
        found = fcntl.fcntl(handle, fcntl.F_OFD_GETLK, _bytes(oldest, came - oldest))
    except OSError:
        return False
    return bool(struct.unpack(_FLOCK, found)[0] != fcntl.F_UNLCK)


def _let_go(handle: int) -> None:
    """Leave the queue. A child that was forked in between would keep a lock that is only closed."""
    with suppress(OSError):
        if _IN_ORDER:
            fcntl.fcntl(handle, fcntl.F_OFD_SETLK, _bytes(0, 0, fcntl.F_UNLCK))
        fcntl.flock(handle, fcntl.LOCK_UN)


# As Linux has it: type, whence, start, length, process.
_FLOCK = "hhqqi"


def _bytes(start: int, length: int, lock: int = fcntl.F_WRLCK) -> bytes:
    """A number of bytes of a file from an offset on (0: all), as the system takes them."""
    return struct.pack(_FLOCK, lock, os.SEEK_SET, start, length, 0)
