"""Verdicts, taint and digests of sessions go where the store goes: into backups and copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest
from tests.surface.test_learn import Talk

from bowerbird import Bowerbird
from bowerbird.sessions.learn.ledger import read_digests
from bowerbird.storage.outcomes import Outcomes
from bowerbird.storage.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RULE = "Never use tabs in this repository, always four spaces."


@pytest.fixture
def lived(tmp_path: Path) -> str:
    """A store with a learned session, a verdict on what it taught, and a session that read a page."""
    store = str(tmp_path / "lived.db")
    Talk("one", tmp_path).say(RULE).put(tmp_path / "talks")
    with Bowerbird.open(store, project="shop") as bird:
        bird.admin.learn(tmp_path / "talks")
    # What hooks record, which no writer has taken in yet.
    Outcomes(store).add("shop", 3, "confirmed", 5, id="a", signal="user_rules")
    assert Shown(store).note(("morning",), "low")
    return store


def known(store: str) -> tuple[list[str], list[str], str]:
    """The sessions that were learned from, the verdicts, and the trust that a reader was shown."""
    with Bowerbird.open(store, project="shop") as bird:
        sessions = [*read_digests(bird._wiring.store())]
        assert bird.admin.verify().damages == ()
    verdicts = [f"{one['what']} {one['id']}" for one in Outcomes(store).of("shop")]
    return sessions, verdicts, Shown(store).lowest(("morning",))


def restored(store: str, folder: Path) -> str:
    copy, other = str(folder / "copy.db"), str(folder / "elsewhere" / "other.db")
    with Bowerbird.open(store) as bird:
        bird.admin.backup(copy)
    with Bowerbird.open(other) as bird:
        bird.admin.restore(copy)
    return other


def recovered(store: str, folder: Path) -> str:
    with Bowerbird.open(store) as bird:
        bird.remember("The gate opens at seven.")
        return str(bird.admin.recover(folder / "saved.db").path)


def copied(store: str, folder: Path) -> str:
    """The file alone, to which somebody writes."""
    other = restored(store, folder)
    for suffix in (".outcomes", ".external"):
        (folder / "elsewhere" / f"other.db{suffix}").unlink()
    with Bowerbird.open(other) as bird:
        bird.remember("The gate opens at seven.")
    return other


@pytest.mark.parametrize("way", [restored, recovered, copied])
def test_a_copy_knows_verdicts_taint_and_digests(
    lived: str, tmp_path: Path, way: Callable[[str, Path], str]
) -> None:
    assert known(lived) == (["one"], ["confirmed a"], "low")
    assert known(way(lived, tmp_path)) == (["one"], ["confirmed a"], "low")


def test_a_verdict_is_told_once_before_and_after_it_is_folded(lived: str) -> None:
    outcomes = Outcomes(lived)
    with Bowerbird.open(lived, project="shop") as bird:
        for number in range(3):
            bird.remember(f"Shelf {number} holds lamps")
            outcomes.add("shop", 3, "rejected", 5, id=str(number))
            assert [one["id"] for one in outcomes.of()] == ["a", *map(str, range(number + 1))]


@pytest.mark.parametrize("table", ["outcome", "digest"])
def test_verify_covers_them(lived: str, table: str) -> None:
    with Bowerbird.open(lived, project="shop") as bird:
        bird.remember("The gate opens at seven.")
    raw = apsw.Connection(lived)
    raw.execute(f"UPDATE {table} SET line = replace(line, 's', 'z')")
    raw.close()
    with Bowerbird.open(lived) as bird:
        assert [one.told for one in bird.admin.verify().damages] == [
            f"{table}: it is not what was written"
        ]
