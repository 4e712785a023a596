"""Entries that a process keeps are those of the store, whoever writes meanwhile."""

from collections.abc import Callable, Iterator

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.storage.sqlite.resident import entry_cache
from bowerbird.storage.sqlite.resident.entry_cache import KeptEntries
from bowerbird.storage.sqlite.store import Store


@pytest.fixture
def store(store_path: str, clock: Callable[[], int]) -> Iterator[Store]:
    with Bowerbird.open(store_path, project="shop") as bird:
        for number in range(5):
            bird.remember(f"Host number {number} of the cache stands in rack {number + 40}")
    opened = Store.open(store_path, clock, write=False)
    opened.keep_resident()
    yield opened
    opened.close()


def test_what_was_read_is_handed_out_again_until_anybody_writes(store: Store) -> None:
    assert isinstance(store.entries, KeptEntries)
    first = store.entries.load([1, 2, 99])
    again = store.entries.load([2, 3, 99])
    assert [*first] == [1, 2]
    assert [*again] == [2, 3]
    assert again[2] is first[2]
    with Bowerbird.open(store.path, project="shop") as bird:
        bird.forget(first[2].id)
    assert store.entries.load([1, 2])[2].state == "deleted"
    assert store.entries.load([1])[1] == first[1]


def test_not_more_are_kept_than_so_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_cache, "MOST", 2)
    whole = store.entries.load([1, 2, 3])
    again = store.entries.load([1, 3])
    assert again[1] is not whole[1]
    assert again[3] is whole[3]
