"""A run that wrote much leaves the words in one place; a small one leaves them as it wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def pieces(store_path: str, clock: Callable[[], int]) -> list[int]:
    """In how many pieces the words of entries and of whole documents are kept."""
    store = Store.open(store_path, clock, write=False)
    counts = [
        next(store.connection.execute(f"SELECT count(DISTINCT segid) FROM {index}_idx"))[0]
        for index in ("word_index", "document_index")
    ]
    store.close()
    return counts


def put(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        text = f"# Walrus {number} of {folder.name}\n\n" + "It sleeps on the ice. " * 100
        (folder / f"{number}.md").write_text(text)
    return folder


def test_words_are_merged_behind_a_run_that_wrote_much_of_them(
    store_path: str, tmp_path: Path, clock: Callable[[], int]
) -> None:
    with Bowerbird.open(store_path, project="p") as bird:
        bird.index(put(tmp_path / "first", 4))
        assert pieces(store_path, clock) == [1, 1]
        bird.index(put(tmp_path / "as many", 4))
        assert pieces(store_path, clock) == [1, 1]
        (tmp_path / "first" / "0.md").unlink()
        bird.index(tmp_path / "first")
        before = [hit.text for hit in bird.query("which walrus sleeps on ice", limit=50)]
        bird.index(put(tmp_path / "one more", 1))
        assert pieces(store_path, clock) == [2, 2]
        bird.index(put(tmp_path / "many more", 8))
        assert pieces(store_path, clock) == [1, 1]
        found = {hit.text for hit in bird.query("which walrus sleeps on ice", limit=50)}
        assert before
        assert found.issuperset(before)
        hits = bird.query("Walrus 7 of many more", limit=50)
        assert any("Walrus 7 of many more" in (hit.entry.context or hit.text) for hit in hits)
