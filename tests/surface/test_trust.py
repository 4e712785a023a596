"""Whose files are trusted: a repository's are the user's own only where nobody else writes them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

REMOTE = "git@git.example.org:team/shop.git"
SOURCE = "git.example.org/team/shop"
TEXT = "The deploy script needs the blue token of the warehouse."
TASK = "deploy script blue token"
SOMEBODY = 54321
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)


def repository(folder: Path, remote: str = "", text: str = TEXT) -> Path:
    """A repository with a note, as git keeps it."""
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    url = f'[remote "origin"]\n\turl = {remote}\n' if remote else ""
    (git / "config").write_text("[core]\n\tbare = false\n" + url)
    (folder / "README.md").write_text(f"# Shop\n\n{text}\n")
    return folder


def trusts(bower: Bower) -> dict[str, str]:
    """The trust of every indexed file, by its name."""
    entries = bower("list", "--all-projects", "--limit", "100").data["entries"]
    return {os.path.relpath(one["path"], "/").rsplit("/", 1)[-1]: one["trust"] for one in entries}


def trust_of(bower: Bower, folder: Path) -> str:
    """The trust of the folder's note, after indexing it."""
    bower("index", str(folder))
    found = bower("list", "--all-projects", "--path", str(folder / "README.md")).data["entries"]
    (trust,) = {one["trust"] for one in found}
    return str(trust)


def in_context(bower: Bower) -> bool:
    return "blue token" in bower("context", TASK, "--all-projects").out


OWN = "normal"
IMPORTED = "imported"


def test_a_repository_without_a_remote_is_the_users_own(bower: Bower, tmp_path: Path) -> None:
    assert trust_of(bower, repository(tmp_path / "shop")) == OWN
    assert in_context(bower)


