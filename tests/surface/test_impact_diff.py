"""What a change touches: the definitions since a commit, what depends on them, and the tests to run."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

CODE = (
    "LIMIT = 1\n\n\ndef a():\n    return LIMIT\n\n\nclass C:\n    def m(self):\n        return 2\n"
)
TESTS = (
    "from m import C, a\n\n\ndef test_a():\n    assert a()\n\n\n"
    "class TestC:\n    def test_m(self):\n        assert C().m()\n\n\ndef test_other():\n    assert 1\n"
)


def git(folder: Path, *arguments: str) -> str:
    own = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / "tests").mkdir(parents=True)
    (folder / "m.py").write_text(CODE)
    (folder / "tests" / "test_m.py").write_text(TESTS)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    monkeypatch.chdir(folder)
    return folder


def told(bower: Bower, *arguments: str) -> tuple[set[str], list[str]]:
    """The names of what changed, and the tests to run, below the project."""
    data = bower("impact", *arguments).data
    return {one["name"] for one in data["found"]}, [one.rpartition("/")[2] for one in data["run"]]


@pytest.mark.parametrize(
    ("old", "new", "found", "run"),
    [
        ("return LIMIT", "return LIMIT + 1", {"a"}, ["test_m.py::test_a"]),
        ("return 2", "return 3", {"C.m"}, ["test_m.py::TestC::test_m"]),
        ("LIMIT = 1", "LIMIT = 9", {"LIMIT"}, ["test_m.py::test_a"]),
        ("return 2", "return 2  # two", set(), []),
        ("return 2", "return (2)\n\n    def n(self):\n        return 4", {"C.m", "C.n"}, None),
    ],
)
def test_changes_lead_to_their_tests(
    bower: Bower, project: Path, old: str, new: str, found: set[str], run: list[str] | None
) -> None:
    (project / "m.py").write_text(CODE.replace(old, new))
    bower("index", ".")
    names, tests = told(bower, "--diff", "HEAD")
    assert names == found
    assert run is None or tests == run
    git(project, "commit", "-qam", "two")
    assert told(bower, "--diff", "HEAD") == (set(), [])
    assert told(bower, "--diff", f"{git(project, 'rev-parse', 'HEAD~1')}..main")[0] == found


def test_the_tests_to_run_are_a_line_for_the_runner(bower: Bower, project: Path) -> None:
    (project / "m.py").write_text(CODE.replace("return 2", "return 3"))
    bower("index", ".")
    out = bower("impact", "--diff", "main", "--format", "text").out
    assert "tests to run: tests/test_m.py::TestC::test_m" in out


@pytest.mark.parametrize(
    "arguments",
    [(), ("m.py", "--diff", "HEAD"), ("--diff", "nowhere"), ("--diff", "HEAD..nowhere")],
)
def test_what_names_no_change_is_refused(
    bower: Bower, project: Path, arguments: tuple[str, ...]
) -> None:
    bower("index", ".")
    refused = bower("impact", *arguments)
    assert refused.code != 0
    assert refused.data["remedy"]
    assert project.exists()


def test_a_file_of_fixtures_is_no_test_to_run(bower: Bower, project: Path) -> None:
    fixtures = "import pytest\nfrom m import a\n\n\n@pytest.fixture\ndef made():\n    return a()\n"
    (project / "tests" / "conftest.py").write_text(fixtures)
    taken = "def test_made(made):\n    assert made\n"
    (project / "tests" / "test_made.py").write_text(taken)
    bower("index", ".")
    tests = [one.rpartition("/")[2] for one in bower("impact", "m.py:a").data["run"]]
    assert tests == ["test_m.py::test_a", "test_made.py::test_made"]
