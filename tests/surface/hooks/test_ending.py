"""What is done when a session ends, and what is left of sessions that end or are killed: nothing."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird.bird import Bowerbird

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

SESSIONS = 8
WORDS = "the marmalade pipeline needs its lid screwed on"
RULE = "From now on always run make check before you commit."


class Ended:
    """Tells when every process has ended that was started meanwhile."""

    def __init__(self, hooks: Hooks) -> None:
        self._mine, theirs = os.pipe()
        self._hooks = hooks
        hooks.held = (theirs,)

    def wait(self) -> None:
        os.close(self._hooks.held[0])
        self._hooks.held = ()
        # Nothing is ever written: it ends when nobody holds the other end any more.
        assert os.read(self._mine, 1) == b""
        os.close(self._mine)


@pytest.fixture
def transcript(hooks: Hooks) -> Path:
    path = hooks.project.parent / "claude" / "one.jsonl"
    path.parent.mkdir()
    base = {"sessionId": "one", "cwd": str(hooks.project), "timestamp": "2026-02-01T10:00:00Z"}
    said = [("user", f"what is wrong with the jam? {RULE}"), ("assistant", WORDS)]
    path.write_text(
        "".join(
            json.dumps(
                base
                | {"type": role, "uuid": f"u{number}", "parentUuid": None}
                | {"message": {"role": role, "id": f"m{number}", "content": text}}
            )
            + "\n"
            for number, (role, text) in enumerate(said)
        )
    )
    return path


def test_a_session_that_has_ended_can_be_asked_for(hooks: Hooks, transcript: Path) -> None:
    ended = Ended(hooks)
    hooks.context("SessionEnd", reason="other", transcript_path=str(transcript))
    ended.wait()
    assert hooks.failure() == ""
    found = json.loads(hooks.bower("query", "marmalade pipeline lid", "--all-projects"))
    assert WORDS in found["data"]["results"][0]["text"]


def test_what_a_session_taught_is_stored_before_its_words_are_indexed(
    hooks: Hooks, transcript: Path
) -> None:
    ended = Ended(hooks)
    hooks.context("SessionEnd", reason="other", transcript_path=str(transcript))
    ended.wait()
    connection = apsw.Connection(hooks.store)
    found = connection.execute("SELECT kind FROM facet ORDER BY id").fetchall()
    connection.close()
    assert found == [("requirement",), ("session_digest",), ("passage",), ("passage",)]


@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
def test_a_rule_that_a_person_typed_is_in_the_brief_of_the_next_session(
    event: str, hooks: Hooks, transcript: Path
) -> None:
    """With defaults, without a review; a session that never ends properly has ends of turns."""
    hooks.context("SessionStart", source="startup", session_id="one")
    ended = Ended(hooks)
    hooks.context(event, session_id="one", transcript_path=str(transcript))
    ended.wait()
    assert hooks.failure() == ""
    assert RULE in hooks.context("SessionStart", source="startup", session_id="two")


def test_what_was_learned_from_a_person_is_marked_as_new_in_one_brief(
    hooks: Hooks, transcript: Path
) -> None:
    ended = Ended(hooks)
    hooks.context("SessionEnd", session_id="one", transcript_path=str(transcript))
    ended.wait()
    first = hooks.context("SessionStart", source="startup", session_id="two")
    assert first.count(RULE) == 1
    assert re.search(r"#[0-9a-f-]{18}\] learned from you on 2026-02-01\n", first)
    assert first.count("bower forget ID") == 1
    ended = Ended(hooks)
    hooks.run("claude-code", "SessionEnd", session_id="two", reason="other")
    ended.wait()
    hooks.bower("curate", "The jam is stirred clockwise")  # a writer counts the uses
    second = hooks.context("SessionStart", source="startup", session_id="three")
    assert RULE in second
    assert "learned from you" not in second
    assert "bower forget" not in second


def test_the_end_of_a_session_says_how_many_memories_wait(hooks: Hooks) -> None:
    os.chdir(hooks.project)
    with Bowerbird.open(hooks.store) as bird:
        bird.remember("The jam needs sugar", review="learned from a session, not reviewed yet")
    done = hooks.run("claude-code", "SessionEnd", session_id="one", reason="other")
    line = json.loads(done.stdout)["systemMessage"]
    assert line.startswith("1 memory waits for review: ")
    assert "review" in line.removeprefix("1 memory waits for review: ")


def test_of_a_sentence_with_a_secret_nothing_is_kept_and_the_person_is_told(hooks: Hooks) -> None:
    rule = "The jam is stirred with wood from now on."
    prompt = f"Remember that the demo password is hunter2-Tide! {rule}"
    path = hooks.project.parent / "one.jsonl"
    said = {"type": "user", "message": {"role": "user", "content": prompt}, "uuid": "u"}
    base = {"sessionId": "one", "cwd": str(hooks.project), "timestamp": "2026-02-01T10:00:00Z"}
    path.write_text(json.dumps(base | said) + "\n")
    hooks.context("UserPromptSubmit", prompt=prompt, session_id="one")
    ended = Ended(hooks)
    done = hooks.run("claude-code", "SessionEnd", session_id="one", transcript_path=str(path))
    ended.wait()
    told = "1 secret that you typed was not kept, nor the sentence around it."
    assert json.loads(done.stdout)["systemMessage"] == told
    kept = json.loads(hooks.bower("list"))["data"]["entries"]
    texts = [one["text"] for one in kept]
    assert rule in texts
    assert not any(one.startswith("The demo password") for one in texts), texts


def test_without_a_transcript_what_the_hooks_recorded_is_learned_from(hooks: Hooks) -> None:
    hooks.context("SessionStart", source="startup", session_id="one")
    hooks.context("UserPromptSubmit", prompt=f"fix the jam. {RULE}", session_id="one")
    ended = Ended(hooks)
    hooks.context("Stop", session_id="one")
    ended.wait()
    assert RULE in hooks.context("SessionStart", source="startup", session_id="two")


def test_once_a_day_it_is_pruned_and_what_the_agent_will_delete_is_archived(
    hooks: Hooks, transcript: Path, tmp_path: Path
) -> None:
    hooks.environment["CLAUDE_CONFIG_DIR"] = str(tmp_path / "config")
    kept = tmp_path / "config" / "projects" / "one.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(transcript.read_bytes())
    ended = Ended(hooks)
    hooks.context("SessionEnd", reason="other", transcript_path=str(transcript))
    ended.wait()
    assert hooks.failure() == ""
    assert json.loads(hooks.bower("rescue", "--daily"))["data"]["waited"]
    assert json.loads(hooks.bower("rescue"))["data"]["unchanged"] == 1
    with Bowerbird.open(hooks.store) as bird:
        assert bird.admin.prune_if_due(86_400.0) is None, "it was pruned, too"


@pytest.mark.parametrize("capture", ["metadata", "off"])
def test_words_are_not_taken_in_where_the_user_wants_none(
    capture: str, hooks: Hooks, transcript: Path
) -> None:
    hooks.environment["BOWER_AGENT_CAPTURE"] = capture
    ended = Ended(hooks)
    hooks.context("SessionEnd", reason="other", transcript_path=str(transcript))
    ended.wait()
    assert not os.path.exists(hooks.store)


def test_of_sessions_that_are_killed_nothing_is_left(hooks: Hooks, transcript: Path) -> None:
    """No process, and no lock on the store; that no port is open follows from the first."""
    ended = Ended(hooks)
    hooks.bower("curate", "The database runs on port 6432")
    for number in range(SESSIONS):
        session = f"s{number}"
        hooks.context("SessionStart", source="startup", session_id=session)
        for event in ("UserPromptSubmit", "SessionEnd"):
            fields = {"session_id": session, "prompt": "which port has the database?"}
            payload = json.dumps(fields | {"transcript_path": str(transcript)})
            pipe = subprocess.PIPE
            command = [sys.executable, "-m", "bowerbird", "hook", "claude-code", event]
            with subprocess.Popen(
                command, stdin=pipe, stdout=pipe, env=hooks.environment, pass_fds=hooks.held
            ) as process:
                assert process.stdin is not None
                process.stdin.write(payload.encode())
                process.stdin.flush()
                if number % 2:
                    process.send_signal(signal.SIGKILL)
    ended.wait()
    connection = apsw.Connection(hooks.store)
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("ROLLBACK")
    connection.close()
    assert "6432" in hooks.context("UserPromptSubmit", prompt="which port has the database?")


def test_a_transcript_without_a_name_does_not_stand_for_its_folder(
    hooks: Hooks, transcript: Path
) -> None:
    """`X/.jsonl` is one file: no other file of X is indexed with it."""
    nameless = transcript.parent / ".jsonl"
    nameless.write_text(transcript.read_text())
    (transcript.parent / "secret.md").write_text("the zeppelin is in hangar nine\n")
    ended = Ended(hooks)
    hooks.context("SessionEnd", transcript_path=str(nameless), reason="other")
    ended.wait()
    assert "nine" not in hooks.bower("query", "zeppelin hangar", "--all-projects")


def test_of_a_session_s_folder_only_transcripts_are_indexed(hooks: Hooks, transcript: Path) -> None:
    """Anybody's file could be named X.jsonl beside a folder X."""
    folder = transcript.with_suffix("")
    (folder / "subagents").mkdir(parents=True)
    (folder / "secret.md").write_text("the zeppelin is in hangar nine\n")
    other = folder / "subagents" / "agent-a.jsonl"
    other.write_text(transcript.read_text().replace("marmalade", "quince"))
    ended = Ended(hooks)
    hooks.context("SessionEnd", transcript_path=str(transcript), reason="other")
    ended.wait()
    assert "nine" not in hooks.bower("query", "zeppelin hangar", "--all-projects")
    assert "quince" in hooks.bower("query", "quince pipeline lid", "--all-projects")


