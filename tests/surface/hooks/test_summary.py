"""What memory was to a session, at its end and afterwards."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tests.surface.hooks.conftest import SESSION
from tests.surface.hooks.test_injecting import keep

from bowerbird.agents.claude_code import AGENT as CLAUDE_CODE
from bowerbird.bird import Bowerbird
from bowerbird.hook import Hook
from bowerbird.host.places import project_of
from bowerbird.sessions.experiment.arms import ARMS, FULL, arm
from bowerbird.surfaces.hooks.payload import event_of

if TYPE_CHECKING:
    import pytest
    from tests.surface.hooks.conftest import Hooks


def work(hooks: Hooks, *, session: str = SESSION) -> None:
    """A session that was given something and ended."""
    hooks.context("SessionStart", source="startup", session_id=session)


def test_a_session_ends_with_what_memory_was_to_it(hooks: Hooks) -> None:
    known = keep(hooks, "Use pnpm, never npm", kind="preference")
    keep(hooks, "The clock runs late", session=SESSION, review="seen by nobody yet")
    work(hooks)
    hooks.context("Stop", last_assistant_message=f"As [Memory #{known[:18]}: pnpm] says.")
    done = hooks.run("claude-code", "SessionEnd", reason="other")
    output = json.loads(done.stdout)["systemMessage"]
    assert output.startswith("Memory: 1 injected")
    assert "1 cited" in output
    data = json.loads(hooks.bower("session", "--summary", "--format", "json"))["data"]
    (session,) = data["sessions"]
    summary = session["summary"]
    assert [(one["id"], one["cited"]) for one in summary["given"]] == [(known, True)]
    assert [one["review"] for one in summary["learned"]] == ["seen by nobody yet"]
    assert summary["saved"] == 1_500 - summary["tokens"]
    assert session["tokens"] == summary["tokens"] > 0
    text = hooks.bower("session", SESSION[:8], "--summary", "--format", "text")
    assert "injected: 1 memory" in text
    assert "cited  preference" in text
    assert "waits  fact" in text


def test_a_failure_behind_a_pipe_counts_and_a_stopped_call_does_not(hooks: Hooks) -> None:
    name = next(
        str(n) for n in range(300) if arm(str(n), project_of(str(hooks.project)).uid) == FULL
    )
    hooks.environment["BOWER_AGENT_EXPERIMENT"] = "on"
    keep(hooks, "Use pnpm, never npm", kind="preference")
    hooks.context("SessionStart", source="startup", session_id=name)
    hooks.context("UserPromptSubmit", prompt="fix the tests", session_id=name)
    for command, output in (
        ("pytest -q | tail -3", "FAILED tests/test_queue.py::test_drain - assert 1 == 2"),
        ("cargo clippy | tail -3", "error: could not compile `shop` (lib)"),
        ("npx jest | tail -3", "Tests: 1 failed, 3 passed"),
        ("ruff check . | tail -3", "Found 2 errors.\nerror: 2 errors"),
        ("go test ./... | tail -3", "--- FAIL: TestDrain (0.00s)\nFAIL\tshop/queue\t0.1s"),
        ("pytest -q | tail -3", "Error: told on purpose\n4 passed in 0.1s"),
        ("cat old.log", "exit status 1\nerror: of last week"),
        ("pytest -q | tail -3", "no error: 4 passed, exit code 0"),
    ):
        call = {"tool_name": "Bash", "tool_input": {"command": command}}
        hooks.context("PostToolUse", **call, tool_response={"stdout": output}, session_id=name)
    call = {"tool_name": "Bash", "tool_input": {"command": "make"}, "session_id": name}
    hooks.context("PostToolUseFailure", **call, error="The user doesn't want to proceed with this")
    hooks.context("PostToolUseFailure", **call, error="")
    answer = json.loads(hooks.bower("session", "--summary", "--format", "json"))["data"]
    assert (answer["sessions"][0]["calls"], answer["sessions"][0]["failed"]) == (10, 6)
    data = json.loads(hooks.bower("session", "--compare", "--format", "json"))["data"]
    failed = [one["full"] for one in data["comparison"]["rows"] if one["metric"] == "failed_calls"]
    assert {*failed} == {0.6}


def test_before_anything_is_kept_a_session_has_a_summary(hooks: Hooks) -> None:
    work(hooks)
    hooks.context("UserPromptSubmit", prompt="fix the tests")
    answer = json.loads(hooks.bower("session", "--summary", "--format", "json"))["data"]
    assert (answer["sessions"][0]["prompts"], answer["sessions"][0]["summary"]["learned"]) == (
        1,
        [],
    )


def test_the_last_session_is_that_of_this_project(hooks: Hooks) -> None:
    def last() -> str:
        answer = json.loads(hooks.bower("session", "--summary", "--format", "json"))["data"]
        return str(answer["sessions"][0]["id"])

    here, other = hooks.project, hooks.project.parent / "depot"
    (other / ".git").mkdir(parents=True)
    work(hooks)
    hooks.project = other
    assert last() == SESSION
    told = hooks.command("session", "--summary", "--format", "text").stderr
    assert b"no session of project depot was recorded: this is the last of all" in told
    work(hooks, session="b" * 8)
    assert last() == "b" * 8
    hooks.project = here
    assert last() == SESSION
    assert hooks.command("session", "--summary", "--format", "text").stderr == b""


def test_where_nothing_was_given_a_session_ends_in_silence(hooks: Hooks) -> None:
    work(hooks)
    assert hooks.run("claude-code", "SessionEnd", reason="other").stdout == b""


def test_from_the_third_level_on_nothing_is_shown_at_the_end(hooks: Hooks) -> None:
    keep(hooks, "Use pnpm, never npm", kind="preference")
    hooks.environment["BOWER_AGENT_LEVEL"] = "3"
    work(hooks)
    assert hooks.run("claude-code", "SessionEnd", reason="other").stdout == b""


def test_five_sessions_without_a_correction_make_a_memory_surer(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in hooks.environment.items():
        monkeypatch.setenv(name, value)
    id = keep(hooks, "Use pnpm, never npm", kind="preference", origin="agent", confidence=0.85)
    transcript = hooks.project.parent / "t.jsonl"
    transcript.write_text('{"type": "user", "message": {"role": "user", "content": "hello"}}\n')
    for number in range(6):
        session = f"session-{number}"
        work(hooks, session=session)
        payload = {"session_id": session, "cwd": str(hooks.project)}
        event = event_of(CLAUDE_CODE, "SessionEnd", payload | {"transcript_path": str(transcript)})
        os.chdir(hooks.project)
        Hook(event, {}, tuple).afterwards()
        with Bowerbird.open(hooks.store) as bird:
            details = bird.get(id).details
        assert details is not None
        assert details.fields.confidence == (0.85 if number < 4 else 0.9)


def test_in_an_experiment_some_sessions_are_told_nothing(hooks: Hooks) -> None:
    keep(hooks, "Use pnpm, never npm", kind="preference")
    hooks.environment["BOWER_AGENT_EXPERIMENT"] = "on"
    place = project_of(str(hooks.project)).uid
    names = {arm(name, place): name for name in map(str, range(300))}
    contexts = {
        one: hooks.context("SessionStart", source="startup", session_id=names[one]) for one in ARMS
    }
    assert {one: bool(context) for one, context in contexts.items()} == {
        "none": False,
        "passive": True,
        "full": True,
    }
    assert hooks.lines(f"claude-code-{names['none']}")[0]["arm"] == "none"
    data = json.loads(hooks.bower("session", "--compare", "--format", "json"))["data"]
    assert {one["says"][:7] for one in data["comparison"]["rows"]} == {"too few", "none by"}
