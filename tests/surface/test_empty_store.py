"""A store of no bytes: a person is asked, with no as the default; everybody else is told what to do."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

FACT = "The depot opens at seven"
ASKED = "start over? [y/N]"


@pytest.fixture
def empty(store_path: str) -> Path:
    path = Path(store_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_a_person_who_says_yes_begins_again(empty: Path, terminal: Bower) -> None:
    ran = terminal("curate", FACT, typed="y\n")
    assert ASKED in ran.out
    assert ran.code == 0
    assert empty.stat().st_size
    assert FACT in terminal("list").out


@pytest.mark.parametrize("typed", ["\n", "no\n", "\x04"])
def test_anything_else_leaves_the_file_as_it_is(empty: Path, terminal: Bower, typed: str) -> None:
    ran = terminal("curate", FACT, typed=typed)
    assert ASKED in ran.out
    assert ran.code == 1
    assert f"rm {empty}" in ran.out.replace("\n", " ")
    assert empty.stat().st_size == 0


def test_nobody_else_is_asked_and_the_remedy_says_yes_for_them(
    empty: Path, bower: Bower, terminal: Bower, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ran in (bower("curate", FACT, stdin="y\n"), terminal("curate", FACT, "--format", "json")):
        assert ran.code == 1
        assert ASKED not in ran.out + ran.err
    remedy = bower("curate", FACT, "--format", "json").data["remedy"]
    assert empty.stat().st_size == 0
    subprocess.run(shlex.split(remedy.rpartition("start over: ")[2]), check=True)
    assert bower("curate", FACT).code == 0
    empty.write_bytes(b"")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert ASKED not in terminal("curate", FACT, typed="y\n").out


def test_what_its_log_holds_is_not_given_up_by_that(empty: Path, terminal: Bower) -> None:
    Path(f"{empty}-wal").write_bytes(b"what nobody has folded in")
    ran = terminal("curate", FACT, typed="y\n")
    assert ran.code == 1
    assert Path(f"{empty}-wal").stat().st_size
