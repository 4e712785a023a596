"""What is read together is of one moment, and a transaction that fails leaves a store that works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError, StoreError
from bowerbird.core.query import Query
from bowerbird.models.embed.static import StaticEmbedder
from bowerbird.retrieval.analyse import inverse_frequency
from bowerbird.retrieval.pipeline import Retrieval
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bowerbird.core.types import Entry


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "notes" / "a.md"
    file.parent.mkdir()
    file.write_text("Otter dam plans are drawn by Ines.\n")
    return file


def test_what_is_written_during_a_query_is_not_seen_by_it(
    store_path: str, clock: Callable[[], int], note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Bowerbird.open(store_path, project="mine", clock=clock) as mine:
        mine.index(note.parent)
    reader = Store.open(store_path, clock, write=False)
    load = reader.entries.load

    def load_after_others_wrote(rows: Sequence[int]) -> dict[int, Entry]:
        if note.exists():
            note.unlink()
            with Bowerbird.open(store_path, project="mine", clock=clock) as mine:
                mine.index(note.parent)
            with Bowerbird.open(store_path, project="theirs", clock=clock) as theirs:
                theirs.remember("Private otter dam plans of the others.")
        return load(rows)

    monkeypatch.setattr(reader.entries, "load", load_after_others_wrote)
    hits = Retrieval(reader, StaticEmbedder.builtin).answer(Query("otter dam plans"))
    assert [hit.text for hit in hits] == ["Otter dam plans are drawn by Ines."]
    assert not reader.connection.in_transaction
    reader.close()


def test_a_row_is_never_given_twice(store_path: str, clock: Callable[[], int], note: Path) -> None:
    with Bowerbird.open(store_path, project="mine", clock=clock) as bird:
        bird.index(note.parent)
        passage = bird.list()[0].row
        note.unlink()
        bird.index(note.parent)
        kept = bird.remember("Whales sing at night.").id
        assert bird.get(kept).row > passage


def test_a_reading_ends_with_its_error_as_ours(store_path: str, clock: Callable[[], int]) -> None:
    store = Store.open(store_path, clock, write=True)
    with pytest.raises(BowerbirdError), store.reading():
        store.connection.execute("SELECT * FROM not_there")
    assert not store.connection.in_transaction
    with store.transaction(), store.reading():
        assert store.generation() == 0
    assert store.generation() == 1
    with store.reading(), store.reading():
        pass
    assert not store.connection.in_transaction
    store.close()


def test_a_failed_commit_leaves_the_store_usable(store_path: str, clock: Callable[[], int]) -> None:
    store = Store.open(store_path, clock, write=True)

    def break_at_the_end() -> None:
        with store.transaction():
            # Checked at the commit alone.
            store.connection.pragma("defer_foreign_keys", True)
            store.connection.execute("INSERT INTO vector VALUES (99, 99, x'00', 1, 1)")

    with pytest.raises(StoreError):
        break_at_the_end()
    assert not store.connection.in_transaction
    with store.transaction():
        pass
    assert store.generation() == 1
    store.close()


def test_damage_is_told_by_every_verb_that_reads(store_path: str, clock: Callable[[], int]) -> None:
    with Bowerbird.open(store_path, project="mine", clock=clock) as bird:
        id = bird.remember("Otters build dams.").id
    connection = apsw.Connection(store_path)
    connection.pragma("journal_mode", "delete")
    root = next(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entry'"))[0]
    size = connection.pragma("page_size")
    connection.close()
    with open(store_path, "r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    with Bowerbird.open(store_path, project="mine", clock=clock) as bird:
        for verb in (lambda: bird.get(id), bird.list, lambda: bird.query("otters")):
            with pytest.raises(StoreError):
                verb()


def test_counts_of_another_moment_are_no_error() -> None:
    assert inverse_frequency(5, 3) > 0


def test_any_number_of_words_is_counted(store_path: str, clock: Callable[[], int]) -> None:
    with Bowerbird.open(store_path, project="mine", clock=clock) as bird:
        bird.remember("Otters build dams.")
        bird.query(" ".join(f"word{i}" for i in range(40_000)), fast=True)
    store = Store.open(store_path, clock, write=False)
    many = [f"word{i}" for i in range(40_000)]
    assert store.words.counts([*many, "otters"]) == {"otters": 1}
    store.close()


def test_status_counts_what_its_scope_holds(
    store_path: str, clock: Callable[[], int], note: Path
) -> None:
    with Bowerbird.open(store_path, project="theirs", clock=clock) as theirs:
        theirs.index(note.parent)
        assert theirs.status().total_documents == 1
    with Bowerbird.open(store_path, project="mine", clock=clock) as mine:
        assert mine.status().total_documents == 0
