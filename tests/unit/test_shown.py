"""What each session was shown: the least trust counts, and a name that stays is not pushed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird.storage.shown import MOST, SUFFIX, Handed, Shown

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
    tmp_path: Path,
) -> None:
    store = str(tmp_path / "memory.db")
    shown = Shown(store)
    assert shown.note(("token", "first"), "low")
    for number in range(2 * MOST):
        assert shown.note(("token", f"session {number}"), "imported")
    assert shown.lowest(("token",)) == "low"
    assert shown.lowest((f"session {2 * MOST - 1}",)) == "imported"
    with open(store + SUFFIX, "rb") as file:
        assert len(file.read().splitlines()) <= MOST + 2


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
