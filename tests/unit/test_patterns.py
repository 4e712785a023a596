"""What ignore files hide: what git hides by them, in bounded time."""

from __future__ import annotations

import os
import random
import subprocess
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.ingest.patterns import Patterns, TooMuchError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINES = (
    "*.log",
    "/a",
    "a/",
    "a/b",
    "**/b",
    "a/**",
    "a/**/c",
    "**/b/",
    "*",
    "!a",
    "!*.log",
    "a**b",
    "[ab]",
    "[!a]",
    "[^ab]c",
    "[a-c].log",
    "[]a]",
    "[[:alpha:]]",
    "\\*",
    "\\!a",
    "\\#a",
    "#a",
    "a ",
    "a\\ ",
    "?",
    "??",
    "a?c",
    "[",
    "[a",
    "\\",
    "a\\",
    "/",
    "!",
    "",
    "  ",
    "a//b",
    "/**",
    "***",
    "[--0]",
    "[[:no:]]",
    "*/b",
    "b/*",
    "!/a/b",
    "[a\\]b]",
    "\\a",
    "**",
    "/*/",
    "a*b*c",
)
NAMES = ("a", "b", "c", "abc", "a.log", "b.log", "!a", "#a", "*", "a ", "]", "-", "a\\", "acb")


def by_git(tree: Path, lines: list[str], paths: list[str]) -> set[str]:
    """The paths that git says are hidden, folders above them counted, asked with what stands there."""
    (tree / ".gitignore").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        ["git", "check-ignore", "-z", "--stdin", "--no-index"],
        cwd=tree,
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    return {name.decode() for name in done.stdout.split(b"\0") if name}


def by_us(lines: list[str], path: str, folders: set[str]) -> bool:
    """The same, from the top down as a walk goes."""
    patterns = Patterns(lines)
    parts = path.split("/")
    for end in range(1, len(parts) + 1):
        so_far = "/".join(parts[:end])
        if patterns.verdict(so_far + "/" if so_far in folders else so_far):
            return True
    return False


def test_what_git_hides_is_hidden_and_nothing_else(tmp_path: Path) -> None:
    """Random files of patterns over a small tree, against the program itself."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    chance = random.Random(7)
    folders = {"a", "b", "a/b", "a/b/c", "abc"}
    for folder in sorted(folders):
        (tmp_path / folder).mkdir()
    paths = set(folders)
    for folder in ("", *sorted(folders)):
        for name in NAMES:
            path = f"{folder}/{name}".lstrip("/")
            if not (tmp_path / path).exists():
                (tmp_path / path).write_text("")
                paths.add(path)
    for _ in range(int(os.environ.get("IGNORE_FILES", "150"))):
        lines = chance.choices(LINES, k=chance.randint(1, 5))
        theirs = by_git(tmp_path, lines, sorted(paths))
        ours = {path for path in paths if by_us(lines, path, folders)}
        assert ours == theirs, lines


@pytest.mark.parametrize(
    "lines",
    [
        ["a*" * count + "b" for count in range(1, 200)],
        ["x" * 1_001],
        [f"dir{number}" for number in range(10_001)],
        [f"{'!' * (number % 2)}x{number}" for number in range(1_002)],
        ["*" * 900] * 100,
    ],
    ids=["stars", "long", "many", "turns", "star"],
)
def test_more_than_anybody_writes_is_refused(lines: list[str]) -> None:
    with pytest.raises(TooMuchError):
        Patterns(lines)


def test_thousands_of_patterns_are_followed() -> None:
    many = [f"dir{number}/*.log" for number in range(4_000)]
    patterns = Patterns([*many, *(f"file{number}.txt" for number in range(5_000))])
    assert patterns.verdict("dir3999/a.log")
    assert patterns.verdict("deep/file4999.txt")
    assert patterns.verdict("deep/file5000.txt") is None


def test_a_path_costs_as_much_as_it_is_long(cost: Callable[..., float]) -> None:
    patterns = Patterns(["a*" * 40 + f"b{number}" for number in range(100)])

    def look(length: int) -> None:
        assert patterns.verdict("a" * length) is None

    most = 16 * cost(look, 500)
    assert cost(look, 2_000, enough=most) < most


@pytest.mark.parametrize("text", ["a*" * 6_000, "# on and on\n" * 4_000_000], ids=["stars", "huge"])
def test_a_folder_whose_ignore_file_cannot_be_followed_is_left_as_it_was(
    tmp_path: Path, store_path: str, text: str
) -> None:
    """It may hide what nobody should see, so nothing in it is taken, and what was known stays."""
    notes = tmp_path / "notes"
    (notes / "sub").mkdir(parents=True)
    (notes / "a.md").write_text("otters build dams\n")
    (notes / "sub" / "b.md").write_text("beavers do\n")
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.index(str(notes)).added == 2
        (notes / "sub" / ".gitignore").write_text(text)
        report = bird.index(str(notes))
        assert (report.unchanged, report.removed) == (1, 0)
        assert [one.path for one in report.skipped] == [str(notes / "sub")]
        assert ".gitignore cannot be followed" in report.skipped[0].reason
