"""``bower mcp`` over standard input and output, line by line."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]
    Talk = Callable[..., Any]
    Lines = Callable[..., Any]

CONTENT = "The auth tests hang when Redis is down: start it with make redis."


def test_a_broken_store_fails_calls_and_not_the_server(
    lines: Lines, bower: Bower, store_path: str
) -> None:
    with open(store_path, "wb") as file:
        file.write(b"this is no store" * 1_000)
    with lines() as client:
        client.begin()
        for tool, arguments in (
            ("memory_search", {"query": "x"}),
            ("memory_store", {"content": "x"}),
            ("memory_status", {}),
        ):
            answer = client.call(tool, **arguments)
            assert answer["isError"] is True
            assert store_path in answer["content"][0]["text"]
        os.remove(store_path)
        assert client.call("memory_store", content=CONTENT)["isError"] is False
        assert client.leave() == 0


def test_before_anything_is_stored_memory_is_empty(lines: Lines, store_path: str) -> None:
    with lines() as client:
        client.begin()
        for tool, arguments, expected in (
            ("memory_search", {"query": "auth"}, "Nothing relevant is known."),
            ("memory_context", {"task": "mend auth"}, "Nothing relevant is known."),
            ("memory_status", {}, "0 memories"),
            ("memory_get", {"id": "019a2f6c-81d4-7000"}, "nothing has been stored yet"),
            ("memory_forget", {"id": "019a2f6c-81d4-7000"}, "nothing has been stored yet"),
        ):
            answer = client.call(tool, **arguments)
            assert expected in answer["content"][0]["text"]
            assert store_path not in json.dumps(answer)
        assert not os.path.exists(store_path)


def test_noise_is_borne(lines: Lines) -> None:
    with lines() as client:
        client.write("this is no JSON")
        client.write('{"jsonrpc": "2.0", "id": 7, "method"')
        client.write("[]")
        assert [client.read()["error"]["code"] for _ in range(3)] == [-32700, -32700, -32600]
        client.begin()
        client.write("")
        client.write("nor is this \xff\x00")
        assert client.read()["error"]["code"] == -32700
        client.tell("notifications/unheard", of=1)
        client.tell("notifications/cancelled", requestId=99)
        slow = client.send("tools/call", name="memory_status", arguments={})
        client.tell("notifications/cancelled", requestId=slow, reason="changed my mind")
        wanted = client.send("ping")
        while (answer := client.read())["id"] != wanted:
            pass
        assert answer["result"] == {}
        assert client.ask("no/such/method")["error"]["code"] == -32601
        assert client.leave() == 0


def test_standard_output_carries_the_protocol_alone(lines: Lines, tmp_path: Path) -> None:
    """Also while models load, tools fail, libraries print and children write."""
    (tmp_path / "noisy.py").write_text(
        "import os, subprocess, sys\n"
        "print('noise on the way in', flush=True)\n"
        "from bowerbird.surfaces.cli.app import main\n"
        "from bowerbird.models.embed import static\n"
        "read = static.StaticEmbedder.embed_query\n"
        "def noisy(self, *given):\n"
        "    print('noise of a model', flush=True)\n"
        "    os.write(1, b'noise below Python\\n')\n"
        "    subprocess.run([sys.executable, '-c', \"print('noise of a child')\"])\n"
        "    return read(self, *given)\n"
        "static.StaticEmbedder.embed_query = noisy\n"
        "sys.exit(main(['mcp']))\n"
    )
    command = [sys.executable, str(tmp_path / "noisy.py")]
    with lines(command=command, stderr=subprocess.PIPE) as client:
        assert client.process.stdout.readline() == b"noise on the way in\n"
        client.begin()
        assert client.call("memory_store", content=CONTENT)["isError"] is False
        assert client.call("memory_search", query="is redis down?")["isError"] is False
        assert client.call("memory_get", id="00000000")["isError"] is True
        assert client.leave() == 0
        noise = client.process.stderr.read()
        for what in (b"noise of a model", b"noise below Python", b"noise of a child"):
            assert what in noise
        assert len(client.heard) == 4
        for line in client.heard:
            assert json.loads(line)["jsonrpc"] == "2.0"


@pytest.mark.parametrize("words", [0, 1, 2])
def test_it_ends_when_the_client_closes_its_end(lines: Lines, words: int) -> None:
    """Before a word, after the opening, and in the middle of the conversation."""
    with lines() as client:
        if words:
            client.begin()
        if words > 1:
            client.call("memory_store", content=CONTENT)
        assert client.leave() == 0
        assert len(client.heard) == words


@pytest.mark.parametrize("calls", [0, 1])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_it_waits(lines: Lines, calls: int, sent: signal.Signals) -> None:
    with lines() as client:
        client.begin()
        for _ in range(calls):
            client.call("memory_status")
        client.process.send_signal(sent)
        assert client.process.wait(timeout=600) == -sent


def test_what_is_asked_before_the_end_is_still_done(lines: Lines, bower: Bower) -> None:
    with lines() as client:
        client.begin()
        client.send("tools/call", name="memory_store", arguments={"content": CONTENT})
        client.leave()
    answer = json.loads(client.heard[-1])["result"]["structuredContent"]
    (entry,) = bower("list").data["entries"]
    assert (entry["id"], entry["text"]) == (answer["id"], CONTENT)


def test_killed_in_the_middle_it_leaves_no_lock_and_loses_nothing(
    lines: Lines, bower: Bower
) -> None:
    acknowledged = set()
    for session in range(4):
        with lines() as client:
            client.begin()
            for number in range(session + 1):
                content = f"Session {session} keeps fact {number} of thing {session * 10 + number}."
                stored = client.call("memory_store", content=content)
                acknowledged.add(stored["structuredContent"]["id"])
            content = f"Session {session} is killed while it keeps this."
            client.send("tools/call", name="memory_store", arguments={"content": content})
            client.process.kill()
    assert bower("curate", "Somebody else writes at once.").code == 0
    assert acknowledged <= {entry["id"] for entry in bower("list").data["entries"]}
    assert bower("doctor").data["healthy"]


def test_no_server_outlives_its_client(lines: Lines, tmp_path: Path) -> None:
    """The client is killed, and cannot say so: the pipe does."""
    program = (
        "import subprocess, sys, time\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        'server.stdin.write(b\'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\\n\')\n'
        "server.stdin.flush()\n"
        "server.stdout.readline()\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program, sys.executable, "-m", "bowerbird", "mcp"]
    client = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert client.stdout
    server = int(client.stdout.readline())
    client.send_signal(signal.SIGKILL)
    client.wait()
    # The server holds the other end of nothing but its own pipes; wait until it is gone.
    descriptor = os.pidfd_open(server)
    try:
        ready, _, _ = select.select([descriptor], [], [], 600)
        assert ready, "the server lives on"
    finally:
        os.close(descriptor)
        client.stdout.close()


@pytest.mark.parametrize("options", [[], ["-P"]])
def test_modules_of_the_folder_it_is_started_in_are_not_ours(
    lines: Lines, tmp_path: Path, options: list[str]
) -> None:
    for name in ("mcp", "anyio", "jsonschema"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('of a checkout')\n")
    (tmp_path / "json.py").write_text("raise SystemExit('of a checkout')\n")
    command = [sys.executable, *options, "-m", "bowerbird", "mcp"]
    with lines(command=command, cwd=tmp_path) as client:
        client.begin()
        assert client.call("memory_status")["isError"] is False


def test_nothing_heavy_is_loaded_to_answer_what_comes_first() -> None:
    program = (
        "import sys\n"
        "import bowerbird.surfaces.mcp.stdio, bowerbird.surfaces.cli.commands.mcp\n"
        "heavy = {'mcp', 'mcp_types', 'pydantic', 'anyio', 'asyncio', 'numpy', 'jsonschema'}\n"
        "print(*sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"
