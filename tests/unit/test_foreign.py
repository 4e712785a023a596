"""What others may have put on the disk: pipes, devices, endless and huge files, in the place of any."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import BadConfig
from bowerbird.host.foreign import head, whole
from bowerbird.host.git_objects import holds_commit
from bowerbird.host.places import project_of
from bowerbird.host.repository import Repository
from bowerbird.wiring.settings import settled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.forked import Forks

COMMIT = "0123456789abcdef0123456789abcdef01234567"
# A reader that takes more of anything than this has no bound.
MOST_MEMORY = 1_000_000_000


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3_000_000_000)


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def folder(path: Path) -> None:
    path.mkdir()


HOSTILE = (pipe, endless, sparse, loop, folder)
PLACES = (
    ".git",
    ".git/config",
    ".git/HEAD",
    ".git/packed-refs",
    ".git/commondir",
    ".git/logs/HEAD",
    ".git/refs/heads/main",
    ".git/objects/info/alternates",
    ".git/objects/pack/a.idx",
)


def checkout(tree: Path, without: str) -> None:
    """A repository in which one file is missing."""
    texts = {
        ".git/config": '[remote "origin"]\n\turl = https://h/a/b\n',
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/refs/heads/main": COMMIT + "\n",
    }
    for name in PLACES[1:]:
        if without != ".git":
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            if name in texts and name != without:
                (tree / name).write_text(texts[name])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_whatever_stands_in_a_repository_it_is_read_at_once(
    tmp_path: Path, place: str, hostile: Callable[[Path], None], forks: Forks
) -> None:
    """Asked of the real command, from a folder below, with a deadline and a bound on its memory."""
    inside = tmp_path / "deep" / "down"
    inside.mkdir(parents=True)
    checkout(tmp_path, place)
    hostile(tmp_path / place)
    (inside / "a.md").write_text("otters build dams\n")
    done = forks.run(["index", "--format", "json"], folder=inside, most=(60, MOST_MEMORY))
    assert done.returncode == 0, done.stderr
    assert b'"added":1' in done.stdout.replace(b" ", b"")
    found = Repository(str(tmp_path))
    assert not holds_commit(str(tmp_path), COMMIT, {})
    assert found.head() in ("", COMMIT)


def test_what_could_not_be_read_of_a_repository_is_reported(tmp_path: Path) -> None:
    checkout(tmp_path, ".git/config")
    os.mkfifo(tmp_path / ".git" / "config")
    found = Repository(str(tmp_path))
    assert found.remote() == ""
    assert found.unread == {str(tmp_path / ".git" / "config"): "a pipe, socket or device"}


def test_a_configuration_that_goes_on_and_on_is_read_from_its_beginning(tmp_path: Path) -> None:
    checkout(tmp_path, "")
    with (tmp_path / ".git" / "config").open("a") as file:
        file.write("\n# on and on" * 200_000)
    found = Repository(str(tmp_path))
    assert found.remote() == "h/a/b"
    assert list(found.unread.values()) == ["only its first 1,000,000 bytes are read"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".git", "gitdir: a\0b\n"),
        (".git", "gitdir: " + "../" * 5_000 + "x\n"),
        (".git/commondir", "\0\n"),
        (".git/HEAD", "ref: a\0b\n"),
        (".git/config", '[remote "origin"]\nurl = /a\0b\n'),
        (".git/config", '[remote "origin"]\nurl = ' + "/x" * 100_000 + "\n"),
        (".git/logs/HEAD", f"{COMMIT} {COMMIT} a <a> 0\tclone: from /\0\n"),
        (".git/objects/info/alternates", "a\0b\n" * 1_000),
    ],
)
def test_no_path_in_a_repository_is_too_odd(tmp_path: Path, name: str, text: str) -> None:
    checkout(tmp_path, name)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text)
    assert project_of(str(tmp_path)).name == tmp_path.name
    assert not holds_commit(str(tmp_path), COMMIT, {})


def test_a_branch_that_was_packed_away_is_found(tmp_path: Path) -> None:
    checkout(tmp_path, ".git/refs/heads/main")
    other = "f" * 40
    packed = (
        f"# pack-refs with: peeled\n{other} refs/heads/ma\n{COMMIT} refs/heads/main\n^{other}\n"
    )
    (tmp_path / ".git" / "packed-refs").write_text(packed)
    assert Repository(str(tmp_path)).head() == COMMIT


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 20_000,
        "a = " + "{a = " * 10_000,
        ".".join("a" * 30_000) + " = 1",
        "[" + ".".join("a" * 30_000) + "]",
        "# " + "x" * 3_000_000,
        "project = '\udcff'",
    ],
    ids=["lists", "tables", "names", "headings", "long", "bytes"],
)
def test_a_projects_file_cannot_be_too_deep_or_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / ".bowerbird.toml").write_text(text, errors="surrogateescape")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadConfig) as refused:
        settled({})
    assert str(tmp_path / ".bowerbird.toml") in refused.value.message
    assert refused.value.remedy


def test_a_users_file_that_is_a_pipe_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "bowerbird").mkdir()
    os.mkfifo(tmp_path / "bowerbird" / "config.toml")
    with pytest.raises(BadConfig, match="pipe"):
        settled({})


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = str(tmp_path / "a")
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    (tmp_path / "b").symlink_to("a")
    assert len(head(path, 2_500_000)) == 2_500_000
    assert len(whole(path, 3_000_000)) == 3_000_000
    with pytest.raises(OSError, match="2,999,999"):
        whole(path, 2_999_999)
    assert head(str(tmp_path / "b"), 2) == b"xx"
    with pytest.raises(OSError, match="pipe"):
        head(str(tmp_path / "b"), 2, links=False)
