"""A server as a user runs it: a process of its own on a free loopback port."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import sys
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.forked import Forks

BASE = "/api/v1"


class Said:
    """An answer: its status, its headers by lower-case name, and its body."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


class Server:
    """One running server, its home, and ways to ask it."""

    def __init__(self, folder: Path, forks: Forks, *options: str) -> None:
        self._forks = forks
        self.folder = folder
        self.store = str(folder / "memory.db")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("BOWER_")}
        home = {
            f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("DATA", "CONFIG", "STATE")
        }
        self.environment = clean | home | {"HOME": str(folder)}
        self.lines: list[str] = []
        self._changed = Condition()
        self._silent = False
        words = ("serve", "--port", "0", *options, "--store", self.store)
        self.process = forks.open(words, self.environment, folder, text=True)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = self.wait_for("serving ").split()[1].rstrip(";")
        self.port = int(self.address.rpartition(":")[2])
        self.token = (next((folder / "state").glob("bowerbird/serve-*/token"))).read_text().strip()

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "bowerbird", *words, "--store", self.store]

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._silent = True
            self._changed.notify_all()

    def wait_for(self, *words: str) -> str:
        """The first line of its journal with all of these words, said by now or still to come."""

        def said() -> str | None:
            return next((line for line in self.lines if all(w in line for w in words)), None)

        with self._changed:
            self._changed.wait_for(lambda: said() or self._silent, 600)
            found = said()
        assert found, f"not said: {words}\n" + "\n".join(self.lines)
        return found

    def wait_for_news(self) -> None:
        """Until it says anything more; a moment at most, for whoever waits for several."""
        with self._changed:
            self._changed.wait(1)

    def bower(self, *words: str) -> dict[str, Any]:
        """Another process over the same store."""
        words = (*words, "--store", self.store)
        done = self._forks.run(words, b"", self.environment, self.folder)
        assert done.returncode == 0, (done.stderr + done.stdout).decode()
        found: dict[str, Any] = json.loads(done.stdout)["data"]
        return found

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = "",
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Said:
        """One request; `token` None sends none, "" the user's own."""
        sent = {"Content-Type": "application/json"} if method == "POST" else {}
        if token is not None:
            sent["Authorization"] = f"Bearer {token or self.token}"
        connection = self.connect()
        try:
            content = (
                raw if raw is not None else json.dumps(body or {}) if method == "POST" else None
            )
            connection.request(method, path, content, sent | (headers or {}))
            response = connection.getresponse()
            reported = {name.lower(): value for name, value in response.getheaders()}
            return Said(response.status, reported, response.read())
        finally:
            connection.close()

    def post(self, verb: str, token: str = "", **fields: Any) -> Said:
        return self.ask("POST", f"{BASE}/{verb}", fields, token=token)

    def get(self, verb: str, token: str = "", **fields: Any) -> Said:
        query = urlencode(
            {k: str(v).lower() if isinstance(v, bool) else v for k, v in fields.items()}
        )
        return self.ask("GET", f"{BASE}/{verb}?{query}", token=token)

    def routes(self) -> list[tuple[str, str]]:
        """Every route of the document, with an id where one is needed, and what is no route."""
        paths = self.ask("GET", f"{BASE}/openapi.json").data["paths"]
        id = "019a2f6c-81d4-7000-8000-000000000000"
        found = [(how.upper(), path.replace("{id}", id)) for path in paths for how in paths[path]]
        assert len(found) > 10
        more = [("GET", f"{BASE}/openapi.json"), ("GET", "/none"), ("DELETE", f"{BASE}/query")]
        return [*found, *more, *((how, "/mcp") for how in ("GET", "POST", "DELETE"))]

    def new_token(self, name: str, *options: str) -> str:
        return str(self.bower("serve", "--new-token", name, *options)["token"])

    def end(self) -> int:
        """SIGTERM; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(600)
        self._reader.join(600)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> Iterator[Server]:
    """One for all tests of a file."""
    running = Server(tmp_path_factory.mktemp("served"), forks)
    yield running
    running.end()


@pytest.fixture
def serve(tmp_path: Path, forks: Forks) -> Iterator[Callable[..., Server]]:
    """Starts servers for one test."""
    started: list[Server] = []

    def start(*options: str) -> Server:
        started.append(Server(tmp_path, forks, *options))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture
def port() -> str:
    """A free port that will still be free a while later: systems lend higher ones to clients."""
    for number in random.sample(range(15_000, 30_000), 200):
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", number))
            return str(number)
    raise RuntimeError("no port is free")
