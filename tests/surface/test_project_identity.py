"""A project stays the same, and stays itself, whatever becomes of its remote and its place."""

from __future__ import annotations

import os
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.verbs import syncing

if TYPE_CHECKING:
    from collections.abc import Callable

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


def test_another_devices_clone_knows_a_repository_that_got_its_remote_later(
    tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "COST", 2)
    shop, other = repository(tmp_path / "shop"), str(tmp_path / "other.db")
    remember(store, shop, "Kept before there was a remote")
    git(shop, "remote", "add", "origin", OURS)
    cloned = clone(shop, tmp_path / "cloned", OURS)
    remember(other, cloned, "Kept in the clone")
    for place, file in ((shop, store), (cloned, other), (shop, store)):
        os.chdir(place)
        with Bowerbird.open(file) as bird:
            bird.admin.sync(str(tmp_path / "shared"), passphrase="heron valve", personal=True)
    both = {"Kept before there was a remote", "Kept in the clone"}
    assert kept(other, cloned) == both
    assert kept(store, shop) == both


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


def test_why_a_clone_whose_pack_cannot_be_read_is_not_taken_for_one_is_told(
    tmp_path: Path, store: str
) -> None:
    ours = clone(repository(tmp_path / "origin"), tmp_path / "ours", OURS)
    remember(store, ours, "The key lies under the mat")
    second = clone(tmp_path / "origin", tmp_path / "second", OURS)
    assert kept(store, second) == {"The key lies under the mat"}
    for one in [*(second / ".git/objects").glob("[0-9a-f][0-9a-f]/*")]:
        one.unlink()
        os.mkfifo(one)
    third = tmp_path / "third"
    shutil.copytree(second, third, ignore=shutil.ignore_patterns("objects"))
    (second / ".git/objects").rename(third / ".git/objects")
    assert kept(store, third) == set()
    with Bowerbird.open(store) as bird:
        clone_note, why = bird.query("where is the key?").trace.remarks
    assert "bower trust" in clone_note.text
    assert f"{third}/.git/objects" in why.text
    assert "a pipe, socket or device" in why.text


def test_it_joins_once_its_owner_says_that_it_is_theirs(
    tmp_path: Path, store: str, terminal: Callable[..., Any]
) -> None:
    ours = clone(repository(tmp_path / "origin"), tmp_path / "ours", OURS)
    remember(store, ours, "The key lies under the mat")
    stranger = archive(ours, tmp_path / "unpacked")
    assert kept(store, stranger) == set()
    assert terminal("trust", str(stranger)).code == 0
    assert kept(store, stranger) == {"The key lies under the mat"}


def private(tmp_path: Path, store: str) -> Path:
    """A clone whose memories nobody else's folder may read."""
    ours = clone(repository(tmp_path / "origin"), tmp_path / "ours", OURS)
    git(ours, "worktree", "add", "-q", "-b", "gone", str(tmp_path / "before"))
    remember(store, ours, "The key lies under the mat")
    return ours


def points_at_the_clone(ours: Path, place: Path) -> None:
    (place / ".git").write_text(f"gitdir: {ours}/.git\n")


def points_at_it_by_a_relative_path(_ours: Path, place: Path) -> None:
    (place / ".git").write_text("gitdir: ../ours/.git\n")


def points_at_another_s_worktree(ours: Path, place: Path) -> None:
    (place / ".git").write_text(f"gitdir: {ours}/.git/worktrees/before\n")


def shares_what_is_the_clone_s(ours: Path, place: Path) -> None:
    repository(place / "made")
    (place / "made" / ".git").rename(place / ".git")
    (place / ".git" / "commondir").write_text(f"{ours}/.git\n")


def brings_a_worktree_s_record(ours: Path, place: Path) -> None:
    record = place / "git" / "worktrees" / "w"
    record.mkdir(parents=True)
    (record / "HEAD").write_text("ref: refs/heads/main\n")
    (record / "commondir").write_text(f"{ours}/.git\n")
    (record / "gitdir").write_text("../../../.git\n")
    (place / ".git").write_text("gitdir: git/worktrees/w\n")


def is_a_link_to_the_clone_s(ours: Path, place: Path) -> None:
    (place / ".git").symlink_to(ours / ".git")


