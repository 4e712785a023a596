"""Latency of ``bower mcp``: from its start to the first reply, and to the first call.

Baselines, run alternately so that all meet the same load: the bare interpreter, importing the SDK, and
a minimal server of the SDK. CPU is that of all threads up to the reply, from Linux's nanosecond
counters. Run: python benchmarks/mcp_start.py [ROUNDS]
"""

import json
import os
import subprocess
import sys
import tempfile
from time import perf_counter
from typing import TYPE_CHECKING

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable

STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
FIRST = {
    "initialize": {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    "server/discover": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "server/discover",
        "params": {"_meta": STATELESS},
    },
}
TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": STATELESS}}
CALL = {
    "jsonrpc": "2.0",
    "id": 3,
    "method": "tools/call",
    "params": {"_meta": STATELESS, "name": "memory_status", "arguments": {}},
}
SEARCH = CALL | {
    "params": {"_meta": STATELESS, "name": "memory_search", "arguments": {"query": "which port?"}}
}
OURS = [sys.executable, "-m", "bowerbird", "mcp"]
SMALLEST = "from mcp.server import MCPServer; MCPServer('smallest').run()"
ROUNDS = 10


def replied(command: list[str], *messages: dict[str, object]) -> tuple[float, float]:
    """Milliseconds of wall-clock and CPU time from a server's start to its reply to the last message.

    Without messages: to the first line that the program writes.
    """
    begin = perf_counter()
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as server:  # noqa: S603 our own
        if server.stdin is None or server.stdout is None:
            raise OSError("no pipes")
        for message in messages:
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            if not json.loads(server.stdout.readline()).get("result"):
                raise ValueError(f"no result for {message['method']}")
        if not messages:
            server.stdout.readline()
        took = perf_counter() - begin
        used = cpu(server.pid)
        server.stdin.close()
    return took * 1000, used


def cpu(pid: int) -> float:
    """CPU milliseconds of all threads of a process."""
    spent = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
            spent += int(file.read().split()[0])
    return spent / 1e6


def ran(program: str) -> tuple[float, float]:
    """The same for a program, up to its last statement, without interpreter shutdown."""
    return replied(
        [sys.executable, "-c", program + "; print(flush=True); import sys; sys.stdin.read()"]
    )


def main() -> None:
    """Measure alternately, and print a table of the best times."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    smallest = [sys.executable, "-c", SMALLEST]
    rows: dict[str, Callable[[], tuple[float, float]]] = {
        "python -c pass": lambda: ran("pass"),
        "python -c 'import mcp'": lambda: ran("import mcp"),
        "smallest server of the SDK, initialize": lambda: replied(smallest, FIRST["initialize"]),
        "smallest server of the SDK, server/discover": lambda: replied(
            smallest, FIRST["server/discover"]
        ),
        "bower mcp, initialize": lambda: replied(OURS, FIRST["initialize"]),
        "bower mcp, server/discover": lambda: replied(OURS, FIRST["server/discover"]),
        "bower mcp, its tools": lambda: replied(OURS, FIRST["server/discover"], TOOLS),
        "bower mcp, first call of a tool": lambda: replied(
            OURS, FIRST["server/discover"], TOOLS, CALL
        ),
        "bower mcp, first search": lambda: replied(OURS, FIRST["server/discover"], TOOLS, SEARCH),
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in rows}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BOWER_STORE"] = os.path.join(folder, "memory.db")
        with Bowerbird.open() as bird:
            bird.remember("The tests need Redis on port 6390.", kind="fact")
        for _ in range(rounds):
            for name, measure in rows.items():
                taken[name].append(measure())
    print("| from the start to | ms | CPU, ms | CPU of `import mcp` |\n|---|---|---|---|")
    imported = min(used for _, used in taken["python -c 'import mcp'"])
    for name, times in taken.items():
        best, used = (min(one) for one in zip(*times, strict=True))
        print(f"| {name} | {best:.0f} | {used:.0f} | {used / imported:.2f} |")


if __name__ == "__main__":
    main()
