"""What somebody who watches a long work sees of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird.surfaces.cli import progress
from bowerbird.surfaces.cli.page import cells

if TYPE_CHECKING:
    import pytest


def test_a_bar_tells_how_far_a_work_has_come_and_clears_itself(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_APART", 0.0)
    monkeypatch.setenv("COLUMNS", "70")
    bar = progress.Bar()
    bar.start("index", 4)
    bar.advance(1, "/notes/\x1b[2Jsly.md")
    bar.advance(2, "/笔记/" + "很长的名字" * 20)
    bar.finish()
    bar.finish()
    output = capsys.readouterr()
    assert output.out == ""
    first, second, last = output.err.removeprefix("\r\x1b[K").split("\r\x1b[K")
    assert first.startswith("index ######.................. 25% ")
    assert first.endswith("/notes/sly.md")
    assert second.startswith("index ##################...... 75% ")
    assert cells(second) < 70
    assert last == ""


def test_a_work_of_nothing_is_told_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_APART", 0.0)
    bar = progress.Bar()
    bar.start("index", 0)
    bar.advance(0, "empty.md")
    assert " 0% empty.md" in capsys.readouterr().err


def test_what_is_waited_for_is_told_before_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    bar = progress.Bar()
    bar.start("waiting for ollama/bge-m3 to answer", 0)
    bar.finish()
    assert capsys.readouterr().err == "\r\x1b[Kwaiting for ollama/bge-m3 to answer …\r\x1b[K"