def test_sessions_that_end_at_once_are_learned_from_one_after_another(
    hooks: Hooks, transcript: Path
) -> None:
    """While one holds the journal's folder, another waits, and reads no transcript."""
    folder = hooks.store + ".journal"
    os.makedirs(folder, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    ended = Ended(hooks)
    hooks.context("SessionEnd", transcript_path=str(transcript), reason="other")
    assert "check" not in hooks.bower("list", "--all-projects")
    os.close(handle)
    ended.wait()
    assert "check" in hooks.bower("list", "--all-projects")


@pytest.mark.parametrize("wrong", [False, True])
def test_what_was_injected_is_of_use_unless_it_was_called_wrong(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch, wrong: bool
) -> None:
    monkeypatch.chdir(hooks.project)

    def keep(text: str) -> str:
        with Bowerbird.open(hooks.store) as bird:
            return bird.remember(text).id

    id = keep("The database runs on port 6432")

    def uses() -> int:
        with Bowerbird.open(hooks.store) as bird:
            details = bird.get(id).details
            assert details is not None
            return details.access_count

    assert hooks.context("UserPromptSubmit", prompt="on which port does the database run?")
    if wrong:
        with Bowerbird.open(hooks.store) as bird:
            bird.flag(id)
    keep("Mails go out at noon")
    assert uses() == 0
    ended = Ended(hooks)
    hooks.run("claude-code", "SessionEnd", reason="other")
    ended.wait()
    keep("The office closes at six")
    assert uses() == (0 if wrong else 1)


def test_a_session_whose_end_was_cut_off_is_taken_in_at_the_end_of_another(
    hooks: Hooks, transcript: Path
) -> None:
    """As after a power cut, or where the machine was too busy."""
    folder = hooks.store + ".journal"
    os.makedirs(folder, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    ended = Ended(hooks)
    hooks.context("SessionEnd", session_id="one", transcript_path=str(transcript), reason="other")
    while not (waiting := _waiting_for(folder)):
        os.sched_yield()
    for process in waiting:
        os.kill(process, signal.SIGKILL)
    ended.wait()
    os.close(handle)
    ended = Ended(hooks)
    hooks.context("Stop", session_id="two")
    ended.wait()
    assert hooks.failure() == ""
    assert RULE in hooks.context("SessionStart", source="startup", session_id="three")


@pytest.mark.parametrize(
    "setting", [{"BOWER_AGENT_CAPTURE": "metadata"}, {"BOWER_AGENT_LEARN": "off"}]
)
def test_a_session_of_which_its_settings_want_nothing_is_taken_in_at_no_other_end(
    setting: dict[str, str], hooks: Hooks, transcript: Path
) -> None:
    hooks.environment |= setting
    folder = hooks.store + ".journal"
    os.makedirs(folder, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    ended = Ended(hooks)
    hooks.context("SessionEnd", session_id="one", transcript_path=str(transcript), reason="other")
    if setting.get("BOWER_AGENT_LEARN"):
        while not (waiting := _waiting_for(folder)):
            os.sched_yield()
        for process in waiting:
            os.kill(process, signal.SIGKILL)
    ended.wait()
    os.close(handle)
    for name in setting:
        del hooks.environment[name]
    ended = Ended(hooks)
    hooks.context("UserPromptSubmit", prompt="The jam is sold in June.", session_id="two")
    hooks.context("SessionEnd", session_id="two", reason="other")
    ended.wait()
    assert hooks.failure() == ""
    assert WORDS not in hooks.bower("query", "marmalade pipeline lid", "--all-projects")
    assert "check" not in hooks.bower("list", "--all-projects")


def test_a_session_of_another_project_is_not_taken_in_by_this_ones_settings(
    hooks: Hooks, transcript: Path
) -> None:
    other = hooks.project.parent / "other"
    (other / ".git").mkdir(parents=True)
    folder = hooks.store + ".journal"
    os.makedirs(folder, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    ended = Ended(hooks)
    hooks.context(
        "SessionEnd", session_id="one", transcript_path=str(transcript), reason="other",
        cwd=str(other),
    )  # fmt: skip
    while not (waiting := _waiting_for(folder)):
        os.sched_yield()
    for process in waiting:
        os.kill(process, signal.SIGKILL)
    ended.wait()
    os.close(handle)
    ended = Ended(hooks)
    hooks.context("Stop", session_id="two")
    ended.wait()
    assert WORDS not in hooks.bower("query", "marmalade pipeline lid", "--all-projects")


def test_of_ends_of_turns_that_wait_only_the_last_one_is_worked_off(
    hooks: Hooks, transcript: Path
) -> None:
    folder = hooks.store + ".journal"
    os.makedirs(folder, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    ended = Ended(hooks)
    said = transcript.read_text()
    for number in range(3):
        hooks.context("Stop", session_id="one", transcript_path=str(transcript))
        transcript.write_text(said.replace("make check", f"make check{number}"))
    hooks.context("SessionEnd", session_id="one", transcript_path=str(transcript), reason="other")
    os.close(handle)
    ended.wait()
    lines = [one["what"] for one in hooks.lines("claude-code-one")]
    assert lines == ["stopped"] * 3 + ["ended", "taken"]
    assert hooks.bower("list", "--all-projects").count("make check2") >= 1


def _waiting_for(folder: str) -> list[int]:
    """The processes that have a folder open, but this one."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            with suppress(OSError):
                opened = [os.readlink(one) for one in Path(f"/proc/{name}/fd").iterdir()]
                found += [int(name)] * (folder in opened)
    return found


def test_the_digests_of_two_sessions_may_come_to_say_the_same(hooks: Hooks) -> None:
    os.chdir(hooks.project)
    with Bowerbird.open(hooks.store) as bird:
        kind = "session_digest"
        first = bird.remember("Session of 3 May: the jam was stirred", session="a", kind=kind)
        second = bird.remember("Session of 3 May: sugar was bought", session="b", kind=kind)
        bird.edit(second.id, text="Session of 3 May: the jam was stirred")
        assert bird.get(first.id).text == bird.get(second.id).text
