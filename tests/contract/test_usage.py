"""Notes of what was used: torn, odd and alike files are counted right and never stop a write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.nouns.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_767_225_600_000


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="here", clock=lambda: NOW) as bird:
        yield bird


def uses(bird: Bowerbird, id: str) -> int:
    details = bird.get(id).details
    assert details is not None
    return details.access_count


@pytest.mark.parametrize("torn", [b"1790000", b"1767225600000 - ab", b"x\xff", b"9" * 40 + b" "])
def test_a_note_that_was_cut_short_spoils_nothing(
    bird: Bowerbird, store_path: str, torn: bytes
) -> None:
    kept = bird.remember("Otters build dams.").id
    with open(store_path + ".usage", "ab") as side:
        side.write(torn)
    assert bird.used([kept])
    bird.remember("Walruses sleep on ice.")
    assert uses(bird, kept) == 1


@pytest.mark.parametrize("moment", ["9" * 25, str(NOW + 2 * 86_400_000), "9" * 13])
def test_a_moment_that_cannot_be_is_left_out(bird: Bowerbird, store_path: str, moment: str) -> None:
    kept = bird.remember("Otters build dams.").id
    with open(store_path + ".usage", "a") as side:
        side.write(f"{moment} - {kept}\n")
    bird.remember("Walruses sleep on ice.")
    assert uses(bird, kept) == 0


def test_files_that_begin_alike_are_both_counted(bird: Bowerbird) -> None:
    kept = bird.remember("Otters build dams.").id
    for text in ("Walruses sleep on ice.", "Whales sing at night."):
        bird.used([kept])
        bird.remember(text)
    assert uses(bird, kept) == 2


@pytest.mark.parametrize("form", ["jsonl", "archive"])
def test_an_export_has_the_uses_that_no_writer_has_counted_yet(
    bird: Bowerbird, store_path: str, tmp_path: Path, form: str
) -> None:
    kept = bird.remember("Otters build dams.").id
    assert bird.used([kept])
    # A writer that failed has left some, and later ones follow.
    os.rename(store_path + ".usage", store_path + ".usage.taken")
    assert bird.used([kept])
    goal = str(tmp_path / f"copy.{'db' if form == 'archive' else form}")
    bird.admin.export(goal, form=form)
    assert uses(bird, kept) == 2
    with Bowerbird.open(tmp_path / "other.db", project="here", clock=lambda: NOW) as other:
        other.admin.import_from(goal)
        assert uses(other, kept) == 2


def test_notes_that_cannot_be_counted_are_set_aside_and_told(
    bird: Bowerbird, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = bird.remember("Otters build dams.").id
    bird.used([kept])

    def fail(*_: object) -> None:
        raise OverflowError

    with monkeypatch.context() as patch:
        patch.setattr(Usage, "_count", fail)
        bird.remember("Walruses sleep on ice.")
    assert os.path.exists(store_path + ".usage.taken.bad")
    assert any("could not be counted" in note for note in bird.status().notes)
    bird.used([kept])
    bird.remember("Whales sing at night.")
    assert uses(bird, kept) == 1
