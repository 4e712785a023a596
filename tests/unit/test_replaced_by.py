"""What a text says is over takes the place of what stated it, and a look-alike does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bowerbird import Bowerbird
from bowerbird.core.types import SHORT_ID
from bowerbird.lifecycle.replaced_by import announced

PAIRS = Path(__file__).parents[1] / "data" / "pairs" / "announced.jsonl"
OLD, NEW = "Passwords are hashed with bcrypt", "Passwords are hashed with argon2 instead of bcrypt"


def test_most_announcements_are_noticed_and_no_look_alike() -> None:
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    found = {"announces": 0, "look-alike": 0}
    for pair in pairs:
        found[pair["label"]] += bool(announced(pair["old"], pair["new"], 0.0).relation)
    total = sum(pair["label"] == "announces" for pair in pairs)
    assert found["look-alike"] == 0
    assert found["announces"] >= 0.85 * total


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna drank tea", "Anna no longer drinks tea"),
        ("The gym used to open at six", "The gym no longer opens at six"),
        ("The saw is sharp", "The saw is used to cut sharp corners"),
        ("We moved from MySQL to Postgres", "We moved from Postgres to MySQL"),
        ("We host on AWS", "We might move from AWS to Azure"),
        ("Bob drinks coffee", "Anna no longer drinks coffee"),
        ("The user drinks coffee in the morning", "The user no longer drinks coffee at work"),
        ("", ""),
    ],
)
def test_what_is_not_stated_is_not_over(old: str, new: str) -> None:
    assert announced(old, new, 0.6).relation == ""


def test_an_announced_replacement_takes_the_place_and_can_be_taken_back(tmp_path: Path) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        old = bird.remember(OLD)
        new = bird.remember(NEW)
        assert new.decision == "superseded"
        assert "it says that “bcrypt” was left" in new.reason
        assert bird.get(old.id).state == "superseded"
        assert [one.kind for one in bird.history(old.id).relations] == ["supersedes"]
        bird.revert(old.id)
        assert bird.get(old.id).state == "active"


def test_a_pinned_one_stays_and_both_wait(tmp_path: Path) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        old = bird.remember(OLD, pinned=True)
        new = bird.remember(NEW)
        assert bird.get(old.id).state == "active"
        assert new.id[:SHORT_ID] in bird.get(old.id).review
        assert "pinned" in bird.get(new.id).review
