"""What each session was shown: the least trust counts, and a name that stays is not pushed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.foreign_file import DOWNLOADED, ForeignFile
from bowerbird.storage.foreign_files import ForeignFiles
from bowerbird.storage.shown import Handed, Shown
from bowerbird.storage.sqlite.nouns import outside

if TYPE_CHECKING:
    from pathlib import Path


def test_the_least_trust_that_a_name_was_shown_is_kept(tmp_path: Path) -> None:
    shown = Shown(str(tmp_path / "memory.db"))
    assert shown.lowest(("one",)) == ""
    assert shown.note(("one",), "imported")
    assert shown.lowest(("one", "two")) == "imported"
    assert shown.note(("one", "two"), "low")
    assert shown.note(("one", "two"), "imported")
    assert [shown.lowest((name,)) for name in ("one", "two", "three")] == ["low", "low", ""]


def test_a_client_that_changes_its_name_does_not_push_out_what_its_token_was_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "_MOST_READERS", 16)
    store = str(tmp_path / "memory.db")
    shown = Shown(store)
    assert shown.note(("token", "first"), "low")
    with Bowerbird.open(store, project="shop") as bird:
        for number in range(64):
            assert shown.note(("token", f"session {number}"), "imported")
            if number % 8 == 0:
                bird.remember(f"Shelf {number} holds lamps")
    assert shown.lowest(("token",)) == "low"
    assert shown.lowest(("session 63",)) == "imported"
    copy = (tmp_path / "memory.db.external").read_bytes()
    assert copy.count(b'"reader"') <= 17  # those of one time are kept together
    raw = apsw.Connection(store)
    assert raw.execute("SELECT count(*) FROM shown").fetchall() == [(copy.count(b'"reader"'),)]
    raw.close()


def test_a_line_that_a_crash_cut_short_tells_of_nothing(tmp_path: Path) -> None:
    handed = Handed(str(tmp_path / "memory.db"))
    assert handed.note("one", ["a", "b"], 7)
    file = tmp_path / "memory.db.handed"
    whole = file.read_bytes()
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        assert handed.ids(["one"], 7) <= {"a", "b"}
    assert handed.note("one", ["c"], 8)
    assert handed.ids(["one"], 7) == {"a", "b", "c"}


def test_what_cannot_be_noted_is_reported(tmp_path: Path) -> None:
    assert not Shown(str(tmp_path / "nowhere" / "memory.db")).note(("one",), "low")


@pytest.mark.parametrize("folded", [True, False])
def test_a_backup_restored_elsewhere_knows_what_came_from_outside(
    tmp_path: Path, *, folded: bool
) -> None:
    store, copy, other = (str(tmp_path / name) for name in ("a.db", "copy.db", "b.db"))
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The depot opens at seven")
    page = ForeignFile("page.md", DOWNLOADED, "morning", 5, ("name:shop",))
    assert Shown(store).note(("morning",), "low")
    assert ForeignFiles(store).note((page,))
    with Bowerbird.open(store, project="shop") as bird:
        if folded:
            bird.remember("Lamps are on shelf two")
        bird.admin.backup(copy)
    with Bowerbird.open(other, project="shop") as bird:
        bird.admin.restore(copy)
    assert Shown(other).lowest(("morning",)) == "low"
    assert [one.session for one in ForeignFiles(other).found("page.md")] == ["morning"]
