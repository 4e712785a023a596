"""A question that names a file is answered from it."""

from pathlib import Path
from typing import Any

import pytest

from bowerbird import Bowerbird


def test_the_file_that_is_named_comes_before_those_that_refer_to_it(
    bird: Bowerbird, tmp_path: Path
) -> None:
    notes = tmp_path / "docs"
    notes.mkdir()
    (notes / "operations.md").write_text("# Running it\n\nA postmortem is written within a week.\n")
    for name in ("index.md", "help.md"):
        (notes / name).write_text(
            f"# {name}\n\nThe postmortem file: see docs/operations.md there.\n"
        )
    bird.index(notes)
    hits = bird.query("is the postmortem written as docs/operations.md wants it?")
    assert hits[0].path == str(notes / "operations.md")
    assert len(hits) == 3
    left_out = bird.query(hits.query, without=("file",))
    page = next(hit for hit in left_out if hit.path == hits[0].path)
    assert page.score < hits[0].score


def test_a_path_by_itself_is_answered_from_its_file_whatever_other_pages_say_of_it(
    bird: Bowerbird, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "operations.md").write_text(
        "# Operations\n\nOn call: see the roster.\n\n## Backups\n\nEach night, kept a month.\n"
    )
    (tmp_path / "README.md").write_text(
        "# Read on\n\n- [Operations](docs/operations.md)\n- [Docs](docs/index.md)\n"
    )
    for name in ("index", "help", "start"):
        (docs / f"{name}.md").write_text(f"# Docs: {name}\n\nSee docs/operations.md of the docs.\n")
    bird.index(tmp_path)
    for asked in (
        "docs/operations.md",
        "./docs/operations.md",
        "what does docs/operations.md say?",
    ):
        assert bird.query(asked)[0].path == str(docs / "operations.md"), asked
    assert bird.query("docs/operations.md", limit=1)[0].path == str(docs / "operations.md")


def test_memories_about_a_file_that_is_named_answer_whatever_their_words(
    store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = tmp_path / "shop"
    (shop / "src").mkdir(parents=True)
    (shop / ".bowerbird.toml").write_text("")
    (shop / "requirements.txt").write_text("lxml==4.9.4\n")
    (shop / "src/Queue.py").write_text("jobs = []\n")
    monkeypatch.chdir(shop)
    with Bowerbird.open(store_path) as bird:
        bird.index(shop)
        pinned = bird.remember(
            "lxml 5 stops at a malformed entity, so half of the catalogue vanished",
            files=["requirements.txt"],
        ).id
        other = bird.remember("Jobs are in SQLite, for one box", files=["src/Queue.py"]).id
        for day in range(40):
            bird.remember(f"The newest version of the price list number {day} came by mail")

        def told(question: str, **about: Any) -> set[str]:
            hits = bird.query(question, memories_only=True, min_score=0.3, **about)
            return {hit.id for hit in hits} & {pinned, other}

        asked = "sort the lines of requirements.txt by name and tell me when it is done"
        assert told(asked) == {pinned}
        assert told(asked.replace("requirements.txt", "the project")) == set()
        assert told(asked, without=("file",)) == set()
        assert told(asked, kinds=("preference",)) == set()
        assert told("please tidy up queue.py a little") == {other}
        assert told("please tidy up src/queue.py a little") == {other}
        assert told("please tidy up eue.py a little") == set()
