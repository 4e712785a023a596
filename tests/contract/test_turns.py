"""Writers take turns: who has just written does not write again before those who wait."""

from __future__ import annotations

import errno
import fcntl
import os
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import StoreBusy, StoreReadOnly
from bowerbird.core.types import ModelIdentity
from bowerbird.storage.sqlite import connection as sqlite
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable


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


def test_a_folder_that_takes_no_lock_is_told_as_such(
    store_path: str, clock: Callable[[], int]
) -> None:
    os.mkdir(store_path + ".lock")
    with pytest.raises(StoreReadOnly, match="cannot be locked"):
        Store.open(store_path, clock, write=True)
