"""`bower move`: memories in another project, with their id, history and dates, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def _kept(bower: Bower, text: str, *more: str) -> str:
    return str(bower("remember", text, *more).data["id"])


def test_a_memory_is_moved_and_taken_back(bower: Bower, store_path: str) -> None:
    id = _kept(bower, "The wifi of the flat is on channel 6", "--project", "shop")
    other = _kept(bower, "Boots are sold out", "--project", "shop")
    before = bower("get", id).data
    assert bower("edit", id, "--project", "global").code != 0
    done = bower("move", id, "--to", "global", "--format", "text")
    assert done.out.startswith("Moved to all projects: The wifi of the flat")
    after = bower("get", id).data
    assert (after["project"], after["created"]) == ("", before["created"])
    assert bower("query", "wifi channel", "--project", "yard").data["results"][0]["id"] == id
    with Bowerbird.open(store_path) as bird:
        assert [one.action for one in bird.history(id).events] == ["created", "moved"]
    assert bower("move", id, "--to", "global").data["left"][0]["id"] == id
    done = bower("move", id, "--to", "yard", "--format", "text")
    assert "created a new project, yard" in done.out + done.err
    assert bower("get", id).data["project"] == "name:yard"
    assert bower("revert", id).code == 0
    assert bower("get", id).data["project"] == ""
    assert bower("revert", id).code == 0
    assert bower("get", id).data["project"] == before["project"]
    assert bower("query", "wifi channel", "--project", "yard").data["results"] == []
    assert bower("get", other).data["project"] == before["project"]


def test_several_are_moved_by_what_they_have_in_common(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vault" / ".obsidian").mkdir(parents=True)
    (tmp_path / "vault" / "Dentist.md").write_text("Dr Weiss, every March.")
    (tmp_path / "vault" / "Soup.md").write_text("Leeks, potatoes.")
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "shop")
    bower("import", str(tmp_path / "vault"), "--project", "shop")
    own = _kept(bower, "Boots are sold out", "--project", "shop")
    assert bower("move", "--to", "global", "--project", "shop").code != 0, "nothing says which"
    done = bower("move", "--source", "import", "--to", "global", "--project", "shop")
    assert len(done.data["memories"]) == 2
    projects = {
        one["text"]: one["project"] for one in bower("list", "--project", "shop").data["entries"]
    }
    assert sum(project == "" for project in projects.values()) == 2
    assert bower("get", own).data["project"] != ""
    # An import knows what was moved away from where it would put it.
    assert bower("move", "--source", "import", "--to", "flat", "--project", "global").code == 0
    again = bower("import", str(tmp_path / "vault"))
    assert (again.data["added"], again.data["known"]) == (0, 2)


def test_what_is_said_there_stays(bower: Bower) -> None:
    id = _kept(bower, "Boots are sold out", "--project", "shop")
    _kept(bower, "Boots are sold out", "--project", "yard")
    done = bower("move", id, "--to", "yard").data
    assert (done["memories"], [one["id"] for one in done["left"]]) == ([], [id])


def test_a_move_and_its_revert_reach_another_copy(tmp_path: Path) -> None:
    here, there = str(tmp_path / "here.db"), str(tmp_path / "there.db")

    def project() -> str:
        with Bowerbird.open(there) as bird:
            bird.admin.import_from(here)
            (one,) = bird.list(memories_only=True, all_projects=True)
            return one.project

    with Bowerbird.open(here, project="shop") as bird:
        id = bird.remember("Boots are sold out").id
    first = project()
    assert first != ""
    with Bowerbird.open(here) as bird:
        bird.admin.move([id], "global")
    assert project() == ""
    with Bowerbird.open(here) as bird:
        bird.revert(id)
    assert project() == first
