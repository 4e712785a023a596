"""Measure what a prompt's hook costs, with a process that has the store open and without.

    python benchmarks/hooks.py [--rounds N] [--memories N]

A store of short memories in a temporary folder, and the hook of Claude Code as a process of its own,
asked prompts that need the contextual model, each in a session of its own: first alone, then beside
`bower mcp`. Each is preceded by a bare interpreter (`python -c pass`). CPU is that of the hook's process,
as a multiple of the bare interpreter's median; the server's own is reported apart.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

MEMORIES = (
    "Refunds over 500 euros need a second approval",
    "Redis must be up before the auth tests run",
    "The staging database listens on port 5433",
    "Invoices are sent on the first Monday of a month",
    "The search index is rebuilt every night at three",
)
PROMPTS = (
    "how do we give a customer a large sum of money back?",
    "the login checks hang since this morning, what is missing?",
    "connect to the test copy of our data",
    "when do the customers get their bills?",
    "why are new articles not found before the next day?",
)
BOWER = [sys.executable, "-m", "bowerbird"]
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}}
HELLO |= {"clientInfo": {"name": "benchmark", "version": "1"}}


def main() -> None:
    """Measure both, and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--memories", type=int, default=100)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="bower-hooks-") as home:
        project = os.path.join(home, "shop")
        os.makedirs(os.path.join(project, ".git"))
        environment = {**os.environ, "HOME": home, "BOWER_HOOK_PATIENCE": "10"}
        _store(project, environment, given.memories)
        bare, alone, beside = [], [], []
        for number in range(given.rounds):
            bare.append(_timed([sys.executable, "-c", "pass"], "", project, environment)[:2])
            alone.append(_hook(number, "alone", project, environment))
        with subprocess.Popen(  # noqa: S603 our own
            [*BOWER, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=project,
            env=environment,
        ) as server:
            if server.stdin is None or server.stdout is None:
                raise RuntimeError("a server without pipes")
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
            server.stdin.write(json.dumps(hello).encode() + b"\n")
            server.stdin.flush()
            server.stdout.readline()
            # The first answer waits until the server has loaded its model.
            first = _hook(0, "first", project, environment)
            before = _cpu(server.pid)
            for number in range(given.rounds):
                bare.append(_timed([sys.executable, "-c", "pass"], "", project, environment)[:2])
                beside.append(_hook(number, "beside", project, environment))
            served = (_cpu(server.pid) - before) / given.rounds
            server.stdin.close()
    base = statistics.median(cpu for cpu, _ in bare)
    print(f"bare interpreter: {1e3 * base:.1f} ms of CPU; load {os.getloadavg()[0]:.1f}")
    for name, found in (("alone", alone), ("first beside", [first]), ("beside", beside)):
        cpu, wall = sorted(one for one, _ in found), sorted(one for _, one in found)
        print(
            f"{name}: CPU {statistics.median(cpu) / base:.1f} bare ({cpu[0] / base:.1f} to"
            f" {cpu[-1] / base:.1f}), wall p50 {1e3 * statistics.median(wall):.0f} ms,"
            f" p95 {1e3 * wall[int(0.95 * (len(wall) - 1))]:.0f} ms"
        )
    print(f"the server's own: {1e3 * served:.0f} ms of CPU for each")


def _store(project: str, environment: "dict[str, str]", memories: int) -> None:
    """Store the memories, filled up with others that no prompt is about."""
    texts = [
        *MEMORIES,
        *(f"Shelf {n} holds part {7 * n % 1_000} of the kit" for n in range(memories)),
    ]
    lines = "".join(json.dumps({"text": text}) + "\n" for text in texts[:memories])
    subprocess.run(  # noqa: S603 our own
        [*BOWER, "curate", "--batch", "-"],
        input=lines.encode(),
        cwd=project,
        env=environment,
        check=True,
        capture_output=True,
    )


def _hook(
    number: int, name: str, project: str, environment: "dict[str, str]"
) -> tuple[float, float]:
    payload = {"session_id": f"{name}-{number}", "cwd": project}
    payload["prompt"] = PROMPTS[number % len(PROMPTS)]
    command = [*BOWER, "hook", "claude-code", "UserPromptSubmit"]
    cpu, wall, output = _timed(command, json.dumps(payload), project, environment)
    if "additionalContext" not in output:
        print(f"nothing for: {payload['prompt']}", file=sys.stderr)
    return cpu, wall


def _timed(
    command: "list[str]", given: str, project: str, environment: "dict[str, str]"
) -> tuple[float, float, str]:
    """Seconds of CPU and of wall time of a process, and its output."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(  # noqa: S603 our own
        command,
        input=given,
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall, done.stdout


def _cpu(process: int) -> float:
    """The seconds of CPU that a running process has taken (Linux)."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
