"""What files held at a commit: loose objects, packs, differences, and what is not there."""

from __future__ import annotations

import os
import random
import subprocess
import zlib
from typing import TYPE_CHECKING

import pytest

from bowerbird.code.git_objects import History
from bowerbird.host.git_objects import holds_commit

if TYPE_CHECKING:
    from pathlib import Path

VERSIONS = 30
NOW = 1_767_225_600_000


def git(where: Path, *words: str, dated: str | None = None) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "gc.auto=0")
    env = os.environ | ({"GIT_COMMITTER_DATE": dated} if dated else {})
    done = subprocess.run(
        ["git", *identity, *words], cwd=where, check=True, capture_output=True, env=env
    )
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


def test_of_an_object_s_copies_the_one_that_its_name_says_is_read(
    repository: tuple[Path, list[str]], tmp_path: Path
) -> None:
    where, commits = repository
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "-q", "--no-local", str(where), str(copy))
    path = str(copy / "src/long ü.txt")
    blob = git(copy, "rev-parse", f"{commits[3]}:src/long ü.txt")
    objects = copy / ".git/objects"
    forged = {
        commits[3]: b"commit 4\0evil",
        blob: b"blob 4\0evil",
    }
    for name, data in forged.items():
        (objects / name[:2]).mkdir(exist_ok=True)
        (objects / name[:2] / name[2:]).write_bytes(zlib.compress(data))
    for name in ("0-text.idx", "1-cut.idx", "1-cut.pack"):
        (objects / "pack" / name).write_bytes(b"\377tOc\0\0\0\2" if "cut" in name else b"no index")
    (objects / "pack" / "2-loop.idx").symlink_to("2-loop.idx")
    assert History(str(copy)).at(commits[3], path) == text_of(3).encode()
    assert History(str(copy)).at(commits[3][:9], path) == text_of(3).encode()
    assert holds_commit(str(copy), commits[3], {})
    # A pack that is not the commit's, named as the one that holds it.
    [index] = (one for one in objects.glob("pack/pack-*.idx"))
    for end in (".idx", ".pack"):
        os.link(index.with_suffix(end), objects / "pack" / f"0{end}")
    index.with_suffix(".pack").unlink()
    index.with_suffix(".pack").write_bytes(b"PACK" + bytes(2_000))
    assert holds_commit(str(copy), commits[3], {}), "whichever is looked into first"


def test_a_commit_that_is_only_in_what_cannot_be_read_is_not_there_and_why_is_told(
    repository: tuple[Path, list[str]], tmp_path: Path
) -> None:
    where, commits = repository
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "-q", "--no-local", str(where), str(copy))
    [pack] = copy.glob(".git/objects/pack/*.pack")
    pack.unlink()
    os.mkfifo(pack)
    unread: dict[str, str] = {}
    assert not holds_commit(str(copy), commits[3], unread)
    assert unread == {str(pack): "a pipe, socket or device"}
    name = commits[4]
    (copy / ".git/objects" / name[:2]).mkdir(exist_ok=True)
    loose = copy / ".git/objects" / name[:2] / name[2:]
    loose.write_bytes(zlib.compress(b"commit 4\0evil"))
    unread = {}
    assert not holds_commit(str(copy), name, unread)
    assert unread[str(loose)] == "its content is another than its name says"


def test_the_days_on_which_a_file_changed_are_counted(tmp_path: Path) -> None:
    """As `git log` lists them: by day, of the last year, whatever folder is asked from."""
    git(tmp_path, "init", "-q")
    (tmp_path / "src").mkdir()
    calm, restless = tmp_path / "src/calm.py", tmp_path / "src/restless.py"
    calm.write_text("1")
    for day in (-500, -400, -30, -20, -20, -10, 0):
        at = f"{NOW // 1000 + day * 86_400} +0000"
        restless.write_text(restless.read_text() + "x" if restless.exists() else "")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", "x", dated=at)
    git(tmp_path, "repack", "-a", "-d", "-q")
    gone = tmp_path / "src/gone.py"
    found = History(str(tmp_path / "src")).days_changed(
        [str(calm), str(restless), str(gone), "/elsewhere"], NOW - 365 * 86_400_000
    )
    assert found == {str(calm): 0, str(restless): 4, str(gone): 0, "/elsewhere": 0}
    nowhere = History(str(tmp_path.parent)).days_changed([str(calm)], 0)
    assert nowhere == {str(calm): 0}, "no repository"


def test_a_commit_is_found_by_its_subject_and_tells_which_files_it_changed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "src/deep").mkdir(parents=True)
    files = ("a.txt", "src/b ü.py", "src/deep/c.py", "src/deep/d.py")
    for name in files:
        (tmp_path / name).write_text(name)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "First", dated=f"{NOW // 1000} +0000")
    (tmp_path / "a.txt").unlink()
    (tmp_path / "src/deep/c.py").write_text("else")
    (tmp_path / "src/e.py").write_text("new")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Change three", "-m", "Why.", dated=f"{NOW // 1000 + 9} +0000")
    git(tmp_path, "commit", "-qm", "Nothing", "--allow-empty", dated=f"{NOW // 1000 + 9} +0000")
    history = History(str(tmp_path / "src"))
    commit = history.called("Change three", NOW)
    assert commit == git(tmp_path, "rev-parse", "HEAD~")
    assert history.changed(commit[:7], 3) == ["a.txt", "src/deep/c.py", "src/e.py"]
    assert history.changed(commit, 2) is None, "more than that"
    assert history.changed(history.called("First", 0), 9) == sorted(files)
    assert history.changed(history.called("Nothing", 0), 9) == []
    assert history.called("First", NOW + 2_000) == history.called("Change", 0) == ""
    assert history.changed("deadbeef", 9) is None
