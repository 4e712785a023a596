"""What files held at a commit: loose objects, packs, differences, and what is not there."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pytest

from bowerbird.code.git_objects import History

if TYPE_CHECKING:
    from pathlib import Path

VERSIONS = 30


def git(where: Path, *words: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "gc.auto=0")
    done = subprocess.run(["git", *identity, *words], cwd=where, check=True, capture_output=True)
    return done.stdout.decode().strip()


def text_of(version: int) -> str:
    """Long texts that differ in a few lines, as what git packs by differences."""
    chance = random.Random(7)
    lines = [f"{chance.random():.17f}" for _ in range(800)]
    for past in range(version + 1):
        lines[past * 11] = f"version {past}"
    return "\n".join(lines)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    where = tmp_path_factory.mktemp("repository")
    git(where, "init", "-q")
    (where / "src").mkdir()
    commits = []
    for version in range(VERSIONS):
        (where / "src/long ü.txt").write_text(text_of(version), "utf-8")
        git(where, "add", ".")
        git(where, "commit", "-q", "-m", str(version))
        commits.append(git(where, "rev-parse", "HEAD"))
        if version == VERSIONS - 5:
            git(where, "repack", "-a", "-d", "-q", "--depth=50")
    return where, commits


def test_a_file_is_read_as_it_stood(repository: tuple[Path, list[str]]) -> None:
    where, commits = repository
    packed = git(where, "verify-pack", "-v", *map(str, where.glob(".git/objects/pack/*.idx")))
    assert "chain length = 3" in packed, "differences of differences are tried"
    history = History(str(where))
    for version, commit in enumerate(commits):
        for name in (commit, commit[:10], commit.upper()[:12]):
            found = history.at(name, str(where / "src/long ü.txt"))
            assert found == text_of(version).encode(), (version, name)


def test_a_folder_of_the_tree_finds_its_repository(repository: tuple[Path, list[str]]) -> None:
    where, commits = repository
    assert History(str(where / "src")).at(commits[0], str(where / "src/long ü.txt")) is not None


def test_a_worktree_shares_the_objects(repository: tuple[Path, list[str]], tmp_path: Path) -> None:
    where, commits = repository
    git(where, "worktree", "add", "-q", str(tmp_path / "other"))
    other = tmp_path / "other"
    assert History(str(other)).at(commits[1], str(other / "src/long ü.txt")) is not None


def test_what_is_not_there_is_not_known(repository: tuple[Path, list[str]], tmp_path: Path) -> None:
    where, commits = repository
    history, path = History(str(where)), str(where / "src/long ü.txt")
    for commit in ("", "ab", "deadbeef" * 5, "not a commit", "0" * 40, "f" * 64, "f" * 65):
        assert history.at(commit, path) is None
    tree = git(where, "rev-parse", f"{commits[0]}^{{tree}}")
    assert history.at(tree, path) is None, "a tree is no commit"
    for name in ("other", "src/other", "src", "src/long ü.txt/below", "../outside"):
        assert history.at(commits[0], str(where / name)) is None
    assert History(str(tmp_path)).at(commits[0], path) is None, "no repository"


def test_damage_is_not_read(repository: tuple[Path, list[str]], tmp_path: Path) -> None:
    where, commits = repository
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "-q", "--no-local", str(where), str(copy))
    path = str(copy / "src/long ü.txt")
    files = [*copy.glob(".git/objects/pack/*.idx"), *copy.glob(".git/objects/pack/*.pack")]
    assert History(str(copy)).at(commits[3], path) == text_of(3).encode()
    chance = random.Random(3)
    for _ in range(60):
        broken = chance.choice(files)
        whole = broken.read_bytes()
        broken.chmod(0o644)
        place, length = chance.randrange(len(whole)), chance.randrange(1, 40)
        broken.write_bytes(whole[:place] + chance.randbytes(length) + whole[place + length :])
        History(str(copy)).at(commits[chance.randrange(VERSIONS)], path)  # raises nothing
        broken.write_bytes(whole[:place])
        History(str(copy)).at(commits[0], path)
        broken.write_bytes(whole)