def borrows_the_clone_s_objects(ours: Path, place: Path) -> None:
    repository(place / "made", commit="not the same")
    (place / "made" / ".git").rename(place / ".git")
    git(place, "remote", "add", "origin", OURS)
    info = place / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text(f"{ours}/.git/objects\n")


def links_to_the_clone_s_objects(ours: Path, place: Path) -> None:
    borrows_the_clone_s_objects(ours, place)
    shutil.rmtree(place / ".git" / "objects")
    (place / ".git" / "objects").symlink_to(ours / ".git" / "objects")


def links_to_packs_of_the_clone(ours: Path, place: Path) -> None:
    git(ours, "repack", "-adq")
    borrows_the_clone_s_objects(ours, place)
    (place / ".git" / "objects" / "info" / "alternates").unlink()
    shutil.rmtree(place / ".git" / "objects" / "pack")
    (place / ".git" / "objects" / "pack").symlink_to(ours / ".git" / "objects" / "pack")


def says_that_it_was_cloned_from_there(_ours: Path, place: Path) -> None:
    repository(place / "made", commit="not the same")
    (place / "made" / ".git").rename(place / ".git")
    line = f"{'0' * 40} {'1' * 40} A\tclone: from {OURS}\n"
    (place / ".git" / "logs" / "HEAD").write_text(line)


