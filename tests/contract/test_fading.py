"""How sure memories still are, and what goes next: what is foreseen is what pruning does on that day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird.core.life import DAY

if TYPE_CHECKING:
    from tests.contract.conftest import Hands

    from bowerbird import Bowerbird


def test_what_is_foreseen_leaves_on_that_day_and_not_before(bird: Bowerbird, hands: Hands) -> None:
    bird.remember("The label printer jams on Mondays", kind="gotcha", half_life=10.0)
    bird.remember("The stand-up is at nine until the move", expires=hands() + 5 * DAY)
    bird.remember("We chose SQLite for the cart", kind="decision")
    bird.remember("Deploys start at seven", kind="gotcha", half_life=10.0, pinned=True)
    found = bird.fading()
    assert [(one[1], one[3] - hands()) for one in found.leaving] == [
        ("fact", 5 * DAY),
        ("gotcha", 31 * DAY),
    ]
    assert "half-lives" in found.leaving[1][4]
    for id, _, _, at, why in found.leaving:
        hands.days((at - hands()) / DAY - 1)
        assert id not in {one.id for one in bird.prune(dry_run=True).leaving}
        hands.days(1)
        assert (id, why) in {(one.id, one.reason) for one in bird.prune(dry_run=True).leaving}
    assert len(bird.fading(limit=1).leaving) == 1


def test_confidence_is_counted_by_tenths_as_it_halves(bird: Bowerbird, hands: Hands) -> None:
    bird.remember(
        "The label printer jams on Mondays", kind="gotcha", half_life=10.0, confidence=0.8
    )
    bird.remember("Deploys start at seven in the morning", confidence=0.6)
    first = bird.fading()
    assert first.kinds == (("gotcha", 10.0, 1),)
    assert [at for at, count in enumerate(first.tenths) for _ in range(count)] == [6, 8]
    hands.days(10)
    later = bird.fading().tenths
    assert [at for at, count in enumerate(later) for _ in range(count)] == [4, 6]


def test_without_a_store_nothing_fades(bird: Bowerbird) -> None:
    assert bird.fading().leaving == ()
    assert not any(bird.fading().tenths)
