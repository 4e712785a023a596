"""Clients of ``bower mcp``: the SDK's own, and one that writes and reads lines as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.server.stdio import stdio_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from mcp.client import Transport
    from mcp.client._transport import TransportStreams
    from mcp.client.client import ConnectMode
    from tests.forked import Forks, Running

COMMAND = [sys.executable, "-m", "bowerbird", "mcp"]
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "lines", "version": "1"},
}


class Lines:
    """A client that speaks in lines, and keeps every byte that it is told."""

    def __init__(self, process: subprocess.Popen[bytes] | Running) -> None:
        self.process = process
        self.heard: list[bytes] = []
        self._last = 0

    def write(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
        self.write(json.dumps(message))

    def send(self, method: str, **params: Any) -> int:
        """Send a request, and do not wait for what comes."""
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method}
        self.write(json.dumps(message | ({"params": params} if params else {})))
        return self._last

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        self.heard.append(line)
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        wanted = self.send(method, **params)
        answer = self.read()
        assert answer["id"] == wanted
        return answer

    def begin(self) -> None:
        assert "result" in self.ask("initialize", **HELLO)
        self.tell("notifications/initialized")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return found

    def leave(self) -> int:
        """Close our end; what was still said is heard. The exit code of the server."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.heard += self.process.stdout.readlines()
        return self.process.wait()


@pytest.fixture
def lines(forks: Forks) -> Callable[..., Any]:
    """A conversation in lines, as a context manager; arguments are those of ``bower mcp``.

    With a command it is that one's, started anew.
    """

    @contextmanager
    def opened(
        *arguments: str,
        command: list[str] | None = None,
        env: dict[str, str] | None = None,
        **options: Any,
    ) -> Iterator[Lines]:
        process = (
            subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=env,
                **options,
            )
            if command
            else forks.open(["mcp", *arguments], env, **options)
        )
        try:
            yield Lines(process)
        finally:
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream:
                    stream.close()
            process.kill()
            process.wait()

    return opened


@asynccontextmanager
async def _through(process: Any) -> AsyncIterator[TransportStreams]:
    """The SDK's way of speaking in lines, with a process that is there already."""
    ours = anyio.wrap_file(process.stdout), anyio.wrap_file(process.stdin)
    async with stdio_server(*ours) as (heard, said):
        try:
            yield heard, said
        finally:
            await said.aclose()
            process.stdin.close()


@pytest.fixture
def talk(forks: Forks) -> Callable[..., Any]:
    """Runs ``work(client)`` with the SDK's client over standard input and output.

    `anew`: the SDK starts the server itself, as agents do.
    """

    def run(
        work: Callable[[Client], Awaitable[Any]],
        *arguments: str,
        mode: ConnectMode = "auto",
        cwd: str | None = None,
        anew: bool = False,
    ) -> Any:
        async def main(server: StdioServerParameters | Transport) -> Any:
            async with Client(server, mode=mode) as client:
                return await work(client)

        if anew:
            words = [*COMMAND[1:], *arguments]
            environment = dict(os.environ)
            return anyio.run(
                main,
                StdioServerParameters(command=COMMAND[0], args=words, env=environment, cwd=cwd),
            )
        process = forks.open(["mcp", *arguments], folder=cwd, text=True)
        try:
            return anyio.run(main, _through(process))
        finally:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream:
                    stream.close()

    return run
