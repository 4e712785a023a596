"""What hooks write down, for each agent in its own words, and what they never do."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.agents.index import HOOKED
from bowerbird.agents.registry import agent
from bowerbird.surfaces.hooks.payload import hooks_of

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"
KEY = "AKIA" + "IOSFODNN7QWERTYU"


def test_a_session_of_claude_code_is_written_down(hooks: Hooks) -> None:
    project = str(hooks.project)
    hooks.context("SessionStart", source="startup")
    hooks.context("UserPromptSubmit", prompt="fix the login")
    hooks.context("PreToolUse", tool_name="Read", tool_input={"file_path": f"{project}/a.py"})
    read = {"tool_name": "Read", "tool_input": {"file_path": f"{project}/a.py"}}
    hooks.context("PostToolUse", **read, tool_response={"file": {"content": KEY}})
    failed = {"tool_name": "Bash", "tool_input": {"command": f"deploy {KEY}"}}
    hooks.context("PostToolUseFailure", **failed, error="Exit code 2\nno such host")
    hooks.context("PreCompact", trigger="auto", custom_instructions=None)
    hooks.context("SubagentStop", agent_id="a1", last_assistant_message="looked around")
    # Nothing of it needed a store.
    assert not os.path.exists(hooks.store)
    hooks.context("Stop", stop_hook_active=False, last_assistant_message="done")
    hooks.context("SessionEnd", reason="other")
    kept = hooks.lines()
    assert [one["what"] for one in kept] == [
        "started",
        "prompted",
        "calling",
        "called",
        "failed",
        "compacting",
        "sub_stopped",
        "stopped",
        "ended",
    ]
    assert kept[0]["why"] == "startup"
    assert kept[1]["text"] == "fix the login"
    assert kept[3]["paths"] == ["a.py"]
    assert (kept[4]["exit"], kept[4]["error"]) == (2, "Exit code 2\nno such host")
    assert kept[6]["sub"] == "a1"
    assert kept[7]["text"] == "done"
    assert KEY not in json.dumps(kept)


PAYLOADS: dict[str, list[tuple[str, dict[str, Any], dict[str, Any]]]] = {
    "codex": [
        ("UserPromptSubmit", {"session_id": "s", "prompt": "hi"}, {"text": "hi"}),
        (
            "PostToolUse",
            {"session_id": "s", "tool_name": "shell", "tool_input": {"command": ["ls", "-l"]}},
            {"what": "called", "command": "ls -l"},
        ),
    ],
    "gemini": [
        ("BeforeAgent", {"session_id": "s", "prompt": "hi"}, {"what": "prompted", "text": "hi"}),
        (
            "AfterTool",
            {
                "session_id": "s",
                "tool_name": "run_shell_command",
                "tool_input": {"command": "make"},
                "tool_response": {"llmContent": "x", "error": {"message": "Exit code: 4"}},
            },
            {"what": "failed", "exit": 4, "failed": True},
        ),
        (
            "AfterTool",
            {
                "session_id": "s",
                "tool_name": "run_shell_command",
                "tool_input": {"command": "make"},
                "tool_response": {"llmContent": "Command: make\nOutput: no rule\nExit Code: 2"},
            },
            {"what": "called", "exit": 2, "failed": True},
        ),
        (
            "AfterAgent",
            {"session_id": "s", "prompt": "hi", "prompt_response": "ok"},
            {"text": "ok"},
        ),
    ],
    "cursor": [
        ("beforeSubmitPrompt", {"conversation_id": "s", "prompt": "hi"}, {"text": "hi"}),
        (
            "afterShellExecution",
            {"conversation_id": "s", "command": "curl x", "output": "y"},
            {"tool": "Shell", "command": "curl x", "external": "shell"},
        ),
        (
            "afterFileEdit",
            {"conversation_id": "s", "file_path": "a.ts", "edits": []},
            {"tool": "Edit", "paths": ["a.ts"]},
        ),
        (
            "afterMCPExecution",
            {"conversation_id": "s", "tool_name": "jira_get"},
            {"tool": "jira_get"},
        ),
    ],
    "opencode": [
        (
            "tool.execute.after",
            {"sessionID": "s", "tool": "edit", "args": {"filePath": "b.ts"}, "output": "ok"},
            {"what": "called", "paths": ["b.ts"]},
        ),
        ("chat.message", {"sessionID": "s", "text": "hi"}, {"what": "prompted", "text": "hi"}),
    ],
}


@pytest.mark.parametrize(
    ("agent", "event", "payload", "kept"),
    [(agent, *one) for agent, rows in PAYLOADS.items() for one in rows],
)
def test_each_agent_is_read_in_its_own_words(
    agent: str, event: str, payload: dict[str, Any], kept: dict[str, Any], hooks: Hooks
) -> None:
    done = hooks.run(agent, event, json.dumps(payload))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = hooks.lines(f"{agent}-s")
    assert {name: line.get(name) for name in kept} == kept


@pytest.mark.parametrize(
    "payload", ["", "[1]", "{", '{"a": ' * 500, "\x00\xff", '{"session_id": 7}']
)
@pytest.mark.parametrize("id", HOOKED)
def test_garbage_is_answered_with_nothing(id: str, payload: str, hooks: Hooks) -> None:
    event = next(iter(hooks_of(agent(id)).events))
    done = hooks.run(id, event, payload.encode("latin-1"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert hooks.lines(f"{id}-") == []


def test_an_agent_or_event_that_nobody_knows_is_answered_with_nothing(hooks: Hooks) -> None:
    for id, event in (("../../x", "Stop"), ("claude-code", "Elicitation"), ("", "")):
        done = hooks.run(id, event)
        assert (done.returncode, done.stdout) == (0, b"")


def test_what_the_settings_forbid_is_not_written_down(hooks: Hooks) -> None:
    hooks.environment["BOWER_AGENT_CAPTURE"] = "metadata"
    hooks.context("UserPromptSubmit", prompt="the plan")
    assert "text" not in hooks.lines()[0]
    hooks.environment["BOWER_AGENT_CAPTURE"] = "off"
    hooks.context("UserPromptSubmit", prompt="the plan")
    assert len(hooks.lines()) == 1
    hooks.environment["BOWER_AGENT_CAPTURE"] = "some"
    hooks.context("UserPromptSubmit", prompt="the plan")
    assert len(hooks.lines()) == 1  # a wrong word for less is not taken for everything
    command = [sys.executable, "-m", "bowerbird", "doctor", "--format", "text"]
    told = subprocess.run(
        command, env=hooks.environment, check=False, capture_output=True, text=True
    )
    assert "agent.capture = 'some'" in told.stdout + told.stderr


def test_what_is_old_goes_as_a_session_begins(hooks: Hooks) -> None:
    hooks.environment["BOWER_AGENT_INJECT"] = "off"
    hooks.context("SessionStart", source="startup", session_id="old")
    path = os.path.join(hooks.store + ".journal", "claude-code-old.jsonl")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    hooks.context("SessionStart", source="startup", session_id="new")
    assert not os.path.exists(path)
    assert len(hooks.lines("claude-code-new")) == 1


def test_a_project_may_ask_to_be_written_down_less_and_not_more(hooks: Hooks) -> None:
    (hooks.project / ".bowerbird.toml").write_text('agent.capture = "off"\n')
    hooks.context("UserPromptSubmit", prompt="the plan")
    assert hooks.lines() == []
    (hooks.project / ".bowerbird.toml").write_text('agent.capture = "full"\n')
    hooks.environment["BOWER_AGENT_CAPTURE"] = "metadata"
    hooks.context("UserPromptSubmit", prompt="the plan")
    assert "text" not in hooks.lines()[0]


def test_a_hook_inside_a_hook_does_nothing(hooks: Hooks) -> None:
    hooks.environment["BOWER_HOOK"] = "1"
    hooks.context("UserPromptSubmit", prompt="the plan")
    assert hooks.lines() == []


@pytest.mark.parametrize(
    ("event", "seconds"),
    [("Stop", "0.25"), ("PostToolUse", "0.1"), ("PostToolUseFailure", "0.5")],
)
def test_an_agent_that_never_closes_its_end_is_not_waited_for(
    event: str, seconds: str, hooks: Hooks
) -> None:
    """Least of all after a call that went well; after a failed one a known cure is worth more time."""
    del hooks.environment["BOWER_HOOK_PATIENCE"]
    command = [sys.executable, "-m", "bowerbird", "hook", "claude-code", event]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=hooks.environment) as process:
        assert process.wait(timeout=120) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b""
    assert f"not done within {seconds} s" in hooks.failure()


def test_a_journal_that_cannot_be_written_stops_nobody(hooks: Hooks) -> None:
    os.makedirs(os.path.dirname(hooks.store), exist_ok=True)
    with open(hooks.store + ".journal", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert hooks.context("UserPromptSubmit", prompt="the plan") == ""
    assert "NotADirectory" in hooks.failure()


def test_from_an_external_read_on_what_a_session_keeps_is_trusted_less(hooks: Hooks) -> None:
    hooks.context("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response="")
    environment = hooks.environment
    environment |= {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION}
    before = json.loads(hooks.bower("curate", "Redis runs on port 6379"))["data"]
    assert before["trust"] == "normal"
    del environment["CLAUDECODE"], environment["CLAUDE_CODE_SESSION_ID"]
    hooks.context("PostToolUse", tool_name="WebFetch", tool_input={"url": "x"}, tool_response="y")
    environment |= {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION}
    after = json.loads(hooks.bower("curate", "The queue is drained with make drain"))["data"]
    assert (after["trust"], after["decision"]) == ("low", "quarantined")
    environment["CLAUDE_CODE_SESSION_ID"] = "another"
    other = json.loads(hooks.bower("curate", "Mails go out at noon"))["data"]
    assert other["trust"] == "normal"


def test_what_is_recorded_is_no_talk_to_be_found(hooks: Hooks) -> None:
    """A store may stand in a folder that is indexed."""
    hooks.context("UserPromptSubmit", prompt="the marmalade plan")
    hooks.bower("index", os.path.dirname(hooks.store))
    found = json.loads(hooks.bower("query", "marmalade plan", "--all-projects"))
    assert found["data"]["results"] == []


def test_an_agents_server_knows_what_its_hooks_saw(hooks: Hooks) -> None:
    """It is told no session: it is known by the process that starts both."""
    pytest.importorskip("mcp")

    def stored(text: str) -> dict[str, Any]:
        call = {"name": "memory_store", "arguments": {"content": text}}
        version: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}}
        version["clientInfo"] = {"name": "a", "version": "1"}
        asked: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": version},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": call},
        ]
        done = subprocess.run(
            [sys.executable, "-m", "bowerbird", "mcp"],
            input="".join(json.dumps({"jsonrpc": "2.0"} | one) + "\n" for one in asked),
            capture_output=True,
            text=True,
            env=hooks.environment,
            cwd=hooks.project,
            check=True,
        )
        (answer,) = [one for one in map(json.loads, done.stdout.splitlines()) if one["id"] == 2]
        found: dict[str, Any] = answer["result"]["structuredContent"]
        return found

    assert stored("The queue is drained with make drain")["decision"] == "created"
    hooks.context("PostToolUse", tool_name="WebFetch", tool_input={}, tool_response="x")
    assert stored("Mails go out at noon every day")["decision"] == "quarantined"
