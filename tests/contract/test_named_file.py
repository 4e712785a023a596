"""A question that names a file is answered from it."""

from pathlib import Path

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