def test_what_others_can_write_and_vendored_trees_are_not_the_users_own(
    bower: Bower, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop")
    expected = {"README.md": OWN}
    for folder in ("open", "vendor", "third_party", "node_modules/heron", "lib/site-packages"):
        (shop / folder).mkdir(parents=True)
        (shop / folder / f"{folder.rsplit('/', 1)[-1]}.md").write_text(f"# {folder}\n\n{TEXT}\n")
        expected[f"{folder.rsplit('/', 1)[-1]}.md"] = IMPORTED
    (shop / "open").chmod(0o777)
    (shop / "shared.md").write_text(f"# Shared\n\n{TEXT}\n")
    (shop / "shared.md").chmod(0o666)
    expected["shared.md"] = IMPORTED
    bower("index", str(shop), *map(str, shop.glob("**/node_modules")))
    bower("index", str(shop / "node_modules" / "heron"), str(shop / "lib" / "site-packages"))
    assert trusts(bower) == expected


def test_vendored_trees_are_known_by_their_names_in_whatever_letters(
    bower: Bower, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop")
    names = (
        "thirdparty 3rdparty Vendor NODE_MODULES vendored _vendor extern external deps Godeps web_modules"
        " elm-stuff subprojects gems"
    ).split()
    for name in names:
        (shop / name).mkdir()
        (shop / name / f"{name}.md").write_text(f"# {name}\n\n{TEXT}\n")
    bower("index", str(shop), *(str(shop / name) for name in names))
    expected = {"README.md": OWN} | {f"{name}.md": IMPORTED for name in names}
    assert trusts(bower) == expected


def test_one_with_a_remote_is_imported_until_a_person_names_it(
    bower: Bower, terminal: Bower, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    report = bower("index", str(shop)).data
    assert [one["path"] for one in report["imported"]] == [str(shop)]
    assert SOURCE in report["imported"][0]["reason"]
    assert f"bower trust {shop}" in report["imported"][0]["remedy"]
    assert f"bower trust {shop}" in bower("index", str(shop), "--format", "text").out
    assert trust_of(bower, shop) == IMPORTED
    assert not in_context(bower)
    output = terminal("trust", str(shop)).out
    assert "1 indexed file now normal" in output
    assert in_context(bower)
    assert trust_of(bower, shop) == OWN
    assert bower("index", str(shop)).data["imported"] == []
    assert "1 indexed file now imported" in terminal("trust", "--remove", str(shop)).out
    assert not in_context(bower)
    assert trust_of(bower, shop) == IMPORTED


def test_a_person_is_asked_once_and_yes_is_remembered(
    bower: Bower, terminal: Bower, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    asked = terminal("index", str(shop), typed="y\n").out
    assert f"it comes from {SOURCE}, where others can write" in asked
    assert "[y/N]" in asked
    assert trust_of(bower, shop) == OWN
    assert "[y/N]" not in terminal("index", str(shop)).out


def test_a_folder_of_notes_that_a_person_indexes_is_their_own(
    bower: Bower, terminal: Bower, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "README.md").write_text(f"# Shop\n\n{TEXT}\n")
    bower("index", str(notes))
    assert set(trusts(bower).values()) == {IMPORTED}
    expected = f"counts as your own files from now on; to undo: bower trust --remove {notes}"
    assert expected in " ".join(terminal("index", str(notes)).out.split())
    assert set(trusts(bower).values()) == {OWN}
    assert expected not in " ".join(terminal("index", str(notes)).out.split())
    (notes / "more.md").write_text("# More\n\nThe crane lifts nine tonnes.\n")
    assert "bower trust" not in terminal("index", str(notes)).out
    assert bower("index", str(notes / "more.md")).err == ""


def test_no_is_remembered_too(bower: Bower, terminal: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    assert "[y/N]" in terminal("index", str(shop), typed="\n").out
    assert trust_of(bower, shop) == IMPORTED
    again = terminal("index", str(shop)).out
    assert "[y/N]" not in again
    assert "you said that you do not trust it" in again


def test_a_closed_input_is_no_answer(bower: Bower, terminal: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    assert "[y/N]" in terminal("index", str(shop), typed="\x04").out
    assert bower("trust", "--list").data["folders"] == []
    assert "[y/N]" in terminal("index", str(shop), typed="y\n").out


def test_nobody_else_is_asked_or_may_answer(
    bower: Bower, terminal: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    ran = bower("trust", str(shop))
    assert (ran.code, ran.data["status"]) == (1, "error")
    assert "bower trust" in ran.data["remedy"]
    assert bower("trust", "--remove", str(shop)).code == 1
    assert "[y/N]" not in bower("index", str(shop), stdin="y\n").err
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "[y/N]" not in terminal("index", str(shop), typed="y\n").out
    assert terminal("trust", str(shop)).code == 1
    assert trust_of(bower, shop) == IMPORTED
    assert bower("trust", "--list").data["folders"] == []


def test_the_question_is_not_asked_of_a_script(terminal: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    assert "[y/N]" not in terminal("index", str(shop), "--format", "json").out


def test_a_remote_that_is_added_later_ends_the_word(bower: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    with Bowerbird.open() as bird:
        assert bird.admin.trust(shop).grounds.trusted
    assert trust_of(bower, shop) == OWN
    with (shop / ".git" / "config").open("a") as config:
        config.write(f'[remote "origin"]\n\turl = {REMOTE}\n')
    # Nothing in the note has changed.
    assert trust_of(bower, shop) == IMPORTED
    levels = {one["check"]: one for one in bower("doctor").data["findings"]}
    assert levels["trusted"]["level"] == "warning"
    with Bowerbird.open() as bird:
        assert bird.admin.trust(shop).raised == 1
    assert trust_of(bower, shop) == OWN


def test_another_repository_in_its_place_is_another_question(bower: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    with Bowerbird.open() as bird:
        bird.admin.trust(shop)
    assert trust_of(bower, shop) == OWN
    shop.rename(tmp_path / "kept")
    repository(tmp_path / "shop", "https://elsewhere.example/evil")
    assert trust_of(bower, shop) == IMPORTED


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("logs/HEAD", f"{'0' * 40} {'1' * 40} A <a@b> 1 +0000\tclone: from {REMOTE}\n"),
        ("FETCH_HEAD", f"{'1' * 40}\t\tbranch 'main' of git.example.org:team/shop\n"),
    ],
)
def test_a_remote_that_was_taken_out_is_not_forgotten(
    bower: Bower, tmp_path: Path, file: str, line: str
) -> None:
    shop = repository(tmp_path / "shop")
    (shop / ".git" / file).parent.mkdir(exist_ok=True)
    (shop / ".git" / file).write_text(line)
    assert trust_of(bower, shop) == IMPORTED
    assert SOURCE in bower("index", str(shop)).data["imported"][0]["reason"]


def test_what_was_believed_by_an_older_rule_is_judged_again(
    bower: Bower, tmp_path: Path, store_path: str
) -> None:
    shop = repository(tmp_path / "shop")
    assert trust_of(bower, shop) == OWN
    (shop / ".git" / "config").write_text(f'[remote "origin"]\nurl = {REMOTE}\n')
    report = bower("index", str(shop)).data
    assert (report["unchanged"], report["changed"], report["added"]) == (1, 0, 0)
    assert not in_context(bower)


def test_a_repository_whose_remotes_cannot_be_read_is_not_the_users_own(
    bower: Bower, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop")
    (shop / ".git" / "config").unlink()
    os.mkfifo(shop / ".git" / "config")
    assert trust_of(bower, shop) == IMPORTED
    assert "cannot be read" in bower("index", str(shop)).data["imported"][0]["reason"]


def test_a_folder_of_notes_can_be_named(
    bower: Bower, terminal: Bower, tmp_path: Path, notes: Path
) -> None:
    repository(notes / "clone", REMOTE, "The clone speaks of violet keys.")
    bower("index", str(notes))
    assert set(trusts(bower).values()) == {"imported"}
    terminal("trust", str(notes))
    assert trusts(bower) == {
        "auth.md": "normal",
        "release.md": "normal",
        "talk.jsonl": "normal",
        "README.md": "imported",
    }
    bower("index", str(notes))
    assert trusts(bower)["README.md"] == "imported"
    assert "Redis" in bower("context", "auth tests", "--all-projects").out
    listed = bower("trust", "--list").data["folders"]
    assert [(one["path"], one["trusted"]) for one in listed] == [(str(notes), True)]
    terminal("trust", "--remove", str(notes))
    assert bower("trust", "--list").data["folders"] == []
    assert set(trusts(bower).values()) == {"imported"}


def test_a_mark_of_ours_makes_no_folder_the_users_own(bower: Bower, tmp_path: Path) -> None:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    (folder / ".bowerbird.toml").write_text("")
    (folder / "README.md").write_text(TEXT)
    assert trust_of(bower, folder) == IMPORTED


@as_root
def test_a_repository_of_somebody_else_cannot_be_trusted(
    bower: Bower, terminal: Bower, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop")
    os.chown(shop, SOMEBODY, SOMEBODY)
    assert trust_of(bower, shop) == IMPORTED
    found = bower("index", str(shop)).data["imported"][0]
    assert str(SOMEBODY) in found["reason"]
    assert "chown" in found["remedy"]
    assert "[y/N]" not in terminal("index", str(shop)).out
    refused = terminal("trust", str(shop))
    assert refused.code == 2
    assert "another user" in refused.out


@as_root
@pytest.mark.parametrize("given", [".git", "README.md"])
def test_nor_what_somebody_else_put_into_it(bower: Bower, tmp_path: Path, given: str) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    with Bowerbird.open() as bird:
        bird.admin.trust(shop)
    assert trust_of(bower, shop) == OWN
    os.chown(shop / given, SOMEBODY, SOMEBODY)
    assert trust_of(bower, shop) == IMPORTED


@as_root
def test_under_sudo_the_callers_files_count(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = repository(tmp_path / "shop")
    for path in (shop, shop / ".git", shop / "README.md"):
        os.chown(path, SOMEBODY, SOMEBODY)
    assert trust_of(bower, shop) == IMPORTED
    monkeypatch.setenv("SUDO_UID", str(SOMEBODY))
    assert trust_of(bower, shop) == OWN
    monkeypatch.setenv("SUDO_UID", "54322")
    assert trust_of(bower, shop) == IMPORTED


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


def test_worktrees_and_submodules_come_from_where_their_git_folder_says(
    bower: Bower, tmp_path: Path
) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    git(shop, "init", "-q")
    (shop / "README.md").write_text(TEXT)
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "first")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    git(other, "submodule", "add", "-q", str(shop), "inner")
    git(shop, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert trust_of(bower, shop) == OWN
    assert trust_of(bower, tmp_path / "tree") == OWN
    assert trust_of(bower, other / "inner") == IMPORTED
    git(shop, "remote", "add", "origin", REMOTE)
    assert trust_of(bower, tmp_path / "tree") == IMPORTED


@as_root
def test_a_git_folder_that_somebody_put_above_makes_nothing_ones_own(
    bower: Bower, tmp_path: Path
) -> None:
    folder = tmp_path / "shared" / "mine"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text(TEXT)
    planted = tmp_path / "shared" / ".git"
    planted.mkdir()
    os.chown(planted, SOMEBODY, SOMEBODY)
    assert trust_of(bower, folder) == IMPORTED


def test_a_link_names_what_it_leads_to(bower: Bower, terminal: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    link = tmp_path / "link"
    link.symlink_to(shop)
    assert terminal("trust", str(link)).code == 0
    assert [one["path"] for one in bower("trust", "--list").data["folders"]] == [str(shop)]
    assert trust_of(bower, shop) == OWN
    # Another one behind the same link was not named.
    link.unlink()
    link.symlink_to(repository(tmp_path / "evil", "https://elsewhere.example/evil"))
    bower("index", str(link))
    assert trust_of(bower, tmp_path / "evil") == IMPORTED


def test_what_links_lead_to_is_not_the_repositorys(bower: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "README.md").write_text("Violet keys open the gate.")
    (shop / "docs").symlink_to(outside)
    bower("index", str(shop), "--follow-links")
    assert bower("query", "violet keys gate").data["results"][0]["trust"] == "imported"


def test_a_repository_at_home_does_not_make_downloads_ones_own(
    bower: Bower, terminal: Bower
) -> None:
    home = os.environ["HOME"]
    repository(Path(home))
    downloads, notes = Path(home, "Downloads"), Path(home, "notes")
    for folder in (downloads, notes):
        folder.mkdir()
        (folder / "README.md").write_text(TEXT)
    assert trust_of(bower, downloads) == IMPORTED
    refused = terminal("trust", home)
    assert refused.code == 2
    assert "name the folders in it" in refused.out
    assert terminal("trust", str(notes)).code == 0
    assert trust_of(bower, notes) == OWN
    assert trust_of(bower, downloads) == IMPORTED


def test_status_and_doctor_tell_which_folders_are_trusted(
    bower: Bower, terminal: Bower, tmp_path: Path, notes: Path
) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    own = repository(tmp_path / "own")
    terminal("trust", str(notes))
    bower("index", str(shop), str(notes), str(own))
    status = bower("status").data
    assert (status["trusted"], status["imported"]) == ([str(notes)], [str(shop)])
    findings = [one for one in bower("doctor").data["findings"] if one["level"] == "ok"]
    found = {one["check"]: one for one in findings if one["check"] in ("trusted", "imported")}
    assert found["trusted"]["found"] == f"{notes}: named by you"
    assert found["imported"]["found"].endswith("where others can write; indexed files: 1")
    assert found["imported"]["remedy"].endswith(f"bower trust {shop}")


def test_naming_a_folder_of_a_repository_names_the_repository(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    (shop / "docs").mkdir()
    with Bowerbird.open() as bird:
        assert bird.admin.trust(shop / "docs").grounds.root == str(shop)
        with pytest.raises(BadInput, match="no folder, and no session"):
            bird.admin.trust(shop / "README.md")


def test_escapes_in_a_remote_do_not_reach_the_terminal(terminal: Bower, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", "https://x.example/\x1b]0;owned\x07/y")
    assert "\x1b]0" not in terminal("index", str(shop), typed="n\n").out
