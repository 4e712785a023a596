"""What `get` takes: an id, the beginning of one, or a place in an indexed file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_a_place_gives_the_passage_that_holds_its_line(
    bower: Bower, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bower("index", str(notes))
    (hit,) = bower("query", "five attempts", "--limit", "1").data["results"]
    place = f"{hit['path']}:{hit['end_line']}"
    assert bower("get", place).data["id"] == hit["id"]
    # As query shows it, from the folder, and by the end of the path from anywhere else.
    monkeypatch.chdir(notes)
    assert bower("get", f"auth.md:{hit['start_line']}-{hit['end_line']}").data["id"] == hit["id"]
    monkeypatch.chdir("/")
    assert bower("get", f"notes/auth.md:{hit['end_line']}").data["id"] == hit["id"]
    assert "Five attempts" in bower("get", "auth.md:7", "--format", "text").out


def test_a_path_alone_gives_its_first_passage(bower: Bower, notes: Path) -> None:
    bower("index", str(notes))
    assert bower("get", "auth.md").data["start_line"] == 1
    assert "warehouse" in bower("get", "talk.jsonl").data["text"]
    assert "broker" in bower("get", "talk.jsonl:2").data["text"]


def test_a_line_between_two_passages_gives_the_one_before(bower: Bower, tmp_path: Path) -> None:
    parts = [f"## Part {n}\n\n" + f"Sentence {n} tells of it. " * 90 + "\n\n" for n in range(3)]
    (tmp_path / "long.md").write_text("# Long\n\n" + "".join(parts))
    bower("index", str(tmp_path / "long.md"))
    spans = [
        (one["start_line"], one["end_line"], one["id"])
        for one in bower("list", "--path", "long.md").data["entries"]
    ]
    for line in range(1, max(end for _, end, _ in spans) + 1):
        found = bower("get", f"long.md:{line}").data["id"]
        holding = [id for start, end, id in spans if start <= line <= end]
        before = max(((start, id) for start, _, id in spans if start <= line), default=None)
        assert found in (holding or [before[1] if before else ""])


@pytest.mark.parametrize(
    ("place", "code", "expected"),
    [
        ("auth.md:99", 1, "has no line 99"),
        ("auth.md:0", 2, "auth.md has no line 0"),
        ("nosuch.md:3", 1, "no indexed file nosuch.md"),
        ("th.md:3", 1, "no indexed file th.md"),
    ],
)
def test_what_a_place_cannot_be_is_reported(
    bower: Bower, notes: Path, place: str, code: int, expected: str
) -> None:
    bower("index", str(notes))
    ran = bower("get", place)
    assert ran.code == code
    assert expected in ran.data["error"]
    assert ran.data["remedy"]


def test_the_end_of_two_paths_is_refused_with_both(bower: Bower, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "read.md").write_text(f"The {name} file is here.\n")
    bower("index", str(tmp_path))
    ran = bower("get", "read.md:1")
    assert ran.code == 2
    assert str(tmp_path / "one" / "read.md") in ran.data["remedy"]
    assert bower("get", "one/read.md:1").code == 0


def test_an_id_is_never_read_as_a_place_in_python(store_path: str, notes: Path) -> None:
    """Doors that take ids from others must not be led to files by them."""
    with Bowerbird.open(store_path) as bird:
        bird.index(notes)
        assert bird.at(notes / "auth.md", 7).path == str(notes / "auth.md")
        with pytest.raises(NotFound):
            bird.get(f"{notes}/auth.md:7")


@pytest.mark.parametrize(
    "words",
    [
        ["get", "{}"],
        ["history", "{}"],
        ["forget", "{}"],
        ["revert", "{}"],
        ["revert", "{whole}", "--to", "{}"],
        ["link", "{}", "{other}"],
        ["link", "{other}", "{}"],
        ["list", "--exclude", "{}"],
    ],
)
def test_six_characters_of_an_id_are_the_least_for_every_verb(
    bower: Bower, words: list[str]
) -> None:
    kept = bower("remember", "Redis must be up before the auth tests").data["id"]
    other = bower("remember", "Invoices are numbered without gaps").data["id"]
    short = [word.format(kept[:5], whole=kept, other=other) for word in words]
    ran = bower(*short)
    assert (ran.code, ran.data["error"]) == (2, f"{kept[:5]!r} is too short for an id")
    assert "six" in ran.data["remedy"]


def test_the_beginning_of_an_id_is_enough_in_any_case(bower: Bower, store_path: str) -> None:
    kept = bower("remember", "Redis must be up before the auth tests").data["id"]
    # The two were made in one hour: what tells them apart stands further behind.
    other = bower("remember", "Invoices are numbered without gaps").data["id"]
    start = kept[: next(i for i in range(36) if kept[i] != other[i]) + 1]
    assert bower("get", start.upper()).data["id"] == kept
    assert bower("list", "--exclude", start).data["entries"][0]["id"] == other
    assert bower("link", start, other).data["source"] == kept
    ran = bower("get", kept[:6])
    assert (ran.code, ran.data["error"]) == (2, f"several entries begin with {kept[:6]}")
    assert json.loads(bower("forget", start).out)["success"]
    with Bowerbird.open(store_path) as bird:
        assert bird.get(start).state == "deleted"
        for call in (bird.get, bird.history, bird.forget, bird.revert):
            with pytest.raises(BadInput):
                call("")


def test_markdown_tells_the_history_too(bower: Bower) -> None:
    kept = bower("curate", "Redis must be up before auth tests").data["id"]
    shown = bower("get", kept, "--history", "--format", "markdown").out
    assert "1 version of" in shown
    assert "· new" in shown
    assert "1 version of" not in bower("get", kept, "--format", "markdown").out
