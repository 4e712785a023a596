"""What changed of known files is taken in as a session begins, and before a question on demand."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from bowerbird.agents.claude_code import AGENT as CLAUDE_CODE
from bowerbird.bird import Bowerbird
from bowerbird.core.who import AGENT, Who
from bowerbird.hook import Hook
from bowerbird.surfaces.hooks.payload import event_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, store_path: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "notes").mkdir()
    (folder / "notes" / "old.md").write_text("The invoices are sent on Mondays.")
    (folder / "load.py").write_text("def load():\n    return 'mondays'\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BOWER_STORE", store_path)
    with Bowerbird.open() as bird:
        bird.index(folder)
    return folder


def texts(bird: Bowerbird) -> set[str]:
    return {one.text.strip() for one in bird.list(limit=100) if one.path}


def started(folder: Path, why: str = "startup") -> Hook:
    payload = {"session_id": "s", "cwd": str(folder), "source": why}
    return Hook(event_of(CLAUDE_CODE, "SessionStart", payload), {}, tuple)


def test_a_session_begins_with_the_notes_as_they_are(project: Path) -> None:
    (project / "notes" / "old.md").write_text("The invoices are sent on Fridays.")
    (project / "notes" / "new.md").write_text("The reminders are sent on Sundays.")
    (project / "notes" / ".hidden.md").write_text("Nobody wants this to be found.")
    (project / "notes" / "private.md").write_text("Git leaves this one out.")
    (project / ".gitignore").write_text("private.md\n")
    (project / "load.py").write_text("def load():\n    return 'fridays'\n")
    hook = started(project)
    assert hook.has_more
    hook.afterwards()
    with Bowerbird.open() as bird:
        found = texts(bird)
        assert "The invoices are sent on Fridays." in found
        assert "The reminders are sent on Sundays." in found
        assert not any("fridays" in one or "left" in one or "Nobody" in one for one in found)
        os.unlink(project / "notes" / "new.md")
        assert bird.admin.refresh(notes_only=True).removed == 1
        assert bird.admin.refresh(notes_only=True).removed == 0


def test_a_session_that_goes_on_takes_nothing_in_and_neither_does_one_where_it_is_off(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not started(project, "compact").has_more
    monkeypatch.setenv("BOWER_INDEX_AT_START", "off")
    assert not started(project).has_more


@pytest.mark.parametrize("wanted", ["on", "off"])
def test_a_question_takes_in_what_changed_where_that_is_wanted(
    wanted: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_INDEX_AT_SEARCH", wanted)
    (project / "notes" / "old.md").write_text("The invoices are sent on Fridays.")
    (project / "load.py").write_text("def fetch():\n    return 'saturdays'\n")
    with Bowerbird.open() as bird:
        answered = " ".join(hit.text for hit in bird.query("when are the invoices sent?"))
        assert ("Fridays" in answered) == (wanted == "on")
        assert any("saturdays" in one for one in texts(bird)) == (wanted == "on")


def test_a_talk_that_grew_is_taken_in_as_it_goes_on(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = tmp_path / "talk.jsonl"
    said = {"role": "user", "content": "Where does the queue live? " * 30}
    record = {"type": "user", "sessionId": "s", "cwd": str(project), "message": said}
    payload = {"session_id": "s", "cwd": str(project), "transcript_path": str(talk)}
    monkeypatch.setenv("BOWER_INDEX_AT_GROWTH", "2")

    def sizes(lines: int) -> int:
        talk.write_text("".join(json.dumps(record | {"uuid": str(n)}) + "\n" for n in range(lines)))
        hook = Hook(event_of(CLAUDE_CODE, "Stop", payload), {}, tuple)
        hook.record()
        hook.afterwards()
        with Bowerbird.open() as bird:
            return sum(1 for one in bird.list(limit=100) if one.path == str(talk))

    assert sizes(1) == 0
    there = sizes(4)
    assert there > 0
    assert sizes(5) == there
    monkeypatch.setenv("BOWER_INDEX_AT_GROWTH", "0")
    assert sizes(20) == there


def test_where_there_is_no_store_nothing_is_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_STORE", str(tmp_path / "none.db"))
    monkeypatch.chdir(tmp_path)
    started(tmp_path).afterwards()
    with Bowerbird.open() as bird:
        assert bird.admin.refresh().added == 0
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("local", [True, False])
def test_an_agent_s_question_takes_in_what_changed_on_this_machine_alone(
    local: bool, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_INDEX_AT_SEARCH", "on")
    (project / "notes" / "old.md").write_text("The invoices are sent on Fridays.")
    with Bowerbird.open() as opened:
        bird = opened.acting(Who("agent:x", AGENT, local=local))
        answered = " ".join(hit.text for hit in bird.query("when are the invoices sent?"))
        assert ("Fridays" in answered) == local
