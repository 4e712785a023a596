"""One session as each agent records it: it teaches the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.sessions.learn.promote import PROPOSED, judged
from bowerbird.sessions.learn.transcript import recorded_session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOON = "2026-01-02T12:00:00.000Z"
SAID = "Remember: never push to the release branch."
ASKED = "Never push to the release branch."
FINDING = "src/a.py:3:1: PLR2004 magic value used\nif count > 40:\n   ^\nFound 1 error."
OLD = "if count > 40:"
NEW = "if count > MOST:"
LINT = "ruff check ."
LESSONS = {
    "error_retry": (
        f"On 2 January 2026 `{LINT}` failed (PLR2004); in `src/a.py`, `{OLD}` was replaced by `{NEW}`,"
        " and the failure was gone."
    ),
    "instructions": ASKED,
}
Rows = list[dict[str, Any]]


def claude_code() -> Rows:
    common = {"sessionId": "s", "cwd": "/p", "timestamp": NOON}

    def use(number: int, name: str, given: dict[str, Any], answer: str, *, bad: bool) -> Rows:
        call = {"type": "tool_use", "id": f"t{number}", "name": name, "input": given}
        back = {
            "type": "tool_result",
            "tool_use_id": f"t{number}",
            "content": answer,
            "is_error": bad,
        }
        return [
            {**common, "type": "assistant", "message": {"content": [call]}},
            {**common, "type": "user", "message": {"content": [back]}},
        ]

    change = {"file_path": "/p/src/a.py", "old_string": OLD, "new_string": NEW}
    return [
        {**common, "type": "user", "message": {"content": SAID}},
        *use(1, "Bash", {"command": LINT}, FINDING, bad=True),
        *use(2, "Edit", change, "done", bad=False),
        *use(3, "Bash", {"command": LINT}, "All good", bad=False),
    ]


def codex() -> Rows:
    def row(kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": NOON, "type": kind, "payload": payload}

    def shell(id: str, answer: str, code: int) -> Rows:
        arguments = json.dumps({"command": ["bash", "-lc", LINT]})
        output = json.dumps({"output": answer, "metadata": {"exit_code": code}})
        call = {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": id}
        back = {"type": "function_call_output", "call_id": id, "output": output}
        return [row("response_item", **call), row("response_item", **back)]

    patch = f"*** Begin Patch\n*** Update File: src/a.py\n@@\n-{OLD}\n+{NEW}\n*** End Patch"
    call = {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "b"}
    back = {"type": "custom_tool_call_output", "call_id": "b", "output": "Done"}
    return [
        row("session_meta", id="s", cwd="/p"),
        row("event_msg", type="user_message", message=SAID),
        *shell("a", FINDING, 1),
        row("response_item", **call),
        row("response_item", **back),
        *shell("c", "All good", 0),
    ]


def gemini() -> Rows:
    def called(
        id: str, name: str, args: dict[str, Any], answer: str, status: str
    ) -> dict[str, Any]:
        result = [{"functionResponse": {"response": {"output": answer}}}]
        return {"id": id, "name": name, "args": args, "result": result, "status": status}

    change = {"file_path": "/p/src/a.py", "old_string": OLD, "new_string": NEW}
    calls = [
        called("a", "run_shell_command", {"command": LINT}, FINDING, "success"),
        called("b", "replace", change, "done", "success"),
        called("c", "run_shell_command", {"command": LINT}, "All good", "success"),
    ]
    return [
        {"sessionId": "s", "projectHash": "h", "startTime": NOON, "directories": ["/p"]},
        {"id": "m1", "timestamp": NOON, "type": "user", "content": SAID},
        {"id": "m2", "timestamp": NOON, "type": "gemini", "content": "", "toolCalls": calls},
    ]


def openclaw() -> Rows:
    def message(role: str, content: Any, **more: Any) -> dict[str, Any]:
        body = {"role": role, "content": content, **more}
        return {"type": "message", "timestamp": NOON, "message": body}

    def use(id: str, name: str, given: dict[str, Any], answer: str, *, bad: bool) -> Rows:
        call = [{"type": "toolCall", "id": id, "name": name, "arguments": given}]
        text = [{"type": "text", "text": answer}]
        back = message("toolResult", text, toolCallId=id, isError=bad)
        return [message("assistant", call), back]

    return [
        {"type": "session", "version": 3, "id": "s", "timestamp": NOON, "cwd": "/p"},
        message("user", [{"type": "text", "text": SAID}]),
        *use("a", "bash", {"command": LINT}, FINDING, bad=True),
        *use("b", "edit", {"path": "src/a.py", "oldText": OLD, "newText": NEW}, "done", bad=False),
        *use("c", "bash", {"command": LINT}, "All good", bad=False),
    ]


def opencode() -> Rows:
    def message(id: str, role: str, *parts: dict[str, Any]) -> dict[str, Any]:
        info = {"id": id, "role": role, "time": {"created": 1_767_355_200_000}}
        return {"info": info, "parts": [*parts]}

    def use(id: str, tool: str, given: dict[str, Any], output: str) -> dict[str, Any]:
        state = {"status": "completed", "input": given, "output": output}
        return {"type": "tool", "callID": id, "tool": tool, "state": state}

    change = {"filePath": "/p/src/a.py", "oldString": OLD, "newString": NEW}
    return [
        {
            "info": {"id": "s", "directory": "/p"},
            "messages": [
                message("m1", "user", {"type": "text", "text": SAID}),
                message(
                    "m2",
                    "assistant",
                    use("a", "bash", {"command": LINT}, FINDING),
                    use("b", "edit", change, "done"),
                    use("c", "bash", {"command": LINT}, "All good"),
                ),
            ],
        }
    ]


@pytest.mark.parametrize("rows", [claude_code, codex, gemini, openclaw, opencode])
def test_a_session_teaches_the_same_whoever_recorded_it(
    rows: Callable[[], Rows], tmp_path: Path
) -> None:
    path = tmp_path / ("s.json" if rows is opencode else "s.jsonl")
    path.write_text("\n".join(json.dumps(one) for one in rows()))
    session = recorded_session(str(path))
    assert session is not None
    assert (session.id, session.folder) == ("s", "/p")
    found = [one for one in judged(session, []) if one.decision == PROPOSED]
    assert {one.signal.name: one.lesson.text for one in found} == LESSONS
