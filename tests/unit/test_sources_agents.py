"""Transcripts of Codex, OpenClaw, Gemini and OpenCode, in the formats that they document."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.report import Skipped
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import Contents
from bowerbird.ingest.contents import read as read_contents
from bowerbird.ingest.sources.reading import Material, Reading
from bowerbird.ingest.sources.registry import source_for
from bowerbird.ingest.walk import Found

if TYPE_CHECKING:
    from pathlib import Path

ZSTD = import_module("compression.zstd" if sys.version_info >= (3, 14) else "zstandard")
NOON = "2026-01-02T12:00:00.000Z"
NOON_MS = 1_767_355_200_000


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def read(text: str, path: str) -> tuple[str, Reading]:
    material = Material(path, text)
    source = source_for(material)
    return source.name, source.read(material, Size(400, 80))


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(piece.speaker, piece.text) for piece in reading.pieces]


def places(reading: Reading) -> list[tuple[int, int]]:
    return [(piece.start_line, piece.end_line) for piece in reading.pieces]


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": NOON, "type": kind, "payload": payload}


def item(role: str, *texts: str) -> dict[str, Any]:
    part = "output_text" if role == "assistant" else "input_text"
    content = [{"type": part, "text": text} for text in texts]
    return codex("response_item", type="message", role=role, content=content)


CODEX = (
    codex("session_meta", id="c-1", cwd="/shop", originator="codex_cli", cli_version="0.169.0"),
    item("developer", "be terse"),
    item("user", "# AGENTS.md instructions for /shop\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"),
    item("user", "<environment_context>\n<cwd>/shop</cwd>\n</environment_context>"),
    codex("turn_context", cwd="/shop", model="m"),
    item("user", "Why is the build red?"),
    codex("event_msg", type="user_message", message="Why is the build red?"),
    codex("event_msg", type="task_started"),
    codex("response_item", type="reasoning", summary=[{"text": "hmm"}]),
    codex("event_msg", type="agent_message", message="Let me look."),
    item("assistant", "Let me look."),
    codex(
        "response_item",
        type="function_call",
        name="shell",
        arguments='{"command": ["bash", "-lc", "make test"]}',
        call_id="k1",
    ),
    codex(
        "response_item",
        type="function_call_output",
        call_id="k1",
        output='{"output": "1 failed", "metadata": {"exit_code": 1}}',
    ),
    codex(
        "response_item", type="custom_tool_call", name="apply_patch", input="*** p", call_id="k2"
    ),
    codex("response_item", type="custom_tool_call_output", call_id="k2", output="Done"),
    codex("compacted", message="Fixed a test.", replacement_history=[]),
    item("user", "Thanks"),
    codex("event_msg", type="user_message", message="Thanks"),
    item("user", "Thanks"),
    codex("event_msg", type="user_message", message="Thanks"),
    codex("something_new"),
    codex("response_item", type="something_new"),
)


def test_codex_says_each_thing_once_and_drops_what_nobody_typed() -> None:
    name, reading = read(lines(*CODEX), "/s/rollout-2026-01-02T12-00-00-c-1.jsonl")
    assert name == "codex"
    tools = (
        "[tool shell: bash -lc make test]\n\n[error: 1 failed]\n\n"
        "[tool apply_patch: *** p]\n\n[result: Done]"
    )
    assert said(reading) == [
        ("user", "Why is the build red?"),
        ("assistant", "Let me look.\n\n" + tools),
        ("assistant", "Fixed a test."),
        ("user", "Thanks"),
        ("user", "Thanks"),
    ]
    assert places(reading) == [(6, 6), (10, 15), (16, 16), (17, 17), (19, 19)]
    assert reading.pieces[2].context.startswith("compact summary")
    assert {piece.occurred for piece in reading.pieces} == {NOON_MS}
    assert (reading.session, reading.unknown) == ("c-1", 2)


def test_codex_words_after_an_injected_block_are_kept() -> None:
    text = "<environment_context>x</environment_context>\nShip it"
    _, reading = read(lines(CODEX[0], item("user", text)), "/s/rollout.jsonl")
    assert said(reading) == [("user", "Ship it")]


def test_codex_told_by_events_alone_is_read_too() -> None:
    event = codex("event_msg", type="user_message", message="Hello")
    _, reading = read(lines(CODEX[0], event, event), "/s/rollout.jsonl")
    assert said(reading) == [("user", "Hello"), ("user", "Hello")]


def test_a_compressed_rollout_without_the_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("zstandard", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(b"packed")
    with pytest.raises(OSError, match=r"install .*'bowerbird\[zstd\]'"):
        read_contents(Found(str(path), 6, 0), 1000)


def test_a_compressed_rollout_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl.zst"
    packed = ZSTD.compress(lines(*CODEX).encode())
    path.write_bytes(packed)
    outcome = read_contents(Found(str(path), len(packed), 0), 1_000_000)
    assert isinstance(outcome, Contents)
    assert outcome.size == len(packed)
    name, reading = read(outcome.text, str(path))
    assert (name, len(reading.pieces)) == ("codex", 5)

    # Appended to, as a log is: one frame after the other.
    path.write_bytes(packed + ZSTD.compress(lines(item("user", "Thanks again")).encode()))
    outcome = read_contents(Found(str(path), len(packed), 0), 1_000_000)
    assert isinstance(outcome, Contents)
    assert said(read(outcome.text, str(path))[1])[-1] == ("user", "Thanks again")

    path.write_bytes(packed)
    small = read_contents(Found(str(path), len(packed), 0), 1000)
    assert isinstance(small, Skipped)
    assert "larger" in small.reason
    # What was cut off while it was copied says nothing of what the file holds.
    for rest in (b"not zstd", packed[: len(packed) // 2]):
        path.write_bytes(rest)
        with pytest.raises(OSError, match="broken zstd data"):
            read_contents(Found(str(path), len(rest), 0), 1_000_000)


def test_what_unpacks_to_far_more_than_it_takes_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(ZSTD.compress(lines(item("user", "x")).encode() * 200_000))
    outcome = read_contents(Found(str(path), 0, 0), 50_000_000)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "unpacked it is over 200 times as large"


def claw(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "id": "e", "parentId": None, "timestamp": NOON, **more}


def claw_message(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return claw("message", message={"role": role, "content": content, **more})


def test_openclaw_events() -> None:
    text = lines(
        {"type": "session", "version": 3, "id": "o-1", "timestamp": NOON, "cwd": "/shop"},
        claw("model_change", provider="p", modelId="m"),
        claw_message("user", [{"type": "text", "text": "Where is the log?"}]),
        claw_message(
            "assistant",
            [
                {"type": "thinking", "thinking": "hmm"},
                {"type": "text", "text": "Looking."},
                {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "a.log"}},
            ],
        ),
        claw_message("toolResult", [{"type": "text", "text": "empty"}], toolCallId="t1"),
        claw_message("toolResult", "no", toolCallId="t9", isError=True),
        claw("compaction", summary="We looked at logs.", firstKeptEntryId="e", tokensBefore=9),
        claw("branch_summary", summary="Another way was tried."),
        claw("unheard_of"),
    )
    name, reading = read(text, "/s/x.jsonl")
    assert name == "openclaw"
    assert said(reading) == [
        ("user", "Where is the log?"),
        ("assistant", "Looking.\n\n[tool read: a.log]\n\n[result: empty]"),
        ("tool", "[error: no]"),
        ("assistant", "We looked at logs."),
        ("assistant", "Another way was tried."),
    ]
    assert places(reading) == [(3, 3), (4, 5), (6, 6), (7, 7), (8, 8)]
    notes = [piece.context.partition(" · ")[0] for piece in reading.pieces[3:]]
    assert notes == ["compact summary", "branch summary"]
    assert (reading.session, reading.unknown) == ("o-1", 1)


HEAD = {"sessionId": "g-1", "projectHash": "h", "startTime": NOON, "lastUpdated": NOON}


def gemini(id: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": NOON, "type": kind, "content": content, **more}


def test_gemini_log_is_replayed() -> None:
    call = {
        "id": "t1",
        "name": "run_shell_command",
        "args": {"command": "make"},
        "status": "success",
        "result": [{"functionResponse": {"id": "t1", "response": {"output": "built"}}}],
    }
    text = lines(
        {**HEAD, "kind": "main"},
        gemini("a", "user", [{"text": "Build it"}]),
        gemini("b", "gemini", "Building"),
        gemini("b", "gemini", "Building now", toolCalls=[call], thoughts=[{"subject": "x"}]),
        gemini("i", "info", "Update available"),
        gemini("c", "user", "Delete everything"),
        gemini("d", "gemini", "Deleted"),
        {"$rewindTo": "c"},
        gemini("e", "user", "Test it @big.txt with all of big.txt", displayContent="Test it"),
        {"$set": {"summary": "Building the shop", "messages": [gemini("a", "user", "Build it!")]}},
        {"$rewindTo": "nothing"},
        {"what": "is this"},
    )
    name, reading = read(text, "/s/session-1.jsonl")
    assert name == "gemini"
    assert said(reading) == [
        ("user", "Build it!"),
        ("assistant", "Building now\n\n[tool run_shell_command: make]\n\n[result: built]"),
        ("user", "Test it"),
    ]
    assert places(reading) == [(10, 10), (4, 4), (9, 9)]
    assert (reading.session, reading.title, reading.unknown) == ("g-1", "Building the shop", 1)


def test_gemini_in_one_object() -> None:
    messages = [gemini("m1", "user", "Hello"), gemini("m2", "gemini", {"text": "Hi"})]
    text = json.dumps({**HEAD, "messages": messages}, indent=2)
    name, reading = read(text, "/s/session-1.json")
    assert name == "gemini"
    assert said(reading) == [("user", "Hello"), ("assistant", "Hi")]
    for (start, _), id in zip(places(reading), ("m1", "m2"), strict=True):
        assert text.split("\n")[start - 1].strip() == f'"id": "{id}",'


def test_opencode_export() -> None:
    def message(id: str, role: str, *parts: dict[str, Any]) -> dict[str, Any]:
        info = {"id": id, "sessionID": "ses_1", "role": role, "time": {"created": NOON_MS}}
        return {"info": info, "parts": [{"id": "p", "messageID": id, **part} for part in parts]}

    state = {"status": "completed", "input": {"filePath": "/shop/a.py"}, "output": "x = 1"}
    failed = {"status": "error", "input": {"command": "make"}, "error": "no rule"}
    text = json.dumps(
        {
            "info": {"id": "ses_1", "title": "Fix a.py", "time": {"created": NOON_MS}},
            "messages": [
                message(
                    "msg_1",
                    "user",
                    {"type": "text", "text": "Fix a.py"},
                    {"type": "text", "text": "Called the Read tool", "synthetic": True},
                    {"type": "file", "url": "file:///shop/a.py"},
                ),
                message(
                    "msg_2",
                    "assistant",
                    {"type": "step-start"},
                    {"type": "reasoning", "text": "hmm"},
                    {"type": "tool", "tool": "read", "callID": "c1", "state": state},
                    {"type": "tool", "tool": "bash", "callID": "c2", "state": failed},
                    {"type": "text", "text": "Done."},
                    {"type": "unheard-of"},
                ),
            ],
        },
        indent=2,
    )
    name, reading = read(text, "/s/export.json")
    assert name == "opencode"
    assert said(reading)[0] == ("user", "Fix a.py")
    tools = "[tool read: /shop/a.py]\n\n[result: x = 1]\n\n[tool bash: make]\n\n[error: no rule]"
    assert said(reading)[1:] == [("assistant", tools), ("assistant", "Done.")]
    first = text.split("\n")[reading.pieces[0].start_line - 1]
    assert "msg_1" in first
    assert (reading.session, reading.title, reading.unknown) == ("ses_1", "Fix a.py", 1)
    assert {piece.occurred for piece in reading.pieces} == {NOON_MS}


@pytest.mark.parametrize(
    "text", ['{"messages": []}', '{"info": {}, "messages": [1]}', '{"sessionId": "x"}', "{", "[1]"]
)
def test_other_json_is_plain_text(text: str) -> None:
    assert read(text, "/s/data.json")[0] == "text"
