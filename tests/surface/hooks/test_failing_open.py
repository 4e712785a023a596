"""Whatever is wrong with the store, an agent sees an empty answer, in time, and what happened is kept."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from typing import TYPE_CHECKING

import apsw
import pytest
from tests.surface.hooks.conftest import SESSION

from bowerbird.bird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.hooks.conftest import Hooks

PROMPT = {"prompt": "on which port does the database run?"}


@pytest.fixture
def kept(hooks: Hooks) -> Hooks:
    with Bowerbird.open(hooks.store) as bird:
        bird.remember("The database runs on port 6432", origin="user", everywhere=True)
    assert "6432" in hooks.context("UserPromptSubmit", **PROMPT, session_id="before")
    return hooks


def damaged(hooks: Hooks) -> None:
    with open(hooks.store, "r+b") as file:
        file.seek(0)
        file.write(b"\x07" * 4096)


def newer(hooks: Hooks) -> None:
    connection = apsw.Connection(hooks.store)
    connection.pragma("user_version", 9_999)
    connection.close()


def unreadable(hooks: Hooks) -> None:
    os.remove(hooks.store)
    os.mkdir(hooks.store)


def gone(hooks: Hooks) -> None:
    for name in os.listdir(os.path.dirname(hooks.store)):
        if name.startswith("memory.db") and not name.endswith(".journal"):
            os.remove(os.path.join(os.path.dirname(hooks.store), name))


@pytest.mark.parametrize("harm", [damaged, newer, unreadable, gone])
def test_a_store_that_cannot_be_asked_stops_nobody(
    harm: Callable[[Hooks], None], kept: Hooks
) -> None:
    harm(kept)
    for event, fields in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", PROMPT),
        ("PostToolUse", {"tool_name": "Read", "tool_input": {"file_path": "/a.py"}}),
        ("Stop", {}),
        ("SessionEnd", {"reason": "other"}),
    ):
        assert kept.context(event, **fields) == ""
    assert (kept.failure() == "") is (harm is gone)


FAULTS = {
    "syntax": ("query.limit = = 3\n", "line 1"),
    "key": ("[agent]\nlevel = 2\ninjekt = 'off'\n", "agent.injekt (FILE, line 3)"),
    "value": ("[query]\n# how wide\ndepth = 'a lot'\n", "query.depth = 'a lot' (FILE, line 3)"),
    "variable": ("", "query.depth = 'a lot' (BOWER_QUERY_DEPTH)"),
}


@pytest.mark.parametrize("wrong", FAULTS)
def test_a_wrong_setting_stops_no_hook_and_is_told_to_the_person(wrong: str, kept: Hooks) -> None:
    text, said = FAULTS[wrong]
    path = os.path.join(kept.environment["XDG_CONFIG_HOME"], "bowerbird", "config.toml")
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if not text:
        kept.environment["BOWER_QUERY_DEPTH"] = "a lot"
    started = json.loads(kept.run("claude-code", "SessionStart", source="startup").stdout)
    assert said.replace("FILE", path) in started["systemMessage"]
    assert "bower doctor" in started["systemMessage"]
    assert "6432" in str(started)
    asked = kept.run("claude-code", "UserPromptSubmit", **PROMPT).stdout
    assert b"systemMessage" not in asked
    assert kept.failure() == ""
    # An agent that shows its user no messages is told to tell them, in our words alone.
    payload = {"conversation_id": "s", "workspace_roots": [str(kept.project)]}
    told = kept.run("cursor", "sessionStart", json.dumps(payload)).stdout.decode()
    assert "Tell your user: " in told
    assert "injekt" not in told


def test_what_was_read_last_applies_while_a_file_cannot_be_read(kept: Hooks) -> None:
    path = os.path.join(kept.environment["XDG_CONFIG_HOME"], "bowerbird", "config.toml")
    os.makedirs(os.path.dirname(path))
    for text in ('agent.capture = "off"\n', 'agent.capture = "off\n'):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        kept.context("UserPromptSubmit", prompt="a secret plan", session_id="new")
    assert kept.lines("claude-code-new") == []


def test_a_locked_store_is_not_waited_for(kept: Hooks) -> None:
    """An exclusive lock, which stops readers too, as a rollback journal's writer has."""
    connection = apsw.Connection(kept.store)
    connection.pragma("journal_mode", "delete")
    connection.execute("BEGIN EXCLUSIVE")
    del kept.environment["BOWER_HOOK_PATIENCE"]
    try:
        assert kept.context("UserPromptSubmit", **PROMPT) == ""
        assert "not done within 0.8 s" in kept.failure()
    finally:
        connection.execute("ROLLBACK")
        connection.close()
    shown = kept.bower("session", SESSION, "--format", "text")
    assert "prompted (its hook was late: nothing was given)" in shown


def test_time_for_which_others_have_the_processor_is_known() -> None:
    """So a hook on a busy machine is not taken for one that is stuck.

    Nothing is imported for it: a process that is forked meanwhile would wait for the lock of the import.
    """
    watched = """
import os, sys, time
from bowerbird.surfaces.hooks.command import _starved
known = {*sys.modules}
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
before, end = _starved(), time.monotonic() + 60
if not os.fork():
    while os.getppid() != 1 and time.monotonic() < end: pass
    os._exit(0)
while _starved() < before + 0.05 and time.monotonic() < end: pass
print(_starved() >= before + 0.05, {*sys.modules} - known, flush=True)
os.kill(0, 9)
"""
    command = [sys.executable, "-c", watched]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, start_new_session=True
    )
    assert done.stdout.strip() == "True set()"


def test_a_full_disk_stops_nobody(kept: Hooks) -> None:
    """No file may grow: what cannot be written is dropped, and what was not noted is not given."""

    def cramp() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    payload = b'{"session_id": "s", "prompt": "on which port does the database run?"}'
    done = subprocess.run(
        [sys.executable, "-m", "bowerbird", "hook", "claude-code", "UserPromptSubmit"],
        input=payload,
        capture_output=True,
        env=kept.environment,
        cwd=kept.project,
        preexec_fn=cramp,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
