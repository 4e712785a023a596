"""Taking turns at a store through a file beside it: at making and upgrading it, and at writing."""

import fcntl
import os
from contextlib import contextmanager

import apsw

from bowerbird.core.errors import StoreBusy, StoreReadOnly
from bowerbird.storage.sqlite.connection import patient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


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
    """Wait, for so long as a writer waits, while another process makes or upgrades the store.

    Nothing where nobody does, and where that cannot be known. Raises StoreBusy.
    """
    try:
        handle = os.open(path + ".lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        again = patient()
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
def in_turn(path: str) -> "Iterator[None]":
    """Stand in line for the write lock: one waits for it, the others wait for that one's place.

    Who has just let go of the lock would else take it again before anybody looks. Nobody is refused
    for want of a line: without the file, or on a disk without such locks, it is each for himself.
    Raises BusyError.
    """
    try:
        handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        again = patient(in_line=True)
        times = 0
        while not _taken(handle):
            if not again(times):
                raise apsw.BusyError("nobody moved in the line")
            times += 1
        yield
    finally:
        os.close(handle)


def _taken(handle: int, lock: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(handle, lock | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # such a disk has no line to stand in
    return True
