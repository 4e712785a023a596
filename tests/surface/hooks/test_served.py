"""Hooks that a process answers which has their store open, and the same answers without it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.version import VERSION
from bowerbird.daemon import hook_wire as wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.surface.hooks.conftest import Hooks

BOWER = [sys.executable, "-m", "bowerbird"]
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "hooks", "version": "1"},
}
PROMPT = "how do we give a customer a large sum of money back?"
NONCE = re.compile(r"\b[0-9a-f]{16}\b")


@contextmanager
def serving(hooks: Hooks, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """The MCP server of an agent's session, once it answers."""
    with subprocess.Popen(
        [*BOWER, "mcp", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=hooks.environment,
        cwd=hooks.project,
    ) as process:
        assert process.stdin
        assert process.stdout
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
        process.stdin.write(json.dumps(hello).encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline()
        try:
            yield process
        finally:
            process.stdin.close()


def folder(hooks: Hooks) -> str:
    return wire.folder(str(hooks.state))


def found(hooks: Hooks) -> list[str]:
    return wire.sockets(folder(hooks), hooks.store)


def keep(hooks: Hooks) -> None:
    os.chdir(hooks.project)
    (hooks.project / "cart.py").write_text("def add(): ...\n")
    with Bowerbird.open(hooks.store) as bird:
        for text, kind in (
            ("Refunds over 500 euros need a second approval", "fact"),
            ("Use pnpm, never npm", "preference"),
            ("Redis must be up before the auth tests run", "gotcha"),
        ):
            # A person's own fact is told at the start.
            bird.remember(text, kind=kind, origin="agent" if kind == "fact" else "user")
        bird.remember("Prices are cents", kind="error_pattern", origin="user", files=["cart.py"])
        bird.remember(
            "ifElseChain: rewrite if-else to switch (gocritic): never here",
            kind="error_pattern",
            origin="user",
        )


EVENTS: list[tuple[str, dict[str, Any]]] = [
    ("SessionStart", {"source": "startup"}),
    ("UserPromptSubmit", {"prompt": PROMPT}),
    ("UserPromptSubmit", {"prompt": "the auth tests hang, fix them"}),
    ("UserPromptSubmit", {"prompt": PROMPT}),
    ("UserPromptSubmit", {"prompt": "fix the alignment of the button in the settings dialog"}),
    ("PostToolUse", {"tool_name": "Read", "tool_input": {"file_path": "cart.py"}}),
    (
        "PostToolUseFailure",
        {
            "tool_name": "Bash",
            "tool_input": {"command": "make test"},
            "error": "Exit code 1\ncart.go:9: ifElseChain: rewrite if-else to switch (gocritic)",
        },
    ),
]


def session(hooks: Hooks, name: str) -> list[str]:
    """What is put before an agent at each event of a session, with the nonces left out."""
    return [
        NONCE.sub("", hooks.context(event, session_id=name, **fields)) for event, fields in EVENTS
    ]


def test_the_answer_is_the_same_with_a_server_and_without(hooks: Hooks) -> None:
    keep(hooks)
    alone = session(hooks, "alone")
    assert "Refunds over" in alone[1]
    assert "auth tests" not in alone[1]
    assert alone[3] == alone[4] == ""
    assert "Prices are cents" in alone[5]
    assert "never here" in alone[6]
    with serving(hooks):
        assert session(hooks, "served") == alone
    left = [
        [{**line, "at": 0, "nonce": "", "agent": ""} for line in hooks.lines(f"claude-code-{name}")]
        for name in ("alone", "served")
    ]
    assert left[0] == left[1]


def modules(hooks: Hooks, session: str) -> set[str]:
    """What the process of a hook had loaded when it ended."""
    program = """
import os, sys
leave = os._exit
def tell(code):
    print(*sys.modules, file=sys.stderr, flush=True)
    leave(code)
os._exit = tell
from bowerbird.surfaces.cli.start import main
main(sys.argv[1:])
"""
    done = subprocess.run(
        [sys.executable, "-c", program, "hook", "claude-code", "UserPromptSubmit"],
        input=json.dumps({"session_id": session, "cwd": str(hooks.project), "prompt": PROMPT}),
        capture_output=True,
        text=True,
        check=True,
        env=hooks.environment,
    )
    assert "Refunds over" in done.stdout
    return set(done.stderr.split())


def test_a_hook_that_is_served_opens_no_store(hooks: Hooks) -> None:
    keep(hooks)
    with serving(hooks) as server:
        assert modules(hooks, "served") & {"apsw", "numpy", "bowerbird.bird"} == set()
        assert server.stdin
        server.stdin.close()
        server.wait()
    assert "numpy" in modules(hooks, "alone")


def test_only_its_user_reaches_the_socket_and_it_goes_with_its_process(hooks: Hooks) -> None:
    keep(hooks)
    with serving(hooks) as first, serving(hooks, "--read-only"):
        paths = found(hooks)
        assert len(paths) == 2
        assert {stat.S_IMODE(os.stat(path).st_mode) for path in paths} == {0o600}
        assert stat.S_IMODE(os.stat(folder(hooks)).st_mode) == 0o700
        assert first.stdin
        first.stdin.close()
        first.wait()
        (left,) = found(hooks)
        assert left in paths
        assert "Refunds over" in hooks.context("UserPromptSubmit", prompt=PROMPT)
    assert found(hooks) == []


def test_a_socket_that_was_left_behind_is_removed_and_hurts_nobody(hooks: Hooks) -> None:
    keep(hooks)
    with serving(hooks) as server:
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        assert len(found(hooks)) == 1
        assert "Refunds over" in hooks.context("UserPromptSubmit", prompt=PROMPT)
        assert found(hooks) == []


def test_a_server_removes_those_of_dead_ones(hooks: Hooks) -> None:
    keep(hooks)
    with serving(hooks) as server:
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
    with serving(hooks) as server:
        assert [os.path.basename(one) for one in found(hooks)] == [
            wire.name(hooks.store, server.pid)
        ]


@contextmanager
def impostor(hooks: Hooks, *answers: bytes) -> Iterator[list[bytes]]:
    """A process that listens for this store's hooks; without an answer it never says anything."""
    asked: list[bytes] = []
    os.makedirs(folder(hooks), mode=0o700, exist_ok=True)
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as listening:
        path = os.path.join(folder(hooks), wire.name(hooks.store, 1))
        Path(path).unlink(missing_ok=True)
        listening.bind(path)
        listening.listen()
        kept: list[socket.socket] = []

        def answer() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                kept.append(connection)
                asked.append(connection.recv(1_000_000))
                for one in answers:
                    connection.sendall(one)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield asked
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()
            Path(path).unlink(missing_ok=True)
            for one in kept:
                one.close()


@pytest.mark.parametrize(
    "answer",
    [
        b'{"version":"0.0.1","refused":"another version"}\n',
        b'{"version":"0.0.1","injection":null}\n',
        b'{"version":"' + VERSION.encode() + b'","injection":{"why":"x"}}\n',
        b"no JSON\n",
        b'{"version"',
        b"",
    ],
)
def test_whatever_a_server_says_that_is_no_answer_the_hook_gives_its_own(
    hooks: Hooks, answer: bytes
) -> None:
    keep(hooks)
    # A server that hangs is waited for, but not for long.
    hooks.environment["BOWER_HOOK_PATIENCE"] = "8"
    with impostor(hooks, *filter(None, [answer])) as asked:
        assert "Refunds over" in hooks.context("UserPromptSubmit", prompt=PROMPT)
        assert len(asked) == 1
    assert hooks.failure() == ""


def request(hooks: Hooks, **changed: Any) -> dict[str, Any]:
    """What a running server answers to a request."""
    event = {"agent": "claude-code", "name": "UserPromptSubmit", "what": "prompted"}
    asked = {
        "version": VERSION,
        "store": hooks.store,
        "state": str(hooks.state),
        "config": [],
        "event": event | {"session": "raw", "cwd": str(hooks.project), "text": PROMPT},
        "error": "",
        "above": [],
    }
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as connection:
        connection.connect(found(hooks)[0])
        connection.sendall(wire.line(asked | changed))
        answer: dict[str, Any] = wire.receive(connection)
        return answer


def test_a_server_answers_its_own_version_store_and_settings_alone(hooks: Hooks) -> None:
    keep(hooks)
    with serving(hooks):
        assert len(request(hooks)["injection"]["items"]) == 1
        assert request(hooks, version="0.0.1")["refused"] == "another version"
        assert request(hooks, store="/elsewhere/memory.db")["refused"] == "another store"
        other = [["embed.provider", "ollama", "BOWER_EMBED_PROVIDER"]]
        assert "another model" in request(hooks, config=other)["refused"]
        assert "refused" in request(hooks, config=[["no.such", 1, "flag"]])
        assert "refused" in request(hooks, event={})
        # None of these ended it.
        assert len(request(hooks)["injection"]["items"]) == 1


def test_the_project_and_the_settings_are_those_of_the_hook(hooks: Hooks) -> None:
    """Its server may have been started in another folder, with another environment."""
    keep(hooks)
    elsewhere = hooks.project.parent / "elsewhere"
    (elsewhere / ".git").mkdir(parents=True)
    with Bowerbird.open(hooks.store) as bird:
        text = "An agent believes that refunds need two people"
        bird.remember(text, source="observer_inferred", confidence=0.6)
    with serving(hooks):
        assert hooks.context("UserPromptSubmit", prompt=PROMPT, cwd=str(elsewhere)) == ""
        hooks.environment["BOWER_AGENT_LEVEL"] = "4"
        assert "two people" in hooks.context("UserPromptSubmit", prompt=PROMPT)
        hooks.environment["BOWER_AGENT_LEVEL"] = "1"
        one = hooks.context("UserPromptSubmit", prompt=PROMPT, session_id="two")
        assert "Refunds over" in one
        assert "two people" not in one


def test_what_was_just_stored_is_in_the_next_answer(hooks: Hooks) -> None:
    with serving(hooks):
        assert hooks.context("UserPromptSubmit", prompt=PROMPT) == ""
        keep(hooks)
        assert "Refunds over" in hooks.context("UserPromptSubmit", prompt=PROMPT)


def test_a_long_path_has_its_sockets_elsewhere_in_a_folder_of_this_user_alone(
    tmp_path: Path,
) -> None:
    assert wire.folder("/home/me/.local/state/bowerbird").startswith("/home/me/")
    far = wire.folder("/home/me/" + "deep/" * 30)
    assert len(os.path.join(far, wire.name("store", 4_194_304))) < 60
    assert not wire.private(str(tmp_path / "missing"))
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    assert wire.private(str(own))
    own.chmod(0o770)
    assert not wire.private(str(own))
    (tmp_path / "link").symlink_to(own)
    assert not wire.private(str(tmp_path / "link"))


def test_a_folder_that_others_can_write_to_is_not_asked(hooks: Hooks) -> None:
    keep(hooks)
    with tempfile.TemporaryDirectory(
        prefix="state-", dir="/tmp"
    ) as short:  # socket paths are short
        hooks.environment["XDG_STATE_HOME"] = short
        hooks.state = Path(short) / "bowerbird"
        with impostor(hooks, b"no answer\n") as asked:
            os.chmod(folder(hooks), 0o770)
            assert "Refunds over" in hooks.context("UserPromptSubmit", prompt=PROMPT)
            assert asked == []


def test_the_peer_of_a_connection_is_known() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with ours, theirs:
        assert wire.same_user(ours)
    left, right = socket.socketpair(socket.AF_INET if os.name == "nt" else socket.AF_UNIX)
    left.close()
    right.close()
    assert not wire.same_user(right)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_another_user_is_not_answered(tmp_path: Path) -> None:
    place = Path("/tmp") / f"peer-{os.getpid()}"  # reachable for anybody
    place.mkdir(mode=0o777)
    place.chmod(0o777)
    try:
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as listening:
            listening.bind(str(place / "s"))
            os.chmod(place / "s", 0o666)
            listening.listen()
            program = (
                "import os, socket; os.setuid(65534);"
                f" s = socket.socket(socket.AF_UNIX); s.connect({str(place / 's')!r}); s.recv(1)"
            )
            with subprocess.Popen([sys.executable, "-c", program]) as other:
                connection, _ = listening.accept()
                with connection:
                    assert not wire.same_user(connection)
                other.wait()
    finally:
        (place / "s").unlink(missing_ok=True)
        place.rmdir()


@pytest.mark.parametrize("command", [["watch"], ["serve", "--port", "0"]])
def test_a_watcher_and_a_server_answer_hooks_too(hooks: Hooks, command: list[str]) -> None:
    keep(hooks)
    with subprocess.Popen(
        [*BOWER, *command],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=hooks.environment,
        cwd=hooks.project,
    ) as process:
        assert process.stderr
        try:
            while not found(hooks):
                assert process.poll() is None, process.stderr.read()
            assert modules(hooks, "served") & {"apsw", "bowerbird.bird"} == set()
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()
    assert found(hooks) == []