def _knows_a_commit(ours: Path, place: Path) -> tuple[Path, str]:
    repository(place / "made", commit="not the same")
    (place / "made" / ".git").rename(place / ".git")
    git(place, "remote", "add", "origin", OURS)
    name = subprocess.run(
        ["git", "-C", str(ours), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    return place / ".git" / "objects", name


def names_a_file_as_a_commit(ours: Path, place: Path) -> None:
    objects, name = _knows_a_commit(ours, place)
    (objects / name[:2]).mkdir(exist_ok=True)
    (objects / name[:2] / name[2:]).write_bytes(zlib.compress(b"commit 4\0none"))


def names_a_commit_in_an_index(ours: Path, place: Path) -> None:
    objects, name = _knows_a_commit(ours, place)
    counts = b"".join((at >= int(name[:2], 16)).to_bytes(4) for at in range(256))
    packed = b"PACK" + bytes((0, 0, 0, 2, 0, 0, 0, 1, 0x14)) + zlib.compress(b"none")
    index = b"\377tOc\0\0\0\2" + counts + bytes.fromhex(name) + bytes(4) + (12).to_bytes(4)
    (objects / "pack" / "pack-1.idx").write_bytes(index)
    (objects / "pack" / "pack-1.pack").write_bytes(packed)


UNPACKED = (
    names_a_file_as_a_commit,
    names_a_commit_in_an_index,
    points_at_the_clone,
    points_at_it_by_a_relative_path,
    points_at_another_s_worktree,
    shares_what_is_the_clone_s,
    brings_a_worktree_s_record,
    is_a_link_to_the_clone_s,
    borrows_the_clone_s_objects,
    links_to_the_clone_s_objects,
    links_to_packs_of_the_clone,
    says_that_it_was_cloned_from_there,
)


@pytest.mark.parametrize("unpack", UNPACKED)
def test_an_unpacked_folder_does_not_join_by_pointing_git_at_a_clone(
    tmp_path: Path, store: str, unpack: Callable[[Path, Path], None]
) -> None:
    ours = private(tmp_path, store)
    place = tmp_path / "unpacked"
    place.mkdir()
    unpack(ours, place)
    assert kept(store, place) == set()
    remember(store, place, "The door is always open")
    assert kept(store, ours) == {"The key lies under the mat"}


def test_nor_does_it_join_a_project_without_a_remote(tmp_path: Path, store: str) -> None:
    ours = repository(tmp_path / "ours")
    remember(store, ours, "The key lies under the mat")
    place = tmp_path / "unpacked"
    place.mkdir()
    shares_what_is_the_clone_s(ours, place)
    assert kept(store, place) == set()
    (place / "README.md").write_text("The door of the depot is always open.")
    os.chdir(place)
    with Bowerbird.open(store) as bird:
        bird.index(".")
    os.chdir(ours)
    with Bowerbird.open(store) as bird:
        assert [hit.path for hit in bird.query("is the door of the depot open?")] == []


def test_public_commits_in_the_folder_of_downloads_prove_nothing(
    tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = private(tmp_path, store)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "Downloads").mkdir()
    place = clone(ours, tmp_path / "Downloads" / "shop", OURS)
    assert kept(store, place) == set()


def cloned(ours: Path, place: Path) -> Path:
    return clone(ours, place, OURS)


def cloned_shared(ours: Path, place: Path) -> Path:
    git(ours.parent, "clone", "-q", "--shared", str(ours), str(place))
    return place


def added_as_a_worktree(ours: Path, place: Path) -> Path:
    git(ours, "worktree", "add", "-q", "-b", "side", str(place))
    return place


def added_by_relative_paths(ours: Path, place: Path) -> Path:
    git(ours, "-c", "worktree.useRelativePaths=true", "worktree", "add", "-qb", "s", str(place))
    return place


def added_to_a_bare_clone(ours: Path, place: Path) -> Path:
    bare = place.with_name("bare.git")
    git(ours.parent, "clone", "-q", "--bare", str(ours), str(bare))
    git(bare, "remote", "set-url", "origin", OURS)
    git(bare, "worktree", "add", "-q", "-b", "side", str(place))
    return place


def added_beside_a_hidden_bare_clone(ours: Path, place: Path) -> Path:
    place.mkdir()
    git(place, "clone", "-q", "--bare", str(ours), ".bare")
    (place / ".git").write_text("gitdir: ./.bare\n")
    git(place, "remote", "set-url", "origin", OURS)
    git(place, "worktree", "add", "-q", "-b", "side", "side")
    return place / "side"


def added_as_a_submodule(ours: Path, place: Path) -> Path:
    around = repository(place)
    git(around, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(ours), "shop")
    git(around / "shop", "remote", "set-url", "origin", OURS)
    return around / "shop"


@pytest.mark.parametrize(
    "made",
    [
        cloned,
        added_as_a_worktree,
        added_by_relative_paths,
        added_to_a_bare_clone,
        added_beside_a_hidden_bare_clone,
        added_as_a_submodule,
    ],
)
def test_what_git_makes_of_a_clone_joins(
    tmp_path: Path, store: str, made: Callable[[Path, Path], Path]
) -> None:
    ours = private(tmp_path, store)
    assert kept(store, made(ours, tmp_path / "made")) == {"The key lies under the mat"}


def test_a_clone_that_borrows_objects_joins_once_its_owner_says_so(
    tmp_path: Path, store: str, terminal: Callable[..., Any]
) -> None:
    ours = private(tmp_path, store)
    place = tmp_path / "made"
    git(tmp_path, "clone", "-q", "--reference", str(ours), str(tmp_path / "origin"), str(place))
    git(place, "remote", "set-url", "origin", OURS)
    if Path(place, ".git", "objects", "info", "alternates").exists():
        assert terminal("trust", str(place)).code == 0
    assert kept(store, place) == {"The key lies under the mat"}
    remember(store, place, "The mat is blue")
    assert kept(store, ours) == {"The key lies under the mat", "The mat is blue"}


def test_a_shared_clone_reads_what_it_was_cloned_from(tmp_path: Path, store: str) -> None:
    ours = repository(tmp_path / "ours")
    remember(store, ours, "The key lies under the mat")
    place = cloned_shared(ours, tmp_path / "made")
    remember(store, place, "The door is always open")
    assert kept(store, place) == {"The door is always open"}
    assert kept(store, ours) == {"The key lies under the mat"}


def test_of_projects_of_one_name_that_of_the_folder_is_meant(tmp_path: Path, store: str) -> None:
    said = {}
    for team in ("north", "south"):
        (tmp_path / team).mkdir()
        place = repository(tmp_path / team / "billing", commit=team)
        said[place] = f"The {team} ledger closes on Friday"
        remember(store, place, said[place])
    for place, text in said.items():
        os.chdir(place)
        with Bowerbird.open(store, project="billing") as bird:
            assert [one.text for one in bird.list(memories_only=True)] == [text]
    os.chdir(tmp_path)
    with Bowerbird.open(store, project="billing") as bird, pytest.raises(BadInput, match="several"):
        bird.list()
