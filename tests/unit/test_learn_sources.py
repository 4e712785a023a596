"""Who may record a session, and what is noted while it goes on."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.core.events import CALLED, PROMPTED, Event
from bowerbird.sessions.learn.ledger import add_digest, read_digests
from bowerbird.sessions.learn.promote import digest
from bowerbird.sessions.learn.scratchpad import Note, Scratchpad
from bowerbird.sessions.learn.steps import Digest, Lesson, RecordedSession, Step
from bowerbird.sessions.learn.transcript import began, recorded_session

if TYPE_CHECKING:
    from pathlib import Path

AT = "2026-03-01T10:00:0{}Z"
CALL = {"command": ["bash", "-lc", "make test"]}
ENDED_BADLY = json.dumps({"output": "boom", "metadata": {"exit_code": 2}})
CODEX: list[dict[str, Any]] = [
    {"type": "session_meta", "payload": {"id": "c1", "cwd": "/p"}},
    {"type": "event_msg", "payload": {"type": "user_message", "message": "run the tests"}},
    {
        "type": "response_item",
        "payload": {
            "type": "function_call",
            "name": "shell",
            "call_id": "x",
            "arguments": json.dumps(CALL),
        },
    },
    {
        "type": "response_item",
        "payload": {"type": "function_call_output", "call_id": "x", "output": ENDED_BADLY},
    },
    {"type": "event_msg", "payload": {"type": "agent_message", "message": "It fails."}},
]
JOURNAL: list[dict[str, Any]] = [
    {"at": 1, "agent": "cursor", "event": "sessionStart", "what": "started", "cwd": "/p"},
    {
        "at": 2,
        "agent": "cursor",
        "event": "prompt",
        "what": "prompted",
        "text": "always use tabs here",
    },
    {
        "at": 3,
        "agent": "cursor",
        "event": "after",
        "what": "called",
        "tool": "Shell",
        "command": "make lint",
        "exit": 1,
        "failed": True,
        "error": "a.py:1:1: E1 bad",
    },
    {
        "at": 4,
        "agent": "cursor",
        "event": "after",
        "what": "called",
        "tool": "Edit",
        "paths": ["src/a.py"],
    },
]


def put(path: Path, records: list[dict[str, Any]]) -> str:
    text = "\n".join(
        json.dumps({"timestamp": AT.format(at), **one} if "at" not in one else one)
        for at, one in enumerate(records)
    )
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return str(path)


def kinds(session: RecordedSession | None) -> list[tuple[str, bool]]:
    assert session is not None
    return [(one.event.what, one.failed) for one in session.steps]


def test_a_rollout_of_codex_is_read(tmp_path: Path) -> None:
    session = recorded_session(put(tmp_path / "rollout.jsonl", CODEX))
    assert kinds(session) == [("prompted", False), ("failed", True), ("said", False)]
    assert session is not None
    assert (session.id, session.folder) == ("c1", "/p")
    assert session.steps[1].error == "boom"
    assert session.steps[1].took == 1000


def test_an_archive_is_read_as_what_it_was_made_of(tmp_path: Path) -> None:
    path = put(tmp_path / "rollout.jsonl.gz", CODEX)
    assert kinds(recorded_session(path)) == kinds(
        recorded_session(put(tmp_path / "rollout.jsonl", CODEX))
    )
    assert began(path) > 0


def test_the_journal_of_hooks_is_read(tmp_path: Path) -> None:
    session = recorded_session(put(tmp_path / "cursor-abc.jsonl", JOURNAL))
    assert kinds(session) == [("prompted", False), ("failed", True), ("called", False)]
    assert session is not None
    assert (session.id, session.folder) == ("abc", "/p")
    assert session.steps[2].paths == ("src/a.py",)
    assert session.steps[1].error == "a.py:1:1: E1 bad"


def test_a_journal_of_before_failures_were_marked_is_read(tmp_path: Path) -> None:
    older = JOURNAL[2] | {"what": "failed"}
    del older["failed"]
    denied = older | {"error": "Permission to use Bash has been denied"}
    session = recorded_session(put(tmp_path / "cursor-x.jsonl", [*JOURNAL[:2], older, denied]))
    assert session is not None
    assert [step.failed for step in session.steps] == [False, True, False]


def test_what_is_no_session_is_none(tmp_path: Path) -> None:
    assert recorded_session(put(tmp_path / "rows.jsonl", [{"a": 1}])) is None


def note(text: str, worth: float = 0.5, key: str = "", agents: tuple[str, ...] = ()) -> Note:
    return Note(Lesson("conclusions", key or text, "gotcha", text, (3,), ("s",)), worth, agents)


def test_notes_are_there_after_a_crash_and_none_twice(tmp_path: Path) -> None:
    pad = Scratchpad(str(tmp_path / "m.db"))
    pad.checkpoint("s", "/t.jsonl", [note("one thing"), note("another one", 0.9)])
    assert pad.checkpoint("s", "/t.jsonl", [note("one thing")]) == 0
    (path,) = (tmp_path / "m.db.scratchpad").iterdir()
    with path.open("ab") as file:
        file.write(b'{"worth": 0.1, "agen')  # cut short
    again = Scratchpad(str(tmp_path / "m.db"))
    again.checkpoint("s", "/t.jsonl", [note("a third")])
    assert [one.lesson.text for one in again.notes("s")] == ["another one", "one thing", "a third"]
    assert again.notes("s")[0].lesson.lines == (3,)
    again.drop("s")
    assert again.notes("s") == []


def test_notes_without_a_newer_field_are_read(tmp_path: Path) -> None:
    pad = Scratchpad(str(tmp_path / "m.db"))
    pad.checkpoint("s", "/t.jsonl", [note("one thing")])
    (path,) = (tmp_path / "m.db.scratchpad").iterdir()
    older = path.read_bytes().replace(b'"replaces":[],', b"")
    assert b"replaces" not in older
    path.write_bytes(older)
    (one,) = pad.notes("s")
    assert (one.lesson.text, one.lesson.replaces) == ("one thing", ())


def test_what_two_agents_met_is_one_note(tmp_path: Path) -> None:
    pad = Scratchpad(str(tmp_path / "m.db"))
    text = "The build of the docs fails because the theme is not installed"
    pad.checkpoint("s", "", [note(text, 0.5, "a", ("main",)), note(text + ".", 0.4, "b", ("sub",))])
    (one,) = pad.notes("s")
    assert one.agents == ("main", "sub")


def test_what_is_worth_least_goes_first(tmp_path: Path) -> None:
    pad = Scratchpad(str(tmp_path / "m.db"), largest=4_000)
    pad.checkpoint("s", "/t.jsonl", [note(f"thing number {n}", n / 100) for n in range(60)])
    kept = [one.lesson.text for one in pad.notes("s")]
    assert 2 < len(kept) < 40
    assert kept[0] == "thing number 59"
    os.utime(next((tmp_path / "m.db.scratchpad").iterdir()), (1, 1))
    assert pad.left(before=100) == ["/t.jsonl"]
    assert pad.left(before=0) == []


def test_a_digest_is_read_as_it_was_written(tmp_path: Path) -> None:
    event = Event("codex", "r", CALLED, tool="Edit", given={"file_path": "a.py"})
    steps = (Step(Event("codex", "u", PROMPTED, text="x"), at=7), Step(event, paths=("a.py",)))
    made = digest(RecordedSession("s", "/p", steps), "p", ["k"], ["l"])
    with Bowerbird.open(tmp_path / "m.db") as bird:
        store = bird._wiring.writer()
        for one in (digest(RecordedSession("s", "/p", ()), "p", (), ()), made):
            with store.transaction():
                add_digest(store, one)
        assert read_digests(store) == {"s": made}
        # Earlier versions counted what was done to each file, and the commits that a session saw.
        older = {"session": "o", "touched": {"a.py": [0, 0, 0, 1]}, "commits": [["a.py"]]}
        with store.transaction():
            store.digests.put("o", json.dumps(older))
        assert read_digests(store)["o"] == Digest("o", touched=("a.py",))
    assert made.touched == ("a.py",)
