"""Which files of a folder are learned from, and how the others are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.surface.test_learn import RULE, Talk

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def test_what_is_no_transcript_is_counted_unless_it_is_named(
    bird: Bowerbird, tmp_path: Path
) -> None:
    talks = tmp_path / "talks"
    talks.mkdir()
    for name in ("notes", "more"):
        (talks / f"{name}.jsonl").write_text('{"text": "hello"}\n')
    (skipped,) = bird.admin.learn(talks).skipped
    assert (skipped.path, skipped.reason) == (str(talks), "no recorded session: 2 of its files")
    named, rest = bird.admin.learn(talks, talks / "notes.jsonl").skipped
    assert (named.path, named.reason) == (str(talks / "notes.jsonl"), "no recorded session")
    assert (rest.path, rest.reason) == (str(talks), "no recorded session: 1 of its files")
    with pytest.raises(BadInput):
        bird.admin.learn(talks / "nowhere")


def test_folders_of_tools_are_passed_over_and_hidden_ones_are_not(
    bird: Bowerbird, tmp_path: Path
) -> None:
    folder = tmp_path / "shop"
    for name in ("node_modules", ".venv", ".agent"):
        (folder / name).mkdir(parents=True)
    (folder / ".venv" / "pyvenv.cfg").touch()
    (folder / ".venv" / "package.json").write_text("{}")
    Talk("theirs", tmp_path).say(RULE).put(folder / "node_modules")
    Talk("own", tmp_path).say(RULE).put(folder / ".agent")
    done = bird.admin.learn(folder)
    assert ({one.session for one in done.lessons}, done.skipped) == ({"own"}, ())
    assert bird.admin.learn(folder / "node_modules").sessions == 1
