"""Writers take turns: who has just written does not write again before those who wait."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic_ns
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import StoreBusy, StoreReadOnly
from bowerbird.core.types import ModelIdentity
from bowerbird.host import locks
from bowerbird.storage.sqlite.file import connection as sqlite
from bowerbird.storage.sqlite.file import writer_queue
from bowerbird.storage.sqlite.file.writer_queue import in_turn
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

in_order = pytest.mark.skipif(not locks.IN_ORDER, reason="only Linux keeps places in a line")


def somebody_waits(path: str) -> bool:
    """Whether a writer stands at the head of the line."""
    handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(handle)


def test_who_waits_comes_before_who_has_just_written(
    store_path: str, clock: Callable[[], int]
) -> None:
    written: list[str] = []
    begun = Event()

    def wait_and_write() -> None:
        other = Store.open(store_path, clock, write=True)
        begun.set()
        with other.transaction():
            written.append("who waited")
        other.close()

    store = Store.open(store_path, clock, write=True)
    for _ in range(5):
        written.clear()
        begun.clear()
        waiting = Thread(target=wait_and_write)
        with store.transaction():
            waiting.start()
            assert begun.wait(60)
            while waiting.is_alive() and not somebody_waits(store_path):
                pass
        with store.transaction():
            written.append("who had written")
        waiting.join()
        assert written == ["who waited", "who had written"]
    store.close()


def test_a_line_that_does_not_move_is_left_in_time(
    store_path: str, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(store_path, clock, write=True)
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 10)
    handle = os.open(store_path + ".lock", os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(StoreBusy), store.transaction():
        pass
    os.close(handle)
    with store.transaction():
        pass
    store.close()


def test_without_the_file_of_the_line_writing_goes_on(
    store_path: str, clock: Callable[[], int]
) -> None:
    store = Store.open(store_path, clock, write=True)
    os.remove(store_path + ".lock")
    os.mkdir(store_path + ".lock")
    before = store.generation()
    with store.transaction():
        pass
    assert store.generation() == before + 1
    store.close()


def test_a_disk_without_locks_holds_no_writer_up_but_takes_no_new_store(
    store_path: str, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network filesystems know no such locks; SQLite has its own."""

    def refused(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    store = Store.open(store_path, clock, write=True)
    monkeypatch.setattr(fcntl, "flock", refused)
    with store.transaction():
        store.ensure_model(ModelIdentity("test", "hand", 8, "1"))
    store.close()
    with pytest.raises(StoreReadOnly, match="cannot be locked") as found:
        Store.open(store_path + ".new", clock, write=True)
    assert "local disk" in found.value.remedy


def test_a_folder_that_takes_no_lock_is_reported_as_such(
    store_path: str, clock: Callable[[], int]
) -> None:
    os.mkdir(store_path + ".lock")
    with pytest.raises(StoreReadOnly, match="cannot be locked"):
        Store.open(store_path, clock, write=True)


@contextmanager
def standing(path: str, came: int | None = None) -> Iterator[None]:
    """Somebody else who stands in line, and sleeps."""
    handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    locks.stand_at(handle, came or monotonic_ns())
    try:
        yield
    finally:
        os.close(handle)


def await_another(path: str, since: int) -> None:
    """Until somebody stands in line who came after a moment."""
    handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    while not writer_queue._anyone_before(handle, monotonic_ns(), since + writer_queue._WAIT_NS):
        pass
    os.close(handle)


@in_order
def test_who_comes_does_not_pass_one_who_waits_and_sleeps(store_path: str) -> None:
    entered = Event()

    def come() -> None:
        with in_turn(store_path):
            entered.set()

    coming = Thread(target=come)
    with standing(store_path):
        since = monotonic_ns()
        coming.start()
        await_another(store_path, since)
        # Nobody has the lock of the line: who comes stands behind the one who sleeps all the same.
        assert not entered.is_set()
    coming.join(60)
    assert entered.is_set()


@in_order
def test_those_who_wait_are_let_in_as_they_came(store_path: str) -> None:
    entered: list[int] = []

    def come(number: int) -> None:
        with in_turn(store_path):
            entered.append(number)

    coming = [Thread(target=come, args=(number,)) for number in range(8)]
    with in_turn(store_path):
        for one in coming:
            since = monotonic_ns()
            one.start()
            await_another(store_path, since)
    for one in coming:
        one.join(60)
    assert entered == [*range(8)]


def test_who_was_killed_in_the_line_or_at_its_head_holds_up_nobody(
    store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 2_000)
    for step in (lambda handle: locks.stand_at(handle, monotonic_ns()), writer_queue._taken):
        child = os.fork()
        if not child:
            step(os.open(store_path + ".lock", os.O_RDWR | os.O_CREAT, 0o600))
            os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
        with in_turn(store_path):
            pass


def test_a_child_that_was_forked_in_the_line_holds_up_nobody(
    store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has what its parent had open, for as long as it lives."""
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 2_000)
    reading, writing = os.pipe()
    with in_turn(store_path):
        child = os.fork()
        if not child:
            os.read(reading, 1)
            os._exit(0)
    with in_turn(store_path):
        os.write(writing, b"x")
    os.waitpid(child, 0)
    os.close(reading)
    os.close(writing)


@in_order
def test_who_stopped_in_the_line_is_waited_for_no_longer_than_a_place_counts(
    store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 2_000)
    with standing(store_path, monotonic_ns() - writer_queue._WAIT_NS), in_turn(store_path):
        pass


@in_order
def test_what_is_looked_at_ahead_is_looked_at_by_who_had_to_wait(
    store_path: str, clock: Callable[[], int]
) -> None:
    store = Store.open(store_path, clock, write=True)
    looked: list[bool] = []
    with store.transaction(lambda: looked.append(store.connection.in_transaction)):
        pass
    assert looked == []
    since = monotonic_ns()
    other = os.open(store_path + ".lock", os.O_RDWR)
    locks.stand_at(other, since - 1)

    def leave() -> None:
        await_another(store_path, since)
        os.close(other)

    leaving = Thread(target=leave)
    leaving.start()
    with store.transaction(lambda: looked.append(store.connection.in_transaction)):
        assert looked == [False]
    leaving.join()
    store.close()
