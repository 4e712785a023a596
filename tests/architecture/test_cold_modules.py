"""What a cold command loads: every module costs CPU before the first line of an answer."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# The standard library as far as these commands may load it, by top-level name, submodules and
# private modules included. Milliseconds of CPU each would add: dataclasses 15, tomllib 15,
# logging 14, subprocess 12, secrets 11, pathlib 10, typing 9, uuid 8.
STANDARD = set(
    "argparse array binascii codecs collections contextlib copyreg enum errno fcntl functools"
    " gettext hashlib heapq importlib io itertools json keyword locale math mmap operator re"
    " reprlib struct time types unicodedata warnings".split()
)
# Somebody else's modules. numpy alone would be 70, rich 40, rapidfuzz 19.
COMMANDS = {
    "version": ([], set(), {"core", "surfaces"}),
    "status": (
        [],
        {"apsw"},
        {"core", "models", "storage", "surfaces"},
    ),
    "query": (
        ["why do the auth tests hang"],
        {"apsw"},
        {"core", "models", "retrieval", "storage", "surfaces"},
    ),
    "get": (["018bcfe568007000"], {"apsw"}, {"core", "storage", "surfaces"}),
    "list": ([], {"apsw"}, {"core", "storage", "surfaces"}),
    "curate": (
        ["Postgres listens on 6432"],
        {"apsw"},
        {"core", "lifecycle", "models", "storage", "surfaces"},
    ),
}
PROBE = """
import json, sys
before = set(sys.modules)
from bowerbird.surfaces.cli.app import main
code = main(sys.argv[1:])
sys.stderr.write(json.dumps(sorted(set(sys.modules) - before)))
"""


def loaded(*arguments: str) -> set[str]:
    """The modules that a command adds to a bare interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments, "--quiet", "--format", "text"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture
def store(store_path: str) -> str:
    loaded("curate", "Redis must be up before the auth tests", "--store", store_path)
    return store_path


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_cold_command_loads_nothing_that_it_does_not_need(verb: str, store: str) -> None:
    arguments, others, rooms = COMMANDS[verb]
    modules = loaded(verb, *arguments, "--store", store)
    ours = {name.split(".")[1] for name in modules if name.startswith("bowerbird.")}
    rest = {name.split(".")[0] for name in modules if not name.startswith(("bowerbird", "_"))}
    foreign = rest - set(sys.stdlib_module_names)
    standard = rest & set(sys.stdlib_module_names)
    too_many = (foreign - others) | (standard - STANDARD) | (ours - rooms - {"bird", "wiring"})
    assert not too_many, f"bower {verb} loads {', '.join(sorted(too_many))}"


def test_importing_the_package_loads_no_room(tmp_path: Path) -> None:
    """`import bowerbird` gives the names; what they need is loaded when they are used."""
    code = "import sys, bowerbird; print(*sorted(m for m in sys.modules if m.startswith('bower')))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    rooms = {name.split(".")[1] for name in done.stdout.split() if "." in name}
    assert rooms <= {"bird", "core", "wiring"}
