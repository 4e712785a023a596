"""Which project a folder belongs to."""

import os
from pathlib import Path

import pytest

from bowerbird.host.places import append_to, folder, project_of
from bowerbird.host.repository import normal_remote


@pytest.mark.parametrize(
    "url",
    [
        "git@example.com:Team/Shop.git",
        "https://example.com/team/shop",
        "https://user:token@example.com/team/shop.git",
        "ssh://git@example.com/team/shop.git/",
    ],
)
def test_one_remote_however_it_is_reached(url: str) -> None:
    assert normal_remote(url) == "example.com/team/shop"


def test_a_repository_is_known_by_its_remote_from_any_folder_inside(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\n\turl = git@h:a/b.git\n')
    (tmp_path / "deep" / "down").mkdir(parents=True)
    assert project_of(str(tmp_path / "deep" / "down")).uid == "remote:h/a/b"


@pytest.mark.parametrize("url", ["upstream.git", "../upstream", "backups/upstream:2"])
def test_a_remote_in_a_folder_of_this_machine_is_that_folder(url: str, tmp_path: Path) -> None:
    uids = set()
    for name in ("one", "two"):
        git = tmp_path / name / "repo" / ".git"
        git.mkdir(parents=True)
        (git / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
        uids.add(project_of(str(git.parent)).uid)
    assert len(uids) == 2
    assert all(uid.startswith(f"remote:{tmp_path.resolve()}") for uid in uids)


def test_a_worktree_belongs_to_its_repository(tmp_path: Path) -> None:
    main = tmp_path / "main" / ".git"
    (main / "worktrees" / "w").mkdir(parents=True)
    (main / "config").write_text('[remote "origin"]\n\turl = https://h/a/b\n')
    (main / "worktrees" / "w" / "commondir").write_text("../..\n")
    (main / "worktrees" / "w" / "gitdir").write_text(f"{tmp_path}/w/.git\n")
    tree = tmp_path / "w"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/worktrees/w\n")
    assert project_of(str(tree)).uid == "remote:h/a/b"


def test_without_a_remote_the_place_counts_and_elsewhere_nothing(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    assert project_of(str(tmp_path / "repo")).uid == f"path:{(tmp_path / 'repo').resolve()}"
    assert project_of(str(tmp_path / "plain")).uid == ""


def test_folders_follow_the_base_directories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert folder("data", {"XDG_DATA_HOME": "/d"}) == "/d/bowerbird"
    assert folder("config", {"XDG_CONFIG_HOME": "relative"}).endswith("/.config/bowerbird")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/team/shop?private_token=abc",
        "https://u:p/w@example.com/team/shop.git",
        "https://u:p@example.com/team/shop",
    ],
)
def test_no_token_of_a_remote_becomes_part_of_a_name(url: str) -> None:
    assert normal_remote(url) == "example.com/team/shop"


def test_a_port_and_a_sign_in_a_path_are_no_user() -> None:
    assert normal_remote("https://h:8443/a@b/c.git") == "h:8443/a@b/c"


def test_nothing_is_appended_to_a_file_of_two_names(tmp_path: Path) -> None:
    """It may be somebody's own, put beside the store by a hard link."""
    (tmp_path / "own").write_text("mine\n")
    os.link(tmp_path / "own", tmp_path / "journal")
    with pytest.raises(OSError, match="has another name"):
        append_to(str(tmp_path / "journal"))
    assert (tmp_path / "own").read_text() == "mine\n"
    os.close(append_to(str(tmp_path / "new")))
