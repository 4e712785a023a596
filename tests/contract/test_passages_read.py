"""Passages that the contextual model has read are ordered by that too, where no answer is sure."""

from pathlib import Path

import pytest

from bowerbird import Bowerbird
from bowerbird.core.query import Filter
from bowerbird.retrieval import fuse

NOTES = {
    "refunds.md": "Refunds are issued from the Stripe dashboard.",
    "bills.md": "Customer bills of last year are archived in the S3 bucket.",
    "builds.md": "Compilation takes nine minutes on the small workers.",
}
ASKED = "a customer of last year wants refunds from the dashboard for old bills"


@pytest.fixture
def notes(bird: Bowerbird, tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text + "\n", encoding="utf-8")
    bird.index(folder)
    return folder


def test_what_was_read_moves_what_answers_forward(bird: Bowerbird, notes: Path) -> None:
    store = bird._wiring.opened.reader()
    rows = [hit.entry.row for hit in bird.query(ASKED, weak=True)]
    assert not store.contextual.has_any(rows)
    before = {hit.path: hit.score for hit in bird.query(ASKED, weak=True)}
    bird.admin.warm()
    after = {hit.path: hit.score for hit in bird.query(ASKED, weak=True)}
    answer = str(notes / "refunds.md")
    assert after[answer] > before[answer]
    assert bird._wiring.opened.reader().contextual.has_any(rows)


def test_a_run_of_index_reads_as_many_notes_as_the_setting_says(
    bird: Bowerbird, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contextual = bird._wiring.writer().contextual
    waiting = len(contextual.unread_passages(10))
    assert len(contextual.unread_passages(10, notes=True)) == waiting > 1
    (notes / "shred.py").write_text("def shred(bill):\n    return None\n", encoding="utf-8")
    bird.index(notes)
    assert len(contextual.unread_passages(10)) == waiting + 1
    for setting, left in (("1", waiting - 1), ("128", 0)):
        monkeypatch.setenv("BOWER_INDEX_READ", setting)
        with Bowerbird.open(bird.path, project="shop") as other:
            other.index(notes)
        assert len(contextual.unread_passages(10, notes=True)) == left
    ((_, text),) = contextual.unread_passages(10)
    assert text.startswith("def shred")


def test_one_large_note_is_not_read_whole_at_once(
    bird: Bowerbird, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a file holds, a run of index reads no more than an eighth of its passages in it."""
    bird.admin.warm()
    (notes / "long.md").write_text("".join(f"# Part {n}\n\nOtters {n}.\n\n" for n in range(30)))
    monkeypatch.setenv("BOWER_INDEX_READ", "32")
    with Bowerbird.open(bird.path, project="shop") as other:
        passages = other.index(notes).passages
    assert passages >= 30
    assert len(bird._wiring.writer().contextual.unread_passages(100)) == passages - 32 // 8


def test_passages_are_no_memories(bird: Bowerbird, notes: Path) -> None:
    bird.remember("The invoices of customers are sent on Mondays.")
    bird.admin.warm()
    reader = bird._wiring.opened.contextual()
    store = bird._wiring.opened.reader()
    assert reader is not None
    assert store.contextual.state()[:2] == (1, 0)
    hits = bird.query(ASKED, weak=True)
    vector = reader.embed_query(ASKED)
    near, compared, waiting, beside = store.contextual.compared(vector, Filter(), 10, [])
    assert (compared, waiting, beside) == (len(near), 0, {}) == (1, 0, {})
    assert {hit.kind for hit in hits if hit.entry.row in near} <= {"fact"}


def test_what_is_written_again_waits_again(bird: Bowerbird, notes: Path) -> None:
    bird.admin.warm()
    store = bird._wiring.writer()
    assert store.contextual.unread_passages(10) == []
    (notes / "bills.md").write_text("Bills are shredded after ten years.\n", encoding="utf-8")
    bird.index(notes)
    ((row, text),) = bird._wiring.writer().contextual.unread_passages(10)
    assert text.startswith("Bills are shredded")
    reader = bird._wiring.opened.contextual()
    assert reader is not None
    read = {row: ("what stood there before", reader.embed_query(text))}
    with store.transaction():
        store.contextual.write_passages(read, str(reader.identity))
    assert store.contextual.unread_passages(10) == [(row, text)]
    with store.transaction():
        store.contextual.write_passages({row: (text, read[row][1])}, "another model")
    assert store.contextual.unread_passages(10) == [(row, text)]


def test_what_was_read_of_a_memory_before_it_was_edited_is_not_kept(bird: Bowerbird) -> None:
    """Reading takes a while, and somebody else may edit the memory meanwhile."""
    id = bird.remember("Refunds are issued from the Stripe dashboard.").id
    store = bird._wiring.writer()
    reader = bird._wiring.opened.contextual()
    assert reader is not None
    row = store.contextual.row_of(id)
    before, stale = store.entries.load([row])[row].text, reader.embed_query("Refunds")
    bird.edit(id, "Compilation takes nine minutes on the small workers.")
    vectors = store.contextual.compared(stale, Filter(), 10, [])[0]
    with store.transaction():
        store.contextual.write({row: (before, stale)}, reader.identity)
    assert store.contextual.compared(stale, Filter(), 10, [])[0] == vectors
    assert vectors[row][1] != stale.words


def test_they_count_by_how_they_stand_to_one_another() -> None:
    read = fuse.contextual_passages(
        {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5}, {1: 0.6, 2: 0.2, 3: 0.4}, code={2}
    )
    assert read[1] > read[3] == 0.5 > read[2]
    assert 0.5 - read[2] > 2 * (read[1] - 0.5)
    assert fuse.contextual_passages({1: 0.5}, {}, ()) == {}
