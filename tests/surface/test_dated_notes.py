"""Notes named after a day, or with one in their header, are of that day, and found by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

NOTES = {
    "2024-11-24.md": "Stand-up with Marek.\n\nThe customs form for Norway needs a number.\n",
    "2024-11-23 labels.md": "Stand-up with Marek.\n\nLabels are cut off.\n",
    "depot.md": "---\ndate: 2024-11-20\n---\nWe moved the depot to Lyon.\n",
    # A link without quotes, and what a widely used plug-in of Obsidian writes.
    "press.md": "---\ncreated: [[2024-11-18]]\n---\nThe press was oiled.\n",
    "saw.md": "---\ndate created: Sunday, November 17th 2024, 3:04 pm\n---\nThe saw was sharpened.\n",
    "plain.md": "The gate is green.\n",
}


def _written(folder: Path) -> None:
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("imported", [False, True])
def test_a_question_about_a_day_finds_its_note(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, imported: bool
) -> None:
    _written(tmp_path / "notes")
    monkeypatch.chdir(tmp_path / "notes")
    if imported:
        (tmp_path / "notes" / ".obsidian").mkdir()
    assert bower("import" if imported else "index", ".").code == 0
    for asked, told, at in (
        ("what happened on 24 November 2024?", "The customs form", "2024-11-24"),
        ("what did we do on 23 November 2024?", "Labels are cut off", "2024-11-23"),
        ("was war am 20. November 2024?", "We moved the depot", "2024-11-20"),
        ("the press was oiled", "The press was oiled", "2024-11-18"),
        ("the saw was sharpened", "The saw was sharpened", "2024-11-17"),
    ):
        found = bower("query", asked).data["results"]
        assert told in found[0]["text"]
        assert found[0]["created"].startswith(at)
        assert found[0]["relevance"] > 0.9
    none = bower("query", "what happened on 21 November 2024?").data["results"]
    assert all(one["relevance"] < 0.9 for one in none)
    # Of a question that names more, the note of that day is one of those that answer.
    both = bower("query", "what did Marek say on 24 November 2024?").data["results"]
    assert "The customs form" in both[0]["text"]
