"""Taking back what became of one memory never takes another one away, and tells what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.types import SHORT_ID

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FIVE = "The session TTL is 5 minutes"
TEN = "The session TTL is 10 minutes"
SHORT = "Redis must be up before the auth tests"
LONG = "Redis must be up before the auth tests, because they wait for it"


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def waits(bird: Bowerbird, id: str) -> bool:
    return bool(bird.get(id).review)


def test_what_contradicts_a_memory_stays_when_that_one_is_reverted(bird: Bowerbird) -> None:
    five = bird.remember(FIVE)
    ten = bird.remember(TEN)
    assert waits(bird, five.id)
    done = bird.revert(five.id)
    assert not waits(bird, five.id)
    assert bird.get(ten.id).state == "active"
    assert done.memories == (five.id,)
    assert done.others == (
        f"{ten.id[:SHORT_ID]}, for which it was done, stays active; both hold now",
    )
    # What is left of its own is its beginning.
    assert bird.revert(five.id).state == "deleted"
    assert bird.get(ten.id).state == "active"


def test_what_contradicted_can_be_taken_back_after_that(bird: Bowerbird) -> None:
    five = bird.remember(FIVE)
    ten = bird.remember(TEN)
    bird.revert(five.id)
    done = bird.revert(ten.id)
    assert (done.state, done.memories) == ("deleted", (ten.id,))
    assert bird.get(five.id).state == "active"
    assert bird.history(five.id).relations == ()


def test_who_took_a_place_stays_when_the_older_one_is_reverted(bird: Bowerbird) -> None:
    old = bird.remember(SHORT)
    new = bird.remember(LONG)
    assert bird.get(old.id).state == "superseded"
    done = bird.revert(old.id)
    assert (done.state, done.memories) == ("active", (old.id,))
    assert [one.kind for one in done.relations] == ["supersedes"]
    assert bird.get(new.id).state == "active"
    assert bird.revert(new.id).memories == (new.id,)
    assert bird.get(old.id).state == "active"


def test_taking_back_what_took_a_place_tells_that_the_older_one_is_back(bird: Bowerbird) -> None:
    old = bird.remember(SHORT)
    new = bird.remember(LONG)
    assert bird.revert(new.id, dry_run=True).others == (f"{old.id[:SHORT_ID]} is active again",)
    assert bird.get(old.id).state == "superseded"
    assert bird.revert(new.id).others == (f"{old.id[:SHORT_ID]} is active again",)
    assert bird.get(old.id).state == "active"


def test_what_waits_no_longer_is_reported(bird: Bowerbird) -> None:
    five = bird.remember(FIVE)
    ten = bird.remember(TEN)
    assert bird.revert(ten.id).others == (f"{five.id[:SHORT_ID]} needs no review",)


def test_what_forgetting_settled_waits_again_and_stays_forgotten(bird: Bowerbird) -> None:
    five = bird.remember(FIVE)
    ten = bird.remember(TEN)
    bird.forget(ten.id)
    assert not waits(bird, five.id)
    bird.revert(five.id)
    assert waits(bird, five.id)
    assert bird.get(ten.id).state == "deleted"
    assert bird.revert(ten.id).state == "active"


def test_what_was_changed_since_is_reported_with_the_memory_that_was(bird: Bowerbird) -> None:
    old = bird.remember(SHORT)
    new = bird.remember(LONG)
    bird.revert(old.id, bird.history(old.id).versions[0].id)
    bird.forget(old.id)
    with pytest.raises(BadInput, match="changed since") as raised:
        bird.revert(new.id)
    assert old.id in raised.value.remedy
    assert bird.get(new.id).state == "active"


def test_a_link_by_itself_is_the_last_step_and_the_edit_before_it_the_next(bird: Bowerbird) -> None:
    one = bird.remember("The winch is oiled in May").id
    two = bird.remember("Sourdough rises slowly near the oven").id
    bird.edit(one, "The winch is oiled in June")
    bird.link(one, two, "causes")
    done = bird.revert(one)
    assert [relation.kind for relation in done.relations] == ["causes"]
    assert bird.get(one).text == "The winch is oiled in June"
    bird.revert(one)
    assert bird.get(one).text == "The winch is oiled in May"
