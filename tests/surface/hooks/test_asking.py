"""An agent is asked what a session taught: once, after a signal, where a person watches; and checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.text import count_tokens
from bowerbird.hook.asking import BUILDS, REASON

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surface.hooks.conftest import Hooks

CORRECTION = "no, use pnpm here, npm breaks the lockfile"
DEMO = "the demo is shown on the spare laptop"
MAKE: Any = {"tool_name": "Bash", "tool_input": {"command": "make test"}}


@pytest.fixture(autouse=True)
def _on(hooks: Hooks) -> None:
    hooks.environment |= {"BOWER_LEARN_ASK": "end", "CLAUDE_CODE_ENTRYPOINT": "cli"}
    # These tests may run in a build themselves.
    for name in BUILDS:
        hooks.environment.pop(name, None)


def stop(hooks: Hooks, **fields: Any) -> str:
    """What the agent is told to go on with; empty if it may stop."""
    done = hooks.run("claude-code", "Stop", **fields)
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    assert answer["decision"] == "block"
    return str(answer["reason"])


def prompt(hooks: Hooks, text: str) -> None:
    hooks.run("claude-code", "UserPromptSubmit", prompt=text)


def recorded(hooks: Hooks, folder: Path, records: list[tuple[str, Any]], asked_at: str) -> Path:
    """A transcript of Claude Code; its first record is older than what follows."""
    base = {"cwd": str(hooks.project), "sessionId": "0f8fad5b-d9cb-469f-a165-70867728950e"}
    path = folder / "one.jsonl"
    path.write_text(
        "".join(
            json.dumps(
                base
                | {"type": role, "uuid": f"u{number}"}
                | {"timestamp": asked_at if not number else "2099-01-01T10:00:00Z"}
                | {"message": {"role": role, "content": content}}
            )
            + "\n"
            for number, (role, content) in enumerate(records)
        )
    )
    return path


def test_the_request_is_short() -> None:
    assert count_tokens(REASON) <= 60


@pytest.mark.parametrize(
    "text", [CORRECTION, "and remember that staging is slow", "nein, nimm pnpm", "I told you: tabs"]
)
def test_it_is_asked_once_after_a_correction_or_a_wish(hooks: Hooks, text: str) -> None:
    prompt(hooks, "fix the build")
    assert stop(hooks) == ""
    prompt(hooks, text)
    assert stop(hooks) == REASON
    # Whatever the agent says of itself.
    assert stop(hooks) == ""
    prompt(hooks, CORRECTION)
    assert stop(hooks) == ""
    assert stop(hooks, session_id="another") == ""


def test_it_is_asked_after_a_repeated_failure_that_was_cured(hooks: Hooks) -> None:
    for _ in range(2):
        assert stop(hooks) == ""
        hooks.run("claude-code", "PostToolUseFailure", error="Exit code 2\nno rule", **MAKE)
    assert stop(hooks) == ""
    hooks.run("claude-code", "PostToolUse", tool_response={"stdout": "ok"}, **MAKE)
    assert stop(hooks) == REASON


@pytest.mark.parametrize(
    "variables",
    [
        {"BOWER_LEARN_ASK": "off"},
        {"BOWER_AGENT_LEARN": "off"},
        {"BOWER_AGENT_CAPTURE": "off"},
        {"BOWER_HOOK": "1"},
        {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"},
        {"CI": "true"},
    ],
    ids=str,
)
def test_nobody_is_asked_unless_it_is_on_and_somebody_watches(
    hooks: Hooks, variables: dict[str, str]
) -> None:
    hooks.environment |= variables
    prompt(hooks, CORRECTION)
    assert stop(hooks) == ""


def test_neither_a_sub_agent_nor_one_that_goes_on_already_is_asked(hooks: Hooks) -> None:
    prompt(hooks, CORRECTION)
    assert stop(hooks, stop_hook_active=True) == ""
    assert stop(hooks, agent_id="sub") == ""
    assert hooks.run("claude-code", "SubagentStop").stdout == b""
    assert stop(hooks) == REASON


def test_a_broken_journal_stops_no_agent(hooks: Hooks, tmp_path: Path) -> None:
    (tmp_path / "memory.db.journal").write_text("no folder")
    assert stop(hooks) == ""


# What the agent keeps, and why it has to wait. On four subjects, as none is to contradict another.
TOLD = "created: fact, id {}"
STORED = (
    (f"The demo is shown on the laptop (“{DEMO}”)", ""),
    (f"Deployments of the shop run at noon (“{DEMO}”)", "is not in its evidence"),
    ("Retry the flaky search test twice (“retry it twice”)", "its quote is not in the session"),
    ("The staging database is called cobalt", "it quotes nothing"),
)


def test_what_it_kept_is_checked_against_the_session(hooks: Hooks, tmp_path: Path) -> None:
    prompt(hooks, CORRECTION)
    asked_at = "2026-01-01T10:00:00Z"
    assert stop(hooks) == REASON
    ids = [json.loads(hooks.bower("curate", text))["data"]["id"] for text, _ in STORED]
    records: list[tuple[str, Any]] = [("user", CORRECTION), ("user", DEMO)]
    for number, ((text, _), id) in enumerate(zip(STORED, ids, strict=True)):
        use = {"type": "tool_use", "id": f"t{number}", "name": "mcp__bowerbird__memory_store"}
        records.append(("assistant", [use | {"input": {"content": text}}]))
        done = {"type": "tool_result", "tool_use_id": f"t{number}"}
        # As Claude Code records an answer with fields, and as others do.
        answer = json.dumps({"id": id, "decision": "created"}, separators=(",", ":"))
        records.append(("user", [done | {"content": answer if number % 2 else TOLD.format(id)}]))
    path = recorded(hooks, tmp_path, records, asked_at)
    hooks.bower("learn", str(path))
    for (text, problem), id in zip(STORED, ids, strict=True):
        found = json.loads(hooks.bower("get", id))["data"]
        assert (problem in found["review"]) if problem else found["review"] == "", found
        # The quote has served.
        assert found["text"] == (text if problem else text.partition(" (“")[0])
    for one in ("learn", "learn"):  # nothing is checked twice
        hooks.bower(one, str(path))
    assert json.loads(hooks.bower("get", ids[0]))["data"]["review"] == ""


@pytest.mark.parametrize("first", ["the person", "the agent"])
def test_what_a_person_stated_stays_in_their_own_words_though_the_agent_kept_it_too(
    hooks: Hooks, tmp_path: Path, first: str
) -> None:
    text = f"Use pnpm here, npm breaks the lockfile. (“{CORRECTION[4:]}”)"
    path = recorded(hooks, tmp_path, [("user", CORRECTION)], "2026-01-01T10:00:00Z")
    acts = [("learn", str(path)), ("curate", text)]
    for act in acts if first == "the person" else reversed(acts):
        hooks.bower(*act)
    listed = json.loads(hooks.bower("list", "--memories"))["data"]["entries"]
    (own,) = (one for one in listed if one["source"] == "user_taught")
    assert own["text"] == text.partition(" (“")[0]
