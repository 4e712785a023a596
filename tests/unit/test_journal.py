"""The journal: whole lines whoever writes beside, bounded in size and age, and no secret in it."""

from __future__ import annotations

import importlib.util
import json
import multiprocessing
import os
import sys
from pathlib import Path

import pytest

from bowerbird.core.config import FULL, METADATA
from bowerbird.core.events import CALLED, FAILED, PROMPTED, Event
from bowerbird.guard.redact import redact
from bowerbird.guard.suspicion import suspicious
from bowerbird.sessions.observe import journal as of_journal
from bowerbird.sessions.observe.health import failed, fired, health
from bowerbird.sessions.observe.journal import Journal, file_name
from bowerbird.sessions.observe.record import besides_paths, cut, line, path_without_secrets

KEY = "AKIA" + "IOSFODNN7QWERTYU"


def clean(text: str) -> str:
    return redact(text).text


def write(store: str, writer: int, count: int) -> None:
    for number in range(count):
        Journal(store).add("one", {"writer": writer, "number": number, "text": "x" * 300})


def test_lines_of_many_writers_stay_whole(tmp_path: Path) -> None:
    store = str(tmp_path / "memory.db")
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=write, args=(store, writer, 50)) for writer in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    found = [(one["writer"], one["number"]) for one in Journal(store).lines("one")]
    assert sorted(found) == [(writer, number) for writer in range(4) for number in range(50)]


def test_a_line_that_a_crash_cut_short_costs_itself_alone(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "memory.db"))
    journal.add("one", {"a": 1})
    with open(os.path.join(journal.folder, "one.jsonl"), "a", encoding="utf-8") as file:
        file.write('{"a": 2, "b')
    journal.add("one", {"a": 3})
    assert [one["a"] for one in journal.lines("one")] == [1, 3]


def test_a_session_that_grows_goes_on_and_keeps_the_newer_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of_journal, "LARGEST_FILE", 2_000)
    journal = Journal(str(tmp_path / "memory.db"))
    for number in range(100):
        journal.add("one", {"number": number, "text": "x" * 100})
    found = [one["number"] for one in journal.lines("one")]
    assert found == list(range(found[0], 100))
    assert journal.size() < 3 * 2_000


def test_what_is_old_goes_and_what_is_too_much(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "memory.db"))
    for number in range(4):
        journal.add(str(number), {"text": "x" * 400_000})
        path = os.path.join(journal.folder, f"{number}.jsonl")
        os.utime(path, (86_400 * number, 86_400 * number))
    now = 86_400 * 4
    assert journal.sweep(now, 0, 0) == 0
    assert journal.sweep(now, 3, 0) == 1
    assert [name for name, _, _ in journal.sessions()] == ["3", "2", "1"]
    assert journal.sweep(now, 0, 1) == 1
    assert [name for name, _, _ in journal.sessions()] == ["3", "2"]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "", "x" * 300, "ü", "."])
def test_no_name_of_a_session_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "memory.db"))
    journal.add(name, {"a": 1})
    assert os.listdir(tmp_path) == ["memory.db.journal"]
    assert [one["a"] for one in journal.lines(name)] == [1]
    assert file_name(name) != file_name(name + "!")


def test_words_are_kept_without_secrets_and_not_at_all_as_metadata() -> None:
    event = Event(
        "claude-code",
        "PostToolUseFailure",
        FAILED,
        cwd="/home/me/shop",
        tool="Bash",
        given={"command": f"deploy --key {KEY}", "file_path": "/home/me/shop/src/a.py"},
        error=f"Exit code 3\nboom\n\n{KEY}",
    )
    kept = line(event, 1, FULL, clean)
    assert KEY not in json.dumps(kept)
    assert kept["exit"] == 3
    assert kept["error"].startswith("Exit code 3\nboom\n")
    assert kept["paths"] == ["src/a.py"]
    bare = line(event, 1, METADATA, clean)
    assert {"command", "error"} & set(bare) == set()
    assert bare["exit"] == 3
    said = Event("claude-code", "UserPromptSubmit", PROMPTED, text=f"use {KEY}")
    assert KEY not in line(said, 1, FULL, clean)["text"]
    assert "text" not in line(said, 1, METADATA, clean)


def test_a_command_that_hides_its_code_tells_what_went_wrong() -> None:
    event = Event(
        "claude-code",
        "PostToolUse",
        CALLED,
        tool="Bash",
        given={"command": "mise run test | tail"},
        answer={"stdout": "ok a\n--- FAIL: TestX\nok b", "stderr": ""},
    )
    assert line(event, 1, FULL, clean)["error"] == "--- FAIL: TestX"


