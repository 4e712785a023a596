"""A memory's day: what has passed it is expired, wherever it stood, and pruned as such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.errors import BadInput
from bowerbird.core.types import STATES

if TYPE_CHECKING:
    from tests.contract.conftest import Hands

    from bowerbird import Bowerbird

FACT = "The staging database is called db3"
TRAP = "Redis must be up before the auth tests"
FAIR = "The fair in the park is open"


def reported(bird: Bowerbird) -> dict[str, Any]:
    """The fields of every memory, in whatever state it is."""
    entries = bird.list(states=STATES)
    return {one.id: one.details.fields for one in entries if one.details is not None}


def test_what_waits_in_quarantine_waits_no_longer_than_its_day(
    bird: Bowerbird, hands: Hands
) -> None:
    waiting = bird.remember(FACT, origin="tool_external").id
    dated = bird.remember(FAIR, origin="tool_external", expires="10d").id
    trap = bird.remember(TRAP, kind="gotcha", importance=0.9).id
    assert [one.id for one in bird.list(states=["quarantined"])] == [dated, waiting]
    hands.days(100)
    # Past its day it is told as expired, pruned or not.
    assert [one.id for one in bird.list(states=["quarantined"])] == [waiting]
    assert [one.id for one in bird.list(states=["expired"])] == [dated]
    before = reported(bird)
    dry = bird.prune(dry_run=True)
    assert reported(bird) == before
    done = bird.prune()
    assert (done.leaving, done.remaining) == (dry.leaving, dry.remaining)
    assert [(one.id, one.becomes) for one in done.leaving] == [(dated, "expired")]
    assert done.remaining == 1  # what waits is not in force, before nor after
    assert [bird.get(id).state for id in (waiting, dated, trap)] == [
        "quarantined",
        "expired",
        "active",
    ]
    assert bird.history(dated).events[-1].action == "pruned"
    # What brings it back brings it back to where it waited.
    bird.revert(dated)
    assert reported(bird) == before
    assert [one.id for one in bird.prune().leaving] == [dated]
    hands.days(31)
    assert [(one.id, one.becomes) for one in bird.prune().leaving] == [(dated, "removed")]
    assert bird.get(waiting).state == "quarantined"


@pytest.mark.parametrize(
    ("text", "expires", "later"),
    [
        (FAIR, "2026-01-10", {"expires": "2026-12-31"}),
        (f"{FAIR} until 10 January 2026", None, {"text": f"{FAIR} until 31 December 2026"}),
    ],
)
def test_what_comes_back_past_its_day_says_so_and_gets_another(
    bird: Bowerbird, hands: Hands, text: str, expires: str | None, later: dict[str, Any]
) -> None:
    fair = bird.remember(text, expires=expires).id
    hands.days(30)
    assert bird.prune().pruned == 1
    reverted = bird.revert(fair)
    assert reverted.state == "active"
    assert "10 January 2026" in reverted.others[0]
    assert list(bird.list()) == []
    bird.edit(fair, **later)
    bird.prune()
    assert [one.id for one in bird.list()] == [fair]


def test_what_is_forgotten_is_listed_as_that_whatever_its_day(
    bird: Bowerbird, hands: Hands
) -> None:
    id = bird.remember(FAIR, expires="10d").id
    bird.forget(id)
    hands.days(11)
    waits = bird.remember("The gate is shut", expires="1d", origin="tool_external")
    assert waits.state == "quarantined"
    hands.days(2)
    assert [one.id for one in bird.list(states=["deleted"])] == [id]
    assert [one.id for one in bird.list(states=["quarantined", "deleted"])] == [id]
    assert [one.id for one in bird.list(states=["expired"])] == [waits.id]
    assert bird.list() == []


def test_what_is_pinned_goes_on_the_day_that_was_named_for_it(
    bird: Bowerbird, hands: Hands
) -> None:
    id = bird.remember(FAIR, expires="1d", pinned=True).id
    hands.days(2)
    assert [one.id for one in bird.list(states=["expired"])] == [id]
    assert [(one.id, one.becomes) for one in bird.prune().leaving] == [(id, "expired")]
    hands.days(99)
    assert bird.prune().leaving == ()
    assert bird.get(id).state == "expired"


def test_what_could_never_hold_is_refused(bird: Bowerbird) -> None:
    with pytest.raises(BadInput, match="before it holds"):
        bird.remember("The quay is closed", valid_from="2127-05-01", expires="2127-01-01")
    assert bird.remember("The quay is shut", valid_from="2127-01-01", expires="2127-05-01").id
