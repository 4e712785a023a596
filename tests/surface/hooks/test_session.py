"""`bower session`: what was recorded, and what was given, when and why."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.surfaces.web.pages.sessions import of_time

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks


@pytest.fixture
def used(hooks: Hooks) -> Hooks:
    hooks.bower("curate", "The database runs on port 6432")
    hooks.context("SessionStart", source="startup")
    assert hooks.context("UserPromptSubmit", prompt="on which port does the database run?")
    failed = {"tool_name": "Bash", "tool_input": {"command": "curl x"}}
    hooks.context("PostToolUseFailure", **failed, error="Exit code 6\nno host")
    hooks.context("SessionStart", source="startup", session_id="another")
    return hooks


def test_the_last_sessions_are_told_in_short(used: Hooks) -> None:
    found = json.loads(used.bower("session"))["data"]["sessions"]
    assert [(one["id"], one["prompts"], one["calls"], one["failed"]) for one in found] == [
        ("another", 0, 0, 0),
        ("0f8fad5b-d9cb-469f-a165-70867728950e", 1, 1, 1),
    ]
    assert (found[1]["external"], found[1]["recorded"]) == (True, [])
    assert "capture full" in used.bower("status", "--format", "text")
    listed = used.bower("session", "--format", "text")
    assert "0f8fad5b !" in listed


def test_one_session_tells_all_that_happened_and_what_was_given(used: Hooks) -> None:
    (one,) = json.loads(used.bower("session", "0f8f"))["data"]["sessions"]
    assert [line["what"] for line in one["recorded"]] == ["started", "prompted", "failed"]
    (given,) = one["handed"]
    assert (given["event"], given["why"]) == ("UserPromptSubmit", "prompt")
    assert given["items"][0]["reason"].startswith("relevance 0.")
    assert 0 < given["tokens"] <= 500
    text = used.bower("session", "0f8f", "--format", "text")
    assert "failed Bash exit 6 external: shell: curl x" in text
    assert "given at UserPromptSubmit" in text


def test_one_injection_is_traced_to_what_its_entries_say(used: Hooks) -> None:
    (one,) = json.loads(used.bower("session", "0f8f"))["data"]["sessions"]
    sign = one["handed"][0]["sign"]
    (traced,) = json.loads(used.bower("session", "0f8f", "--injection", sign[:6]))["data"][
        "sessions"
    ]
    (item,) = traced["handed"][0]["items"]
    assert (item["text"], item["state"]) == ("The database runs on port 6432", "active")
    text = used.bower("session", "0f8f", "--injection", sign, "--format", "text")
    assert "        The database runs on port 6432" in text


def test_an_injection_shows_what_was_said_then(used: Hooks) -> None:
    (one,) = json.loads(used.bower("session", "0f8f"))["data"]["sessions"]
    given = one["handed"][0]
    used.bower("edit", given["items"][0]["id"], "The database runs on port 7000")
    asked = ("session", "0f8f", "--injection", given["sign"])
    (traced,) = json.loads(used.bower(*asked))["data"]["sessions"]
    (item,) = traced["handed"][0]["items"]
    assert (item["text"], item["now"]) == (
        "The database runs on port 6432",
        "The database runs on port 7000",
    )
    text = used.bower(*asked, "--format", "text")
    assert text.index("runs on port 6432") < text.index("changed since; now:")
    assert text.index("changed since; now:") < text.index("runs on port 7000")


@pytest.mark.parametrize(
    "words", [["nothing"], ["0f8f", "--injection", "ff"], ["--injection", "ff"]]
)
def test_what_is_not_there_is_an_error_with_a_remedy(words: list[str], used: Hooks) -> None:
    with pytest.raises(subprocess.CalledProcessError) as raised:
        used.bower("session", *words)
    assert "see: bower session" in raised.value.stdout.decode()


def test_the_sessions_of_a_project_are_those_that_began_in_it(hooks: Hooks) -> None:
    own, other = hooks.project, hooks.project.parent / "other"
    (other / ".git").mkdir(parents=True)
    for folder, session in ((own, "first"), (other, "second")):
        hooks.project = folder
        hooks.context("SessionStart", source="startup", session_id=session)
        hooks.context("UserPromptSubmit", prompt="is the mill open on Mondays?", session_id=session)
    os.chdir(own)
    with Bowerbird.open(hooks.store) as bird:
        assert {one.id for one in bird.admin.sessions().sessions} == {"first", "second"}
        assert [one.id for one in bird.admin.sessions(here=True).sessions] == ["first"]
        assert [one.id for one in of_time(bird, None)[1]] == ["first"]
