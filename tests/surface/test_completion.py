"""Completion, asked of the shells themselves: each loads its script and is driven by keys."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from bowerbird.surfaces.cli.table import names

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

_CODES = re.compile(r"\x1b(?:\[[0-9;?>=]*[a-zA-Z]|[=>]|\][^\x07]*\x07|[()].)")
# Longer than any shell takes to answer on a busy machine.
PATIENCE = 600.0


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "place"
    folder.mkdir()
    (folder / "my notes.md").touch()
    (folder / "letters.md").touch()
    return folder


def in_bash(script: str, words: list[str], cwd: Path) -> list[str]:
    """What bash offers for the last of some words, cut as readline cuts them."""
    program = (
        f'{script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bower'
        '\nprintf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program, "bash", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=cwd,
    )
    # Outside of a completion compopt says so; what it would have set shows on a terminal alone.
    assert "syntax" not in done.stderr
    return [line for line in done.stdout.split("\n") if line]


def typed(command: list[str], setup: str, keys: str, wanted: str, cwd: Path) -> str:
    """Type into an interactive shell until the wanted text shows; what it showed."""
    child, screen = pty.fork()
    if child == 0:
        os.chdir(cwd)
        os.environ.update({"TERM": "xterm", "PS1": "READY>", "HOME": str(cwd)})
        os.execvp(command[0], command)
    try:
        os.write(screen, f"{setup}; echo LOAD''ED\n".encode())
        seen = _until(screen, "LOADED", "")
        os.write(screen, keys.encode())
        return _until(screen, wanted, seen)
    finally:
        os.close(screen)
        os.kill(child, 9)
        os.waitpid(child, 0)


def _until(screen: int, wanted: str, seen: str) -> str:
    start, end = len(seen), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([screen], [], [], 0.2)[0]:
            seen += os.read(screen, 65_536).decode(errors="replace")
        if wanted in _CODES.sub("", seen[start:]):
            return seen
    raise AssertionError(f"{wanted!r} never showed in {_CODES.sub('', seen[start:])!r}")


@needs("bash")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("bower que", ["query"]),
        ("bower rem", ["remember"]),
        ("bower --store x.db sta", ["status", "stale", "states"]),
        ("bower query --all", ["--all-projects"]),
        ("bower recall --all", ["--all-projects"]),
        ("bower query --kind got", ["gotcha"]),
        ("bower --format mark", ["markdown"]),
        ("bower query --format = js", ["json"]),
        ("bower --format = json quer", ["query"]),
        ("bower bench lat", ["latency"]),
        ("bower help dem", ["demo"]),
        ("bower completion z", ["zsh"]),
        ("bower index let", ["letters.md"]),
        ("bower query --limit 1", []),
        ("bower query lett", []),
    ],
)
def test_bash_offers(bower: Bower, place: Path, line: str, offered: list[str]) -> None:
    script = bower("completion", "bash").out
    assert in_bash(script, line.split(" "), place) == offered


@needs("bash")
def test_bash_offers_every_verb_and_names_with_spaces(bower: Bower, place: Path) -> None:
    script = bower("completion", "bash").out
    assert sorted(in_bash(script, ["bower", ""], place)) == sorted(names())
    assert in_bash(script, ["bower", "index", "my"], place) == ["my notes.md"]


@needs("bash")
def test_a_person_completes_in_bash(bower: Bower, place: Path) -> None:
    (place / "script").write_text(bower("completion", "bash").out)
    shell = ["bash", "--norc", "--noprofile", "-i"]
    typed(shell, "source ./script", "bower statu\t", "bower status ", place)
    typed(shell, "source ./script", "bower index my\t", "bower index my\\ notes.md", place)


@needs("zsh")
def test_a_person_completes_in_zsh(bower: Bower, place: Path) -> None:
    (place / "script").write_text(bower("completion", "zsh").out)
    shell, setup = ["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u; source ./script"
    typed(shell, setup, "bower statu\t", "bower status ", place)
    typed(shell, setup, "bower query --all-p\t", "--all-projects", place)
    typed(shell, setup, "bower query --kind got\t", "--kind gotcha", place)
    typed(shell, setup, "bower query --format=mark\t", "--format=markdown", place)
    typed(shell, setup, "bower query --phase impl\t", "--phase implement", place)
    typed(shell, setup, "bower index let\t", "letters.md", place)


@needs("zsh")
def test_zsh_completes_where_nothing_was_set_up_before(bower: Bower, place: Path) -> None:
    (place / "script").write_text(bower("completion", "zsh").out)
    seen = typed(["zsh", "-f", "-i"], "source ./script", "bower statu\t", "bower status ", place)
    assert "not found" not in seen


@needs("zsh")
def test_zsh_completes_from_a_folder_of_functions(bower: Bower, place: Path) -> None:
    (place / "_bower").write_text(bower("completion", "zsh").out)
    setup = "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u"
    typed(["zsh", "-f", "-i"], setup, "bower statu\t", "bower status ", place)


@needs("fish")
def test_a_person_completes_in_fish(bower: Bower, place: Path) -> None:
    (place / "script").write_text(bower("completion", "fish").out)
    shell = ["fish", "--no-config", "-i"]
    typed(shell, "source ./script", "bower statu\t", "bower status ", place)
    typed(shell, "source ./script", "bower query --kind got\t", "--kind gotcha ", place)


@needs("fish")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("bower statu", {"status"}),
        ("bower --store x.db statu", {"status"}),
        ("bowerbird statu", {"status"}),
        ("bower query --all-p", {"--all-projects"}),
        ("bower search --kind got", {"gotcha"}),
        ("bower query --format=mark", {"--format=markdown"}),
        ("bower bench lat", {"latency"}),
        ("bower index let", {"letters.md"}),
        ("bower query let", set()),
    ],
)
def test_fish_offers(bower: Bower, place: Path, line: str, offered: set[str]) -> None:
    (place / "script").write_text(bower("completion", "fish").out)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f'source ./script; complete -C "{line}"'],
        capture_output=True,
        text=True,
        check=True,
        cwd=place,
        env=os.environ | {"HOME": str(place)},
    )
    assert {row.split("\t")[0] for row in done.stdout.splitlines()} == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_verb_is_known_to_every_shell(bower: Bower, shell: str) -> None:
    offered = bower("completion", shell, "--", "").out.splitlines()
    known = set(names())
    assert {re.split("[\t:]", line)[0] for line in offered} == known


def test_what_is_unknown_is_offered_nothing(bower: Bower) -> None:
    for words in (["quarry", "x"], ["query", "--colour", "r"], ["query", "--limit", ""]):
        assert bower("completion", "bash", "--", *words).out.strip() == ""