def test_what_we_handed_over_is_not_taken_in_again() -> None:
    ours = '<bowerbird-recall nonce="ab12">\n\n> Redis\n\n</bowerbird-recall nonce="ab12">'
    assert cut(f"before {ours} behind", 100, clean) == "before  behind"
    forged = '<bowerbird-recall nonce="ab12"> mine </bowerbird-recall nonce="ff00">'
    assert cut(forged, 100, clean) == forged


def test_a_path_is_looked_at_where_a_part_of_it_may_be_a_secret() -> None:
    seen: list[str] = []

    def look(text: str) -> str:
        seen.append(text)
        return text

    assert path_without_secrets("/w/cmd/entire/cli/main.go", "/w", look) == "cmd/entire/cli/main.go"
    assert seen == []
    assert (
        path_without_secrets(f"/w/{KEY}", "/w", clean)
        == f"[REDACTED:{redact(KEY).findings[0].kind}]"
    )


def test_health_tells_when_hooks_fired_and_failed_last(tmp_path: Path) -> None:
    state = str(tmp_path)
    assert health(state) == ()
    fired(state, "codex", "Stop", 5)
    failed(state, "codex", "Stop", 7, "why " * 500)
    fired(state, "gemini", "AfterTool", 9)
    (codex, gemini) = health(state)
    assert (codex.agent, codex.event, codex.at, codex.failed_at) == ("codex", "Stop", 5, 7)
    assert len(codex.why) == 500
    assert (gemini.event, gemini.at, gemini.failed) == ("AfterTool", 9, "")
    failed(state, "gemini", "AfterTool", 11, "not done within 1 s", late=True)
    assert [one.late for one in health(state)] == [False, True]
    failed(state, "gemini", "AfterTool", 12, "not done within 1 s", late=True)
    assert [one.missed for one in health(state)] == [(7,), (11, 12)]
    for at in range(13, 300):
        failed(state, "gemini", "AfterTool", at, "not done within 1 s", late=True)
    assert health(state)[1].missed == (*range(200, 300),)
    (tmp_path / "hooks" / "codex.fired").write_text("[half", encoding="utf-8")
    assert health(state)[0].at == 0


def test_no_secret_is_taken_for_a_path() -> None:
    path = Path(__file__).parents[1] / "data" / "secrets" / "corpus.py"
    spec = importlib.util.spec_from_file_location("secrets_corpus", path)
    assert spec is not None
    assert spec.loader is not None
    corpus = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = corpus
    spec.loader.exec_module(corpus)
    found = [one for one in corpus.shapes() if redact(one.text).findings]
    assert len(found) > 200
    assert [one.id for one in found if not suspicious(besides_paths(one.text, ""))] == []


def test_a_plain_path_is_looked_over_and_anything_that_is_none_is_not() -> None:
    long = "go test ./cmd/entire/cli/strategy/manual_commit_hooks2_test.go -run TestX"
    assert (
        besides_paths(f"cd /home/dev1/shop && {long}", "/home/dev1/shop")
        == "cd && go test -run TestX"
    )
    for word in ("a/b=c", "https://me:you@host/x", f"keys/{KEY}", "a/b:c"):
        assert besides_paths(word, "") == word


def test_who_reads_meanwhile_meets_what_was_or_what_is(tmp_path: Path) -> None:
    """A file that is written over in its place is empty for a moment."""
    state = str(tmp_path)
    fired(state, "codex", "SessionStart", 1)
    path = next(tmp_path.rglob("codex.fired"))
    with path.open("rb") as before:
        fired(state, "codex", "Stop", 2)
        assert b"SessionStart" in before.read()
    assert [one.name for one in path.parent.iterdir()] == ["codex.fired"]
    assert health(state)[0].event == "Stop"


def test_a_journal_that_is_a_link_is_not_written(tmp_path: Path) -> None:
    """Whoever may write beside the store could choose a file of somebody else."""
    victim, elsewhere = tmp_path / "victim", tmp_path / "elsewhere"
    victim.write_text("kept", encoding="utf-8")
    elsewhere.mkdir()
    linked = Journal(str(tmp_path / "linked.db"))
    Path(linked.folder).symlink_to(elsewhere)
    with pytest.raises(OSError, match="is a link"):
        linked.add("s1", {"at": 1})
    assert list(elsewhere.iterdir()) == []
    own = Journal(str(tmp_path / "own.db"))
    own.add("s1", {"at": 1})
    path = Path(own.path("s2"))
    path.symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"):
        own.add("s2", {"at": 1})
    assert victim.read_text(encoding="utf-8") == "kept"
