"""Whatever is wrong with the store, an agent sees an empty answer, in time, and what happened is kept."""

from __future__ import annotations

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


def misconfigured(hooks: Hooks) -> None:
    hooks.environment["BOWER_QUERY_DEPTH"] = "a lot"


def gone(hooks: Hooks) -> None:
    for name in os.listdir(os.path.dirname(hooks.store)):
        if name.startswith("memory.db") and not name.endswith(".journal"):
            os.remove(os.path.join(os.path.dirname(hooks.store), name))


@pytest.mark.parametrize("harm", [damaged, newer, unreadable, misconfigured, gone])
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
    """So a hook on a busy machine is not taken for one that is stuck."""
    watched = """
import os, time
from bowerbird.surfaces.hooks.command import _starved
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
before, end = _starved(), time.monotonic() + 60
if not os.fork():
    while os.getppid() != 1 and time.monotonic() < end: pass
    os._exit(0)
while _starved() < before + 0.05 and time.monotonic() < end: pass
print(_starved() >= before + 0.05, flush=True)
os.kill(0, 9)
"""
    command = [sys.executable, "-c", watched]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, start_new_session=True
    )
    assert done.stdout.strip() == "True"


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
