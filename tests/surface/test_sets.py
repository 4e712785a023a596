"""Evaluation sets: what becomes a file, and the way back from path and line to the row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.bench.sets import Layout, read_set
from bowerbird.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran


def make(folder: Path, rows: list[dict[str, Any]], queries: list[dict[str, Any]]) -> str:
    folder.mkdir(exist_ok=True)
    for name, lines in (("corpus", rows), ("queries", queries)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text)
    grades = "".join(f"{q['_id']}\t{q['answer']}\t1\n" for q in queries if "answer" in q)
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + grades)
    return str(folder)


TALK = [
    {"_id": "a/1", "text": "The certificate expired", "scope": "a", "session": "s1"},
    {"_id": "a/2", "text": "Renew it at night", "scope": "a", "session": "s2"},
    {"_id": "a/3", "text": "Tomasz walks nine kilometres", "scope": "a", "session": "s1"},
    {"_id": "b/1", "text": "Vouchers were guessed", "scope": "b", "session": "s1"},
]
ASKED = [
    {"_id": "q1", "text": "who walks?", "scope": "a", "type": "who", "answer": "a/3"},
    {"_id": "q2", "text": "what was guessed?", "scope": "b", "type": "what", "answer": "b/1"},
    {"_id": "q3", "text": "without evidence", "scope": "a"},
]


def test_turns_become_a_transcript_a_session(tmp_path: Path) -> None:
    found = read_set(make(tmp_path / "talk", TALK, ASKED))
    assert (found.form, found.unjudged) == ("jsonl", 1)
    scope = found.scopes[0]
    assert scope.questions[0].grades == {2: 1.0}
    (tmp_path / "files").mkdir()
    layout = Layout.write(scope, str(tmp_path / "files"), found.form)
    path = str(tmp_path / "files" / "s1.jsonl")
    assert layout.rows_at(path, 1, 2) == [0, 2]
    assert layout.rows_at(path, 2, 2) == [2]
    assert layout.rows_at("elsewhere", 1, 1) == []


def test_functions_become_modules_and_prose_notes(tmp_path: Path) -> None:
    code = [{"_id": "1", "text": "def f():\n    return 1"}]
    prose = [{"_id": "x/1", "text": "Hello", "title": "T"}, {"_id": "x_1", "text": "World"}]
    assert (
        read_set(make(tmp_path / "c", code, [{"_id": "q", "text": "t", "answer": "1"}])).form
        == "py"
    )
    notes = read_set(make(tmp_path / "p", prose, [{"_id": "q", "text": "t", "answer": "x/1"}]))
    assert notes.form == "md"
    (tmp_path / "files").mkdir()
    layout = Layout.write(notes.scopes[0], str(tmp_path / "files"), "md")
    assert (tmp_path / "files" / "x_1.md").read_text() == "# T\n\nHello\n"
    assert layout.rows_at(str(tmp_path / "files" / "x_1-2.md"), 1, 1) == [1]


def test_a_folder_without_a_set_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"qrels\.tsv"):
        read_set(str(tmp_path))


def test_the_bench_runs_a_set(bower: Callable[..., Ran], tmp_path: Path) -> None:
    folder = make(tmp_path / "talk", TALK, ASKED)
    out = tmp_path / "results"
    data = bower("bench", "recall", folder, "--jobs", "1", "--out", str(out)).data
    assert data["questions"] == 2
    assert data["systems"]["bowerbird"]["R@5"] == 1.0
    assert set(data["systems"]) == {"bowerbird", "fts5", "dense", "rrf"}
    assert set(data["types"]) == {"who", "what"}
    assert json.loads((tmp_path / data["written"]).read_text())["set"] == "talk"
    output = bower("bench", "recall", folder, "--jobs", "2", "--format", "text").out
    assert "FTS5 alone" in output
