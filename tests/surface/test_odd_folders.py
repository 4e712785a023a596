"""A working directory whose name is no text, or that is gone: all works there, or says why not."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def odd(tmp_path: Path) -> bytes:
    folder = os.path.join(os.fsencode(tmp_path), b"caf\xe9")
    try:
        os.makedirs(os.path.join(folder, b".git"))
    except OSError:
        pytest.skip("this filesystem takes text alone")
    with open(os.path.join(folder, b"a.md"), "wb") as file:
        file.write(b"Redis must be up.")
    return folder


def bower(folder: bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bowerbird", "--format", "json", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_kept_there_is_found_there_and_nowhere_else(odd: bytes, tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "memory.db")]
    assert bower(odd, "curate", "Redis must be up before the auth tests", *store).returncode == 0
    for verb in (["query", "redis"], ["list"], ["context", "redis"]):
        assert "auth tests" in bower(odd, *verb, *store).stdout, verb
    assert "auth tests" not in bower(os.fsencode(tmp_path), "list", *store).stdout
    assert '"name": "caf\\\\xe9"' in bower(odd, "status", *store).stdout


def test_what_cannot_be_taken_in_there_is_refused(odd: bytes, tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "memory.db")]
    bower(odd, "curate", "Redis must be up before the auth tests", *store)
    for arguments in (["index", "."], ["index", "a.md"], ["get", "a.md"]):
        ran = bower(odd, *arguments, *store)
        assert ran.returncode in {1, 2}, arguments
        assert "remedy" in ran.stdout
        assert "internal error" not in ran.stdout, arguments


def test_no_store_is_made_there(odd: bytes) -> None:
    ran = bower(odd, "curate", "Redis must be up", "--store", "own.db")
    assert ran.returncode != 0
    assert "not UTF-8" in ran.stdout
    assert sorted(os.listdir(odd)) == [b".git", b"a.md"]


def removed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a working directory that is removed before it starts."""
    folder.mkdir()
    program = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.executable, sys.argv[1:])"
    command = [sys.executable, "-m", "bowerbird", "--format", "json", *arguments]
    return subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_in_a_folder_that_was_removed_a_named_project_answers(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "memory.db"), "--project", "shop"]
    bower(os.fsencode(tmp_path), "curate", "Redis must be up before the auth tests", *store)
    ran = removed(tmp_path / "gone", "query", "redis", *store)
    assert "auth tests" in ran.stdout, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["query", "redis"],
        ["curate", "Redis is up"],
        ["index", "."],
        ["status", "--store", "own.db"],
    ],
)
def test_in_a_folder_that_was_removed_the_rest_says_so(
    arguments: list[str], tmp_path: Path
) -> None:
    store = str(tmp_path / "memory.db")
    bower(
        os.fsencode(tmp_path), "curate", "Redis must be up before the auth tests", "--store", store
    )
    asked = arguments if "--store" in arguments else [*arguments, "--store", store]
    ran = removed(tmp_path / "gone", *asked)
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert "remedy" in ran.stdout
    assert "internal error" not in ran.stdout
