"""What a person tells an agent for good in a folder without a repository is kept there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

RULE = "From now on we always name files in kebab-case."


def held(hooks: Hooks, session: str, said: str) -> None:
    """A session in the folder of the hooks in which a person said something."""
    talk = Path(hooks.environment["HOME"]) / ".claude" / "projects" / "x" / f"{session}.jsonl"
    talk.parent.mkdir(parents=True, exist_ok=True)
    records = [("user", said), ("assistant", "All right, I shall do that from now on.")]
    lines = (
        {
            "type": kind,
            "uuid": f"{session}{number}",
            "sessionId": session,
            "cwd": str(hooks.project),
            "timestamp": f"2026-01-02T10:00:0{number}Z",
            "message": {"role": kind, "content": text},
        }
        for number, (kind, text) in enumerate(records)
    )
    talk.write_text("".join(json.dumps(one) + "\n" for one in lines))
    hooks.context("SessionStart", source="startup", session_id=session)
    hooks.context("UserPromptSubmit", prompt=said, session_id=session)
    os.chdir(hooks.project)
    with Bowerbird.open(hooks.store) as bird:
        bird.admin.learn(talk)


@pytest.fixture
def plain(hooks: Hooks) -> Hooks:
    hooks.project = Path(hooks.environment["HOME"]) / "notes"
    hooks.project.mkdir(parents=True)
    return hooks


def test_a_rule_said_in_a_plain_folder_is_told_there_and_below_and_nowhere_else(
    plain: Hooks,
) -> None:
    held(plain, "first", RULE)
    assert RULE in plain.context("SessionStart", source="startup", session_id="second")
    found = json.loads(plain.bower("list", "--memories"))["data"]["entries"]
    assert RULE.rstrip(".") in {one["text"].rstrip(".") for one in found}
    own, plain.project = plain.project, plain.project / "deeper"
    plain.project.mkdir()
    assert RULE in plain.context("SessionStart", source="startup", session_id="third")
    for elsewhere in (own.parent, own.parent / "other"):
        plain.project = elsewhere
        elsewhere.mkdir(exist_ok=True)
        assert plain.context("SessionStart", source="startup", session_id=elsewhere.name) == ""


def test_a_plain_folder_in_which_nothing_was_said_for_good_stays_no_project(plain: Hooks) -> None:
    held(plain, "first", "What is in these files, and which of them is the oldest?")
    with Bowerbird.open(plain.store) as bird:
        assert bird.project.uid == ""
        assert not bird.exists or not bird.list(memories_only=True)


def test_what_is_said_in_the_home_folder_holds_everywhere(plain: Hooks) -> None:
    own, plain.project = plain.project, plain.project.parent
    held(plain, "first", "From now on always answer me in English.")
    plain.project = own
    told = plain.context("SessionStart", source="startup", session_id="second")
    assert "answer me in English" in told
    assert "Session of" not in told
