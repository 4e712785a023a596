"""The command as a user runs it: a process of its own, in a pipe or on a terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import sys
import termios
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from tests.forked import COMMAND, ended

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from tests.forked import Forks


class Ran:
    """What a run of the command left: its exit code and what it wrote."""

    def __init__(self, code: int, out: str, err: str = "") -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def envelope(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.envelope["data"]
        return found


@pytest.fixture(autouse=True)
def _own_store(monkeypatch: pytest.MonkeyPatch, store_path: str) -> None:
    """Every command of a test meets the same fresh store."""
    monkeypatch.setenv("BOWER_STORE", store_path)


@pytest.fixture
def bower(forks: Forks) -> Callable[..., Ran]:
    """Runs the command with its output in a pipe."""

    def run(*arguments: str, stdin: str = "") -> Ran:
        done = forks.run(arguments, stdin.encode())
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def quality(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Runs `python -m quality` of the benchmarks here, and gives what it printed."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "benchmarks"))
    from quality.__main__ import main

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["quality", *arguments])
        assert main() == 0
        return capsys.readouterr().out

    return run


def _alone(words: list[str], environment: dict[str, str], terminal: int, tell: int) -> NoReturn:
    """In a forked process: run a command under nobody, and write its exit code to `tell`.

    A shell does, for of a process that was only forked from this one the system goes on to tell the
    environment that the tests were started in, an agent's maybe.
    """
    between = os.getpid()
    if os.fork() > 0:
        os._exit(0)
    while os.getppid() == between:
        os.sched_yield()
    saved = os.dup(tell)
    for number in (0, 1, 2):
        os.dup2(terminal, number)
    os.dup2(saved, 3)
    os.closerange(4, 256)
    os.execve("/bin/sh", ["sh", "-c", '"$@" 3>&-; echo $? >&3', "sh", *words], environment)


def _started(words: list[str], environment: dict[str, str], terminal: int) -> Callable[[], int]:
    """Start a command as a process of its own under nobody; what waits for its exit code."""
    reading, tell = os.pipe()
    between = os.fork()
    if between == 0:
        _alone(words, environment, terminal, tell)
    os.waitpid(between, 0)
    os.close(tell)
    os.close(terminal)

    def code() -> int:
        with open(reading, "rb") as file:
            return int(file.read())

    return code


def _code(line: socket.socket) -> int:
    with line:
        return ended(line)


@pytest.fixture
def terminal(forks: Forks) -> Callable[..., Ran]:
    """Runs the command on a pseudo-terminal of 100 columns; both streams come back as `out`.

    `typed` waits there for whoever reads; `before` is put before the command's words. No process
    stands above it but a shell, so that it does not count who runs the tests.
    """

    def run(
        *arguments: str, columns: int = 100, typed: str = "", before: tuple[str, ...] = ()
    ) -> Ran:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environment = os.environ | {"TERM": "xterm-256color"}
        if before or not forks.forks(environment):
            code = _started([*before, *COMMAND, *arguments], environment, theirs)
        else:
            streams = [theirs, os.dup(theirs), os.dup(theirs)]
            code = partial(_code, forks.start(arguments, environment, streams, alone=True))
        os.write(ours, typed.encode())
        parts = []
        while True:
            try:
                part = os.read(ours, 65_536)
            except OSError:  # Linux reports the closed terminal as an error
                break
            if not part:
                break
            parts.append(part)
        os.close(ours)
        return Ran(code(), b"".join(parts).decode().replace("\r\n", "\n"))

    return run


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of two notes and a conversation."""
    return _noted(tmp_path / "notes")


@pytest.fixture(scope="module")
def shared_notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One such folder for all tests of a file."""
    return _noted(tmp_path_factory.mktemp("shared") / "notes")


def _noted(folder: Path) -> Path:
    folder.mkdir()
    (folder / "auth.md").write_text(
        "# Auth\n\nThe auth tests need Redis.\n\n## Limits\n\nFive attempts in 15 minutes.\n"
    )
    (folder / "release.md").write_text("# Release\n\nRoll back with `make rollback`.\n")
    turns = [
        {"role": "user", "content": "The build of the warehouse service is red."},
        {"role": "assistant", "content": "The certificate of the broker has expired."},
    ]
    (folder / "talk.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    return folder


# How a text of a file that names no door comes in, by where it stands.
INTERFACES = {"file": "index", "note": "index", "commit": "import", "mcp": "mcp"}
INTERFACES |= dict.fromkeys(("tool_result", "subagent"), "transcript")
INTERFACES |= dict.fromkeys(("page", "issue", "mail"), "http")
HELD = Path(__file__).parents[1] / "data" / "poisonings"
ATTACKS = [HELD / "poisonings.jsonl", HELD / "attacks.jsonl"]


@pytest.fixture(scope="session")
def poisonings() -> Callable[[int], list[dict[str, Any]]]:
    """Attacks on what an agent remembers: every n-th of those that are held here, as a test can bear.

    POISONINGS=all leaves out none, POISONINGS=7 takes every seventh, and a path the file of that name.
    """

    def listed(every: int) -> list[dict[str, Any]]:
        wanted = os.environ.get("POISONINGS", str(every))
        files = [Path(wanted)] if os.path.isfile(wanted) else ATTACKS
        lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
        step = int(wanted) if wanted.isdigit() else 1
        return [_whole(json.loads(line)) for line in lines[::step]]

    return listed


def _whole(one: dict[str, Any]) -> dict[str, Any]:
    """With all fields: of what was written without a question its own words are asked for.

    Without the marker, which an answer that tells the question would hold.
    """
    surface, marker = one.get("surface", ""), one["marker"]
    said = next((line for line in one["text"].splitlines() if marker in line), "")
    asked = f"{one.get('wants', '')} {said}".replace(marker, " ").strip()
    one = {"question": asked, "door": INTERFACES.get(surface, "index")} | one
    role = "assistant" if surface == "subagent" else "tool"
    return {"file_name": f"{one['id']}.md", "format": "claude-code", "role": role} | one
