"""A project stays the same, and stays itself, whatever becomes of its remote and its place."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

OURS = "https://example.com/team/shop.git"
RENAMED = "git@example.com:team/store.git"
FORK = "https://example.com/anna/shop.git"


def git(place: Path, *arguments: str) -> None:
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gc.auto=0"]
    subprocess.run(["git", *settings, *arguments], cwd=place, check=True, capture_output=True)


def repository(place: Path, *, commit: str = "first") -> Path:
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    if commit:
        (place / "README").write_text(commit)
        git(place, "add", "README")
        git(place, "commit", "-qm", commit)
    return place


def clone(of: Path, place: Path, remote: str = "") -> Path:
    git(of.parent, "clone", "-q", str(of), str(place))
    if remote:
        git(place, "remote", "set-url", "origin", remote)
        # As if it had been cloned from there.
        log = place / ".git" / "logs" / "HEAD"
        log.write_text(log.read_text().replace(str(of), remote))
    return place


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def remember(store: str, place: Path, text: str) -> None:
    os.chdir(place)
    with Bowerbird.open(store) as bird:
        bird.remember(text)


def kept(store: str, place: Path) -> set[str]:
    os.chdir(place)
    with Bowerbird.open(store) as bird:
        return {entry.text for entry in bird.list(memories_only=True)}


@pytest.mark.parametrize("commit", ["first", ""])
def test_a_remote_may_be_added_changed_renamed_and_removed(
    tmp_path: Path, store: str, commit: str
) -> None:
    shop = repository(tmp_path / "shop", commit=commit)
    texts = ["Kept before there was a remote", "Kept with a remote", "Kept at the other host"]
    remember(store, shop, texts[0])
    git(shop, "remote", "add", "origin", OURS)
    assert kept(store, shop) == set(texts[:1])
    remember(store, shop, texts[1])
    git(shop, "remote", "set-url", "origin", RENAMED)
    assert kept(store, shop) == set(texts[:2])
    remember(store, shop, texts[2])
    for change in (
        ("rename", "origin", "upstream"),
        ("add", "origin", FORK),
        ("remove", "origin"),
        ("remove", "upstream"),
    ):
        git(shop, "remote", *change)
        assert kept(store, shop) == set(texts), change
    os.chdir(shop)
    with Bowerbird.open(store) as bird:
        assert [project["name"] for project in bird.status().projects] == ["global", "shop"]
    with Bowerbird.open(store, project="remote:example.com/team/store") as bird:
        assert {entry.text for entry in bird.list(memories_only=True)} == set(texts)


def test_what_is_indexed_stays_too_and_is_not_taken_in_twice(tmp_path: Path, store: str) -> None:
    shop = repository(tmp_path / "shop")
    (shop / "notes.md").write_text("Redis must be up before the auth tests.")
    os.chdir(shop)
    with Bowerbird.open(store) as bird:
        assert bird.index(".").added > 0
    git(shop, "remote", "add", "origin", OURS)
    with Bowerbird.open(store) as bird:
        assert bird.index(".").added == 0
        paths = [hit.path for hit in bird.query("redis auth tests")]
        assert paths.count(str(shop / "notes.md")) == 1


def test_two_clones_are_one_project_even_when_only_one_was_renamed(
    tmp_path: Path, store: str
) -> None:
    origin = repository(tmp_path / "origin")
    one = clone(origin, tmp_path / "one", OURS)
    two = clone(origin, tmp_path / "two", OURS)
    remember(store, one, "Said in the first clone")
    assert kept(store, two) == {"Said in the first clone"}
    git(two, "remote", "set-url", "origin", RENAMED)
    assert kept(store, two) == {"Said in the first clone"}
    git(one, "remote", "set-url", "origin", RENAMED)
    remember(store, one, "Said after the renaming")
    assert kept(store, two) == {"Said in the first clone", "Said after the renaming"}


def test_a_second_clone_that_only_indexed_is_remembered(tmp_path: Path, store: str) -> None:
    origin = repository(tmp_path / "origin")
    one = clone(origin, tmp_path / "one", OURS)
    two = clone(origin, tmp_path / "two", OURS)
    remember(store, one, "Said in the first clone")
    os.chdir(two)
    with Bowerbird.open(store) as bird:
        bird.index("README")
    git(two, "remote", "remove", "origin")
    assert kept(store, two) == {"Said in the first clone"}


def test_a_fork_is_another_project(tmp_path: Path, store: str) -> None:
    origin = repository(tmp_path / "origin")
    ours = clone(origin, tmp_path / "ours", OURS)
    fork = clone(origin, tmp_path / "fork", FORK)
    remember(store, ours, "Only for the team")
    remember(store, fork, "Only for the fork")
    assert kept(store, ours) == {"Only for the team"}
    assert kept(store, fork) == {"Only for the fork"}


def test_copies_of_a_template_read_it_and_not_each_other(tmp_path: Path, store: str) -> None:
    template = clone(repository(tmp_path / "made"), tmp_path / "template", OURS)
    clients = [clone(template, tmp_path / name, OURS) for name in ("anna", "berta")]
    remember(store, template, "How the template is built")
    for client in clients:
        git(client, "remote", "set-url", "origin", f"https://example.com/{client.name}/site")
        remember(store, client, f"A secret of {client.name}")
    for client in clients:
        assert kept(store, client) == {"How the template is built", f"A secret of {client.name}"}
    assert kept(store, template) == {"How the template is built"}


@pytest.mark.parametrize("packed", [False, True])
def test_another_repository_in_the_same_place_starts_empty(
    tmp_path: Path, store: str, packed: bool
) -> None:
    work = repository(tmp_path / "work", commit="one client")
    git(work, "remote", "add", "origin", OURS)
    remember(store, work, "Of the first client")
    shutil.rmtree(work)
    repository(work, commit="another client")
    git(work, "remote", "add", "origin", FORK)
    if packed:
        git(work, "gc", "-q")
    assert kept(store, work) == set()
    remember(store, work, "Of the second client")
    assert kept(store, work) == {"Of the second client"}


@pytest.mark.parametrize("packed", [False, True])
def test_a_repository_without_a_remote_may_be_moved(
    tmp_path: Path, store: str, packed: bool
) -> None:
    old = repository(tmp_path / "old")
    remember(store, old, "Kept where it was")
    copy = tmp_path / "copy"
    shutil.copytree(old, copy)
    assert kept(store, copy) == set()
    if packed:
        git(old, "gc", "-q")
    moved = old.rename(tmp_path / "moved")
    assert kept(store, moved) == {"Kept where it was"}
    remember(store, moved, "Kept where it is")
    assert kept(store, moved) == {"Kept where it was", "Kept where it is"}


def test_a_worktree_belongs_to_its_repository_without_a_remote_too(
    tmp_path: Path, store: str
) -> None:
    shop = repository(tmp_path / "shop")
    remember(store, shop, "Said in the main tree")
    git(shop, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    assert kept(store, tmp_path / "side") == {"Said in the main tree"}


def test_remotes_that_are_named_by_relative_folders_are_not_mixed_up(
    tmp_path: Path, store: str
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        place = repository(tmp_path / name / "work", commit=name)
        git(place, "remote", "add", "origin", "../origin.git")
    remember(store, tmp_path / "a" / "work", "Only here")
    assert kept(store, tmp_path / "b" / "work") == set()


def archive(of: Path, place: Path) -> Path:
    """A folder that names the remote of another, as an unpacked archive can; it has other commits."""
    repository(place, commit="not the same")
    git(place, "remote", "add", "origin", OURS)
    (place / ".git" / "logs" / "HEAD").write_text(f"{'0' * 40} {'1' * 40} A\tclone: from {OURS}\n")
    return place


def test_a_folder_that_only_names_a_remote_is_a_project_of_its_own(
    tmp_path: Path, store: str
) -> None:
    ours = clone(repository(tmp_path / "origin"), tmp_path / "ours", OURS)
    remember(store, ours, "The key lies under the mat")
    stranger = archive(ours, tmp_path / "unpacked")
    assert kept(store, stranger) == set()
    remember(store, stranger, "The door is always open")
    assert kept(store, ours) == {"The key lies under the mat"}
    assert kept(store, stranger) == {"The door is always open"}
    with Bowerbird.open(store) as bird:
        (note,) = bird.query("where is the key?").trace.remarks
    assert "bower trust" in note.text


def test_it_joins_once_its_owner_says_that_it_is_theirs(
    tmp_path: Path, store: str, terminal: Callable[..., Any]
) -> None:
    ours = clone(repository(tmp_path / "origin"), tmp_path / "ours", OURS)
    remember(store, ours, "The key lies under the mat")
    stranger = archive(ours, tmp_path / "unpacked")
    assert kept(store, stranger) == set()
    assert terminal("trust", str(stranger)).code == 0
    assert kept(store, stranger) == {"The key lies under the mat"}
