"""Sessions that begin and are killed leave no process, no port and no lock.

SESSIONS=50 starts as many; a minute after the last one was killed nothing of them may be left.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

SESSIONS = int(os.environ.get("SESSIONS", "4"))
# Seconds in which everything has to be gone.
LEFT = 60
MARK = "BOWER_TEST_SESSION"
BOWER = [sys.executable, "-m", "bowerbird"]
# What an agent is here: a program that starts a server of tools, tells of a session, and waits.
AGENT = """
import json, subprocess, sys, time
bower, session, project, talk = json.loads(sys.argv[1]), *sys.argv[2:]
server = subprocess.Popen([*bower, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
ask = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
server.stdin.write(json.dumps(ask).encode() + b"\\n")
server.stdin.flush()
server.stdout.readline()
base = {"session_id": session, "cwd": project, "transcript_path": talk}
for event, more in (
    ("SessionStart", {"source": "startup"}),
    ("UserPromptSubmit", {"prompt": "on which port does the database run?"}),
    ("SessionEnd", {"reason": "other"}),
):
    hook = subprocess.Popen(
        [*bower, "hook", "claude-code", event], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    hook.stdin.write(json.dumps(base | more).encode())
    hook.stdin.close()
    if event == "SessionStart":
        hook.wait()
print("under way", flush=True)
time.sleep(600)
"""


def marked(mark: str) -> list[int]:
    """The processes that began in that environment."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdecimal() and int(entry) != os.getpid():
            try:
                held = Path(f"/proc/{entry}/environ").read_bytes().split(b"\0")
                state = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if wanted in held and state != "Z":
                found.append(int(entry))
    return found


def listening() -> set[str]:
    """The sockets of this machine that wait for somebody."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return {line.split()[9] for line in lines if line.split()[3] == "0A"}


def sockets(processes: list[int]) -> set[str]:
    found = set()
    for process in processes:
        try:
            names = [os.readlink(one) for one in Path(f"/proc/{process}/fd").iterdir()]
        except OSError:
            continue
        found |= {name[8:-1] for name in names if name.startswith("socket:[")}
    return found


def left_of(mark: str) -> list[int]:
    """The processes of that environment that do not end in time."""
    until = time.monotonic() + LEFT
    while (left := marked(mark)) and time.monotonic() < until:
        try:
            handle = os.pidfd_open(left[0])
        except ProcessLookupError:
            continue
        select.select([handle], [], [], max(0.0, until - time.monotonic()))
        os.close(handle)
    return left


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
def test_killed_sessions_leave_no_process_no_port_and_no_lock(hooks: Hooks) -> None:
    hooks.bower("curate", "The database of the shop runs on port 6432")
    mark = uuid.uuid4().hex
    environment = hooks.environment | {MARK: mark, "BOWER_HOOK_PATIENCE": "20"}
    said = {"type": "user", "message": {"role": "user", "content": "hello there, please help"}}
    ports: set[str] = set()
    for number in range(SESSIONS):
        session = str(uuid.uuid4())
        talk = hooks.project.parent / f"{session}.jsonl"
        talk.write_text(json.dumps(said | {"sessionId": session, "cwd": str(hooks.project)}) + "\n")
        agent = subprocess.Popen(
            [
                sys.executable,
                "-c",
                AGENT,
                json.dumps(BOWER),
                session,
                str(hooks.project),
                str(talk),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=hooks.project,
            text=True,
        )
        assert agent.stdout
        assert agent.stdout.readline() == "under way\n"
        ports |= sockets(marked(mark)) & listening()
        # Each second one takes a process of ours along, wherever it is.
        if number % 2:
            for process in marked(mark):
                if process != agent.pid:
                    os.kill(process, signal.SIGKILL)
                    break
        agent.kill()
        agent.wait()
        agent.stdout.close()
    assert left_of(mark) == []
    assert ports == set()
    for beside in hooks.project.parent.glob("memory.db*"):
        # The database itself is SQLite's to lock: the write below asks it.
        if beside.is_file() and beside.suffix in (".lock", ".noted", ".handed", ".watch"):
            with beside.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    hooks.bower("curate", "The canteen of the shop opens at noon")
