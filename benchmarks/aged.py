"""CPU time of hooks with a store that holds a year of recorded sessions.

    python benchmarks/aged.py DIR [--rounds 12]

DIR holds transcripts, from which memories are learned as by `python -m quality learn DIR --year`. Each
event of a session is then passed to `bower hook` in a new process, alternately with that store and with a
store of one memory, next to a run of bare Python. Prints p50 and p95 of the CPU ratio to bare Python
for both stores.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from quality.learn import PROJECT, year
from replay import cpu, point

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED = "why does the linter complain about the session state that is written at each checkpoint?"
PARTS = "one two three four five six".split()
FINDING = "Error return value of a.b is not checked, see part"
# Calls before the search, so that there is a memory hint between steps.
BEFORE = 4


def main() -> int:
    """Age a store and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=12, help="sessions with each store")
    options = parser.parse_args()
    # A process that the stop event started may still write after the results are printed.
    scratch = tempfile.TemporaryDirectory(prefix="bower-aged-", ignore_cleanup_errors=True)
    with scratch as made:
        os.environ |= {f"XDG_{name}_HOME": made for name in ("DATA", "CONFIG", "STATE")}
        os.environ |= {"BOWER_HOOK_PATIENCE": "100"}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.chdir(made)
        aged, young = os.path.join(made, "aged.db"), os.path.join(made, "young.db")
        months = year(str(options.folder), kept=aged)
        with Bowerbird.open(young, project=PROJECT) as bird:
            bird.remember("The queue is drained by hand.")
        with Bowerbird.open(aged, project=PROJECT) as bird:
            entries = bird.list(memories_only=True, limit=1_000)
            details = [one.details for one in entries if one.details is not None]
            files = [file for one in details for file in one.fields.files] or ["a.go"]
        found: dict[str, dict[str, list[float]]] = {}
        for number in range(options.rounds):
            for store in (aged, young):
                recorded = events(number, made, files[number % len(files)])
                for kind, name, payload in recorded:
                    ratio = measured(store, name, payload)
                    if kind:
                        found.setdefault(kind, {}).setdefault(store, []).append(ratio)
    rows = {
        kind: {
            name: {"p50": round(point(of[store], 0.5), 2), "p95": round(point(of[store], 0.95), 2)}
            for name, store in (("after a year", aged), ("one memory", young))
        }
        for kind, of in found.items()
    }
    print(
        json.dumps(
            {"memories": months[-1]["active"], "hooks": rows, "load": os.getloadavg()[0]}, indent=1
        )
    )
    return 0


def events(number: int, folder: str, file: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The events of a session: label of the measurement (empty: not measured), name, and payload."""
    session = {"session_id": f"s{number}", "cwd": folder, "transcript_path": "/nowhere"}
    yield "start", "SessionStart", session | {"source": "startup"}
    yield "prompt", "UserPromptSubmit", session | {"prompt": ASKED}
    read = session | {"tool_name": "Read", "tool_input": {"file_path": file}}
    yield "before a call", "PreToolUse", read
    yield "file", "PostToolUse", read | {"tool_response": "x" * 2_000}
    ran = session | {"tool_name": "Bash", "tool_response": "a"}
    for _ in range(BEFORE):
        yield "", "PostToolUse", ran | {"tool_input": {"command": "ls"}}
    lines = [f"a{at}.go:{at}:2: {FINDING} {part} (errcheck)" for at, part in enumerate(PARTS)]
    failed = {"tool_name": "Bash", "tool_input": {"command": "make lint"}}
    wrong = "\n".join(["Exit code 1", *lines])
    yield "failed call", "PostToolUseFailure", session | failed | {"error": wrong}
    search = {"tool_name": "Grep", "tool_input": {"pattern": "initializeSession"}}
    yield "search", "PostToolUse", session | search | {"tool_response": "x"}
    yield "stop", "Stop", session


def measured(store: str, name: str, payload: dict[str, Any]) -> float:
    """The CPU time of an event with a store, as a multiple of bare Python."""
    base, _ = cpu([sys.executable, "-c", "pass"], "")
    hook = [sys.executable, "-m", "bowerbird", "hook", "claude-code", name]
    spent, _ = cpu([*hook, "--store", store, "--project", PROJECT], json.dumps(payload))
    return spent / base


if __name__ == "__main__":
    sys.exit(main())
