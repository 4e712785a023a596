"""Conversations: plain lines of role and content, and transcripts of Claude Code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bowerbird.ingest.chunk import TURN_CHARS, Size
from bowerbird.ingest.sources.reading import Material, Reading
from bowerbird.ingest.sources.registry import source_for

if TYPE_CHECKING:
    from pathlib import Path

SIZE = Size(400, 80)
NOON = "2026-01-02T12:00:00.000Z"
NOON_MS = 1_767_355_200_000


def read_text(text: str, path: str = "/talks/monday.jsonl") -> tuple[str, Reading]:
    material = Material(path, text)
    source = source_for(material)
    return source.name, source.read(material, SIZE)


def read(*records: dict[str, Any], path: str = "/talks/monday.jsonl") -> Reading:
    return read_text("".join(json.dumps(record) + "\n" for record in records), path)[1]


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(piece.speaker, piece.text) for piece in reading.pieces]


def test_a_turn_is_a_piece_with_its_line_speaker_and_time() -> None:
    reading = read(
        {"role": "user", "content": "Is Redis up?", "timestamp": NOON},
        {"role": "assistant", "content": [{"type": "text", "text": "It is."}, "Since Monday."]},
        {"role": "user", "name": "Ann", "content": "Thanks", "timestamp": "March-15-2024"},
        {"speaker": "Ben", "text": "Bye", "timestamp": 1_710_498_030},
    )
    assert said(reading) == [
        ("user", "Is Redis up?"),
        ("assistant", "It is.\nSince Monday."),
        ("Ann", "Thanks"),
        ("Ben", "Bye"),
    ]
    assert [(p.start_line, p.end_line) for p in reading.pieces] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [p.occurred for p in reading.pieces] == [
        NOON_MS,
        None,
        1_710_460_800_000,
        1_710_498_030_000,
    ]
    assert (reading.session, reading.unknown) == ("monday", 0)


def test_the_session_in_the_file_wins_over_its_name() -> None:
    assert read({"role": "user", "content": "a", "session_id": "s-1"}).session == "s-1"


def test_a_long_turn_is_several_pieces_on_the_same_line() -> None:
    reading = read(
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "It goes on and on. " * 200},
    )
    parts = reading.pieces[1:]
    assert len(parts) > 2
    assert {(p.start_line, p.end_line, p.speaker) for p in parts} == {(2, 2, "assistant")}
    assert all(len(p.text) <= TURN_CHARS for p in parts)


def test_who_speaks_by_name_in_the_text_is_the_speaker() -> None:
    reading = read(
        {"role": "user", "content": "Caroline: Hey Mel!"},
        {"role": "assistant", "content": "Melanie: Hey!", "timestamp": "8 May, 2023"},
        {"role": "user", "content": "Caroline: Note: bring the book."},
        {"role": "assistant", "content": "Melanie: I will."},
        {"role": "user", "content": "Warning: it rains."},
    )
    speakers = [p.speaker for p in reading.pieces]
    assert speakers == ["Caroline", "Melanie", "Caroline", "Melanie", "user"]
    assert [p.context for p in reading.pieces] == ["", "Monday 8 May 2023", "", "", ""]


def test_white_space_is_normalised_and_indentation_kept() -> None:
    reading = read({"role": "user", "content": "a  b\t c \n\n\n\n  if x:\n    y\r\nz \u200b"})
    assert reading.pieces[0].text == "a b c\n\n  if x:\n    y\nz"


def test_calls_and_results_of_tools_are_short_and_marked() -> None:
    call = {"function": {"name": "search", "arguments": '{"q": "redis"}'}}
    reading = read(
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "line\n" * 500},
    )
    assert said(reading)[0] == ("assistant", '[tool search: {"q": "redis"}]')
    assert said(reading)[1][1].startswith("[result: line line")
    assert len(reading.pieces[1].text) < 400


def test_broken_lines_are_counted_and_nothing_is_raised() -> None:
    lines = [
        '{"role": "user", "content": "kept"}',
        '{"role": "user", "content": "broken',
        '{"role": "user", "content": ' + "9" * 5000 + "}",
        '{"a": ' + "[" * 100_000,
        "[1, 2]",
        '{"other": "record"}',
        '{"role": "user", "content": "lone \\ud800 and \\u0000 nul"}',
        '{"role": "user", "content": "tab\tinside"}',
        "",
    ]
    name, reading = read_text("\n".join(lines))
    assert name == "conversation"
    assert said(reading) == [
        ("user", "kept"),
        ("user", "lone ? and nul"),
        ("user", "tab inside"),
    ]
    assert [p.start_line for p in reading.pieces] == [1, 7, 8]
    assert reading.unknown == 5


def test_lines_of_other_data_are_plain_text() -> None:
    assert read_text('{"level": "info", "message": "up"}\n{"level": "warn"}\n')[0] == "text"
    assert read_text("not json at all\n")[0] == "text"
    assert read_text("")[0] == "text"


def line(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": kind, "content": content}
    if "id" in more:
        message["id"] = more.pop("id")
    base = {"type": kind, "sessionId": "s-1", "parentUuid": None, "timestamp": NOON}
    return {**base, "message": message, **more}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def test_claude_code_lines_of_one_answer_are_one_turn() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}
    back = {"type": "tool_result", "tool_use_id": "t1", "content": [text("3 passed")]}
    failed = {"type": "tool_result", "tool_use_id": "t2", "content": "no such file"}
    reading = read(
        {"type": "custom-title", "customTitle": "Fix the tests", "sessionId": "s-1"},
        line("user", "Why do the tests hang?"),
        line("assistant", [{"type": "thinking", "thinking": "hmm"}], id="m1"),
        line("assistant", [text("I will look.")], id="m1"),
        line("assistant", [use], id="m1"),
        line("user", [back]),
        line("assistant", [text("They pass.")], id="m2"),
        line("user", [{**failed, "is_error": True}]),
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "something-new", "x": 1},
    )
    assert said(reading) == [
        ("user", "Why do the tests hang?"),
        ("assistant", "I will look.\n\n[tool Bash: make test]\n\n[result: 3 passed]"),
        ("assistant", "They pass."),
        ("tool", "[error: no such file]"),
    ]
    assert [(p.start_line, p.end_line) for p in reading.pieces] == [(2, 2), (3, 6), (7, 7), (8, 8)]
    assert reading.pieces[0].occurred == NOON_MS
    assert (reading.session, reading.title, reading.unknown) == ("s-1", "Fix the tests", 1)


def test_claude_code_marks_what_nobody_said() -> None:
    reading = read(
        {"type": "system", "subtype": "compact_boundary", "sessionId": "s-1"},
        line("user", "So far: tests.", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        line("user", "Caveat: local commands", isMeta=True),
        line("assistant", [text("looking")], id="m1", isSidechain=True),
        line("user", "real"),
    )
    notes = [p.context.removesuffix("Friday 2 January 2026") for p in reading.pieces]
    assert notes == ["compact summary · ", "meta · ", "sidechain · ", ""]


CAVEAT = (
    "Caveat: The messages below were generated by the user while running local commands. DO NOT respond"
    " to these messages or otherwise consider them in your response unless the user explicitly asks you."
)
LEFT = (
    "<command-name>/exit</command-name>\n            <command-message>exit</command-message>\n"
    "            <command-args></command-args>"
)
ASKED = (
    "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
    "<command-args>the otters' valve</command-args>"
)


def test_claude_code_s_own_commands_and_what_it_says_of_them_are_no_passages() -> None:
    put_in = (
        line("user", CAVEAT, isMeta=True),
        line("user", f"<local-command-caveat>{CAVEAT}</local-command-caveat>", isMeta=True),
        line("user", [text(CAVEAT)]),
        line("user", LEFT),
        line("user", "<local-command-stdout>See ya!</local-command-stdout>"),
        line("user", [text("<system-reminder>\nThe date changed.\n</system-reminder>")]),
    )
    assert said(read(*put_in, line("user", "real"))) == [("user", "real")]
    kept = said(read(line("user", ASKED), line("user", f"{LEFT}\nand why?")))
    assert kept == [("user", ASKED), ("user", "and why?")]


def test_claude_code_lines_copied_by_a_fork_count_once() -> None:
    reading = read(line("user", "once", uuid="u1"), line("user", "once", uuid="u1"))
    assert said(reading) == [("user", "once")]


def test_claude_code_results_written_to_a_file_are_read_from_there(tmp_path: Path) -> None:
    folder = tmp_path / "s-1" / "tool-results"
    folder.mkdir(parents=True)
    (folder / "out.txt").write_text("the whole output", encoding="utf-8")
    outside = tmp_path / "secret.txt"
    outside.write_text("not for you", encoding="utf-8")
    (folder / "link.txt").symlink_to(outside)

    def shown(name: str) -> str:
        content = f"<persisted-output>\nsaved to: /far/away/tool-results/{name}\n\nPreview: pre"
        back = {"type": "tool_result", "tool_use_id": "t", "content": content}
        return read(line("user", [back]), path=str(tmp_path / "s-1.jsonl")).pieces[0].text

    assert shown("out.txt") == "[result: the whole output]"
    assert "pre" in shown("gone.txt")
    assert "pre" in shown("\ud800.txt")
    assert "not for you" not in shown("link.txt") + shown("../../secret.txt")
