"""The level of a project: its steps up, what holds them back, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.sessions.levels import THRESHOLDS, level_state
from bowerbird.sessions.outcomes import needed_more
from bowerbird.storage.outcomes import COPY, OUTCOME, Outcomes
from bowerbird.storage.side_file import WHAT, encoded, write_copy

if TYPE_CHECKING:
    from pathlib import Path


def said(what: str, session: int, **reported: Any) -> dict[str, Any]:
    return {"what": what, "sessions": session} | reported


def level(sessions: int, *outcomes: dict[str, Any], pinned: int = 0) -> int:
    return level_state(sessions, outcomes, pinned).level


def test_sessions_alone_lead_up_where_nothing_speaks_against() -> None:
    assert [level(one) for one in (0, 3, 4, 15)] == [1, 1, 2, 2]
    assert level(16, said("used", 5, given=["a"])) == 3
    # When something was handed over for the first time has no say in it.
    assert [level(16), level(16, said("used", 15, given=["a"]))] == [3, 3]
    assert [THRESHOLDS[one] for one in (1, 2, 3, 4)] == [0.80, 0.65, 0.55, 0.45]


@pytest.mark.parametrize(
    ("right", "wrong", "reached"), [(1, 1, 2), (1, 2, 1), (0, 1, 1), (3, 0, 2)]
)
def test_half_of_what_was_looked_at_must_be_right(right: int, wrong: int, reached: int) -> None:
    outcomes = [said("confirmed", 2)] * right + [said("rejected", 2)] * wrong
    assert level(4, *outcomes) == reached


@pytest.mark.parametrize(("given", "corrected", "reached"), [(60, 2, 3), (40, 2, 2), (0, 1, 2)])
def test_few_of_what_was_handed_over_may_be_corrected(
    given: int, corrected: int, reached: int
) -> None:
    outcomes = [said("used", 5, given=["a"])] * given + [said("edited", 6)] * corrected
    assert level(20, *outcomes) == reached


def test_a_step_up_is_not_lost_by_itself_and_three_wrong_ones_offer_one_back() -> None:
    outcomes = [said("confirmed", 1), *[said("flagged", 6)] * 3]
    found = level_state(6, outcomes)
    assert (found.level, found.back) == (2, True)
    assert not level_state(7, outcomes).back
    # What a person rejects while clearing the queue was told to no agent in a session.
    assert not level_state(6, [said("confirmed", 1), *[said("rejected", 6)] * 5]).back


@pytest.mark.parametrize(
    ("sessions", "outcomes", "why"),
    [
        (2, [], "level 2 begins 2 sessions with hooks from now"),
        (3, [], "level 2 begins 1 session with hooks from now"),
        (6, [said("rejected", 2)], "0 of 1 reviewed memories were confirmed"),
        (5, [], "level 3 begins 11 sessions with hooks from now"),
        (15, [], "level 3 begins 1 session with hooks from now"),
        (20, [said("used", 5, given=["a"]), said("edited", 6)], "1 of 1 injected memories"),
        (20, [], "level 4 is only set by hand"),
        (20, [said("level", 9, level=4)], "set by hand"),
    ],
)
def test_a_level_says_what_the_next_one_waits_for(
    sessions: int, outcomes: list[dict[str, Any]], why: str
) -> None:
    assert level_state(sessions, outcomes).why.startswith(why)


def test_a_level_that_was_chosen_begins_again() -> None:
    chosen = said("level", 20, level=1)
    assert [level(one, chosen) for one in (20, 22, 23)] == [1, 1, 2]
    assert level(99, said("level", 20, level=4)) == 4
    assert level(99, chosen, pinned=1) == 1


def test_rejections_ask_for_more_and_confirmations_make_up_for_them() -> None:
    reported = [said("rejected", 1, signal="cures")] * 5 + [said("confirmed", 1, signal="cures")]
    assert needed_more(reported) == {"cures": 2}
    assert needed_more([said("confirmed", 1, signal="routines"), *reported[:1]]) == {
        "routines": 0,
        "cures": 1,
    }


def test_outcomes_are_kept_by_project_and_a_torn_line_is_none(tmp_path: Path) -> None:
    outcomes = Outcomes(str(tmp_path / "memory.db"))
    outcomes.add("one", 1, "confirmed", 5, id="a")
    with (tmp_path / "memory.db.noted").open("ab") as file:
        file.write(b'{"project":"one","wh')
    outcomes.add("one", 2, "rejected", 6, id="b")
    outcomes.add("two", 2, "rejected", 6, id="c")
    assert [one["id"] for one in outcomes.of("one")] == ["a", "b"]


def test_a_copy_is_read_on_where_it_grew_and_anew_where_it_was_replaced(tmp_path: Path) -> None:
    store = str(tmp_path / "memory.db")
    outcomes = Outcomes(store)
    lines = [
        encoded({WHAT: OUTCOME, "at": 5, "project": "one", OUTCOME: {"what": "held", "id": id}})
        for id in "abc"
    ]
    for some in (lines[:1], lines[:2], lines[:3], lines[1:]):
        write_copy(store + COPY, some)
        told = [one["id"] for one in outcomes.of("one")]
        assert told == [*"abc"][lines.index(some[0]) : lines.index(some[-1]) + 1]
