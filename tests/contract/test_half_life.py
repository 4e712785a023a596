"""How fast a memory fades may be said of it alone."""

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.life import DAY

START = 1_767_225_600_000


class Days:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture
def bird(store_path: str, days: Days) -> Bowerbird:
    return Bowerbird.open(store_path, project="shop", clock=days)


def half_life(bird: Bowerbird, id: str) -> float | None:
    details = bird.get(id).details
    assert details is not None
    return details.half_life


def believed(bird: Bowerbird, id: str) -> float:
    details = bird.get(id).details
    assert details is not None
    return round(details.current_confidence, 3)


def test_it_is_the_kinds_or_what_was_said(bird: Bowerbird, days: Days) -> None:
    plain = bird.remember("The gateway needs a restart after updates", kind="gotcha").id
    short = bird.remember("The canary is on node seven", kind="gotcha", half_life=10).id
    never = bird.remember("The founder is called Ines", kind="gotcha", half_life=0).id
    assert [half_life(bird, id) for id in (plain, short, never)] == [60, 10, None]
    days.now += 20 * DAY
    assert [believed(bird, id) for id in (plain, short, never)] == [0.635, 0.2, 0.8]


def test_an_edit_changes_it_and_revert_takes_that_back(bird: Bowerbird) -> None:
    id = bird.remember("The canary is on node seven", kind="gotcha").id
    assert bird.edit(id, half_life=5).changed == ("half_life",)
    assert half_life(bird, id) == 5
    bird.edit(id, half_life=0)
    assert half_life(bird, id) is None
    bird.revert(id)
    assert half_life(bird, id) == 5
    bird.revert(id)
    assert half_life(bird, id) == 60


def test_another_kind_brings_its_own_unless_it_was_said(bird: Bowerbird) -> None:
    its = bird.remember("The canary is on node seven", kind="gotcha").id
    said = bird.remember("The founder is called Ines", kind="gotcha", half_life=7).id
    for id in (its, said):
        bird.edit(id, kind="work_state")
    assert half_life(bird, its) != 60
    assert half_life(bird, said) == 7


def test_told_again_with_another_one_it_has_that(bird: Bowerbird) -> None:
    id = bird.remember("The canary is on node seven", kind="gotcha").id
    bird.remember("The canary is on node seven", half_life=3)
    assert half_life(bird, id) == 3
    bird.remember("The canary is on node seven")
    assert half_life(bird, id) == 3


def test_what_fades_fast_is_let_go_early(bird: Bowerbird, days: Days) -> None:
    plain = bird.remember("The gateway needs a restart after updates", kind="gotcha").id
    short = bird.remember("The canary is on node seven", kind="gotcha", half_life=1).id
    days.now += 50 * DAY
    gone = {one.id for one in bird.prune().leaving}
    assert short in gone
    assert plain not in gone


@pytest.mark.parametrize("given", [-1, 40_000, float("nan")])
def test_what_is_no_number_of_days_is_refused(bird: Bowerbird, given: float) -> None:
    with pytest.raises(BadInput, match="half_life"):
        bird.remember("The canary is on node seven", half_life=given)
