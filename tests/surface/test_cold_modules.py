"""A cold command loads what it runs and nothing else: the lists beside this file are all it may.

When a list has to grow, measure the command first: ``python -X importtime -m bowerbird …``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LISTS = Path(__file__).with_name("cold_modules.json")
# Each costs more than a millisecond, most of them ten (CPython 3.11): never on these paths.
NEVER = {
    "argparse",
    "typing",
    "dataclasses",
    "logging",
    "subprocess",
    "pathlib",
    "tomllib",
    "rich",
    "numpy",
    "importlib.metadata",
    "shutil",
    "difflib",
    "datetime",
    "asyncio",
    "inspect",
    "sqlite3",
}
COMMANDS = {
    "query": ["query", "is redis up?"],
    "curate": ["curate", "Redis must be up first"],
    "status": ["status"],
    "version": ["version"],
}
PROGRAM = """
import sys
bare = set(sys.modules)
from bowerbird.surfaces.cli.start import main
code = main(sys.argv[1:])
print("\\n" + "\\n".join(sorted(set(sys.modules) - bare)), file=sys.stderr)
sys.exit(code)
"""
# A hook ends its process by itself.
HOOK = """
import os, sys
bare, leave = set(sys.modules), os._exit
def tell(code):
    print("\\n".join(sorted(set(sys.modules) - bare)), file=sys.stderr, flush=True)
    leave(code)
os._exit = tell
from bowerbird.surfaces.cli.start import main
main(sys.argv[1:])
"""
RECORDED = {
    "session_id": "one",
    "tool_name": "Bash",
    "tool_input": {"command": "go test ./..."},
    "tool_response": {"stdout": "ok"},
}
INJECTED = {"session_id": "one", "prompt": "is it redis that runs on port 6379?"}


def loaded(arguments: list[str], program: str = PROGRAM, given: str = "") -> set[str]:
    # Isolated: what a path file of the environment imports is not ours.
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


@pytest.fixture(autouse=True)
def _store(_own_store: None, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is loaded must not depend on how busy the machine is.
    monkeypatch.setenv("BOWER_HOOK_PATIENCE", "100")
    subprocess.run(
        [sys.executable, "-m", "bowerbird", "curate", "Redis runs on port 6379"],
        check=True,
        capture_output=True,
    )


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_cold_command_loads_only_what_is_listed(verb: str) -> None:
    allowed = set(json.loads(LISTS.read_text(encoding="utf-8"))[verb])
    # The standard library's own helpers differ by version; ours and heavy ones are pinned.
    found = {name for name in loaded(COMMANDS[verb]) if name.startswith("bowerbird")}
    assert found - allowed == set()
    assert allowed - found == set(), "the list names what is no longer loaded"


@pytest.mark.parametrize("verb", ["query", "status", "version"])
def test_a_cold_command_in_plain_letters_needs_no_regular_expression(verb: str) -> None:
    assert not loaded(COMMANDS[verb]) & {"re", "enum"}


def test_a_named_project_costs_a_query_no_more_than_reading_its_name() -> None:
    named = loaded([*COMMANDS["query"], "--project", "shop"]) - loaded(COMMANDS["query"])
    ours = {name for name in named if name.startswith("bowerbird")}
    assert ours <= {"bowerbird.guard", "bowerbird.guard.suspicion"}


def test_the_package_by_itself_loads_neither_bird_nor_wiring() -> None:
    """A hook that only looks whether it has anything to do pays for nothing else."""
    program = "import sys, bowerbird; print(*(one for one in sys.modules if 'bowerbird' in one))"
    # Isolated: what a path file of the environment imports is not ours.
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) - {"__editable___bowerbird_finder"} == {
        "bowerbird",
        "bowerbird.core",
        "bowerbird.core.version",
    }


def test_a_hook_that_only_records_loads_neither_bird_nor_store() -> None:
    allowed = set(json.loads(LISTS.read_text(encoding="utf-8"))["hook, recording"])
    found = loaded(["hook", "claude-code", "PreToolUse"], HOOK, json.dumps(RECORDED))
    assert {name for name in found if name.startswith("bowerbird")} == allowed
    assert not found & (NEVER | {"apsw", "hashlib", "bowerbird.bird", "bowerbird.verbs.root"})
    # Together a bare interpreter's cost; what starts the interpreter may have loaded them before us.
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    patterns = {"re", "json", "enum", "contextlib", "functools", "collections"}
    assert found & patterns <= set(bare.stdout.split())


def test_a_hook_whose_first_look_is_certain_loads_no_contextual_model() -> None:
    allowed = set(json.loads(LISTS.read_text(encoding="utf-8"))["hook, injecting"])
    found = loaded(["hook", "claude-code", "UserPromptSubmit"], HOOK, json.dumps(INJECTED))
    assert {name for name in found if name.startswith("bowerbird")} == allowed
    assert not found & NEVER


@pytest.mark.parametrize("verb", ["query", "status"])
def test_no_expensive_module_is_loaded(verb: str) -> None:
    # The package `json` would be 4 of 100 instructions of a `status`.
    assert loaded(COMMANDS[verb]) & (NEVER | {"json"}) == set()


@pytest.mark.parametrize(
    "arguments", [COMMANDS["curate"], ["query", "what is asked for in words of its own?"]]
)
def test_what_reads_sentences_loads_numpy_and_nothing_else_that_is_expensive(
    arguments: list[str],
) -> None:
    program = "import sys, numpy; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    found = loaded(arguments) & NEVER
    assert "numpy" in found
    assert found <= set(done.stdout.split())
