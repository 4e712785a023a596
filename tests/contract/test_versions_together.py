"""Versions that wait to be written together are never missed by who reads them before."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bowerbird import Bowerbird
from bowerbird.core.history import Change
from bowerbird.core.memories import Fields
from bowerbird.storage.sqlite.store import Store


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        texts = ("The gateway listens on port 7070", "Invoices are kept for ten years")
        return [bird.remember(text).id for text in texts]


@pytest.fixture
def store(tmp_path: Path, ids: list[str], clock: Callable[[], int]) -> Iterator[Store]:
    opened = Store.open(str(tmp_path / "memory.db"), clock, write=True)
    yield opened
    opened.close()


def flag(store: Store, id: str, review: str) -> None:
    """Give a memory a version that says why it is to be looked at."""
    change = Change("01a20685-caca-7000-b51c-c8e2039fc098", "updated", "test", review)

    def fields(standing: Fields) -> Fields:
        return standing.replace(needs_review=True, review=review)

    store.memories.revise(id, fields, change)


def test_a_memory_that_changes_twice_keeps_both_versions(store: Store, ids: list[str]) -> None:
    with store.transaction(), store.memories.together():
        flag(store, ids[0], "once")
        flag(store, ids[1], "the other one")
        flag(store, ids[0], "twice")
        assert store.memories.head(ids[0]).fields.review == "twice"
    reviews = [one.fields.review for one in store.audit.versions(ids[0])]
    assert reviews == ["", "once", "twice"]
    assert [one.review for one in store.entries.get(ids[1])] == ["the other one"]


def test_what_waits_when_something_fails_is_taken_back(store: Store, ids: list[str]) -> None:
    def fail() -> None:
        with store.transaction(), store.memories.together():
            flag(store, ids[0], "never")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with store.transaction():
        flag(store, ids[1], "after that")
    assert len(store.audit.versions(ids[0])) == 1
    assert store.memories.head(ids[0]).fields.review == ""
    assert store.memories.head(ids[1]).fields.review == "after that"
