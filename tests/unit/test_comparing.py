"""Arms of an experiment: who is told what, what they came to, and what may be chance."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bowerbird.sessions.experiment.arms import FULL, NONE, PASSIVE, arm, speaks
from bowerbird.sessions.experiment.significance import chance_of, comparison, measured


def session(arm: str, calls: int, prompts: int = 2) -> list[dict[str, Any]]:
    call = {"what": "called", "tool": "Read", "paths": ["a.py"]}
    return [
        {"what": "started", "arm": arm},
        *[{"what": "prompted"}] * prompts,
        *[call] * calls,
        {"what": "gave", "tokens": 70},
    ]


def test_arms_are_shared_out_by_name_and_stay() -> None:
    found = Counter(arm(f"session-{number}", "shop") for number in range(20_000))
    assert found[NONE] == pytest.approx(1_000, rel=0.15)
    assert found[PASSIVE] == pytest.approx(2_000, rel=0.15)
    assert arm("one", "shop") == arm("one", "shop")


def test_an_arm_says_when_memory_speaks() -> None:
    assert [speaks(FULL, one) for one in ("started", "called")] == [True, True]
    assert [speaks(PASSIVE, one) for one in ("started", "prompted", "called")] == [
        True,
        True,
        False,
    ]
    assert not speaks(NONE, "started")


def test_a_session_is_measured() -> None:
    figures = measured(session(NONE, 4))
    assert figures is not None
    assert figures[0] == NONE
    assert figures[1] == {
        "calls_a_prompt": 2.0,
        "re_reads": 0.75,
        "failed_calls": 0.0,
        "tokens_given": 70.0,
    }
    assert measured(session("", 4)) is None
    assert measured(session(FULL, 4, prompts=0)) is None


def test_the_first_check_after_edits_counts_and_its_repetition_does_not() -> None:
    edit = {"what": "called", "tool": "Edit", "paths": ["a.py"]}
    good = {"what": "called", "tool": "Bash", "command": "make test | tail"}
    bad = good | {"failed": True}
    begun = [{"what": "started", "arm": FULL}, {"what": "prompted"}]
    figures = measured([*begun, good, edit, bad, good, edit, edit, good, edit])
    assert figures is not None
    assert figures[1]["first_checks_passed"] == 0.5
    figures = measured([*begun, good, bad, edit])
    assert figures is not None
    assert "first_checks_passed" not in figures[1]


def test_a_figure_is_compared_over_the_sessions_that_have_it() -> None:
    def reported(arm: str, passed: float | None) -> tuple[str, dict[str, float]]:
        figures = {"calls_a_prompt": 2.0, "re_reads": 0.0, "failed_calls": 0.0, "tokens_given": 0.0}
        return arm, figures | ({} if passed is None else {"first_checks_passed": passed})

    many = [reported(NONE, number % 2) for number in range(10)] + [reported(NONE, None)] * 5
    few = many + [reported(FULL, 1.0)] * 9 + [reported(FULL, None)] * 5
    row = {(one.metric, one.arm): one for one in comparison(few).rows}["first_checks_passed", NONE]
    assert (row.own, row.full, row.chance) == (0.5, 1.0, None)
    rows = comparison([*few, reported(FULL, 1.0)]).rows
    row = {(one.metric, one.arm): one for one in rows}["first_checks_passed", NONE]
    assert row.chance is not None


def test_chance_is_exact_for_few_and_near_for_many() -> None:
    assert chance_of([1, 2, 3], [4, 5, 6]) == pytest.approx(2 / 20)
    same = [float(number % 7) for number in range(40)]
    assert chance_of(same, same) == 1.0
    assert chance_of([1.0] * 20 + [0.0], [9.0] * 20) < 0.001


def test_too_few_sessions_tell_nothing() -> None:
    some = [measured(session(one, calls)) for one in (NONE, FULL) for calls in range(1, 6)]
    figures = comparison(one for one in some if one)
    assert figures.sessions == {NONE: 5, PASSIVE: 0, FULL: 5}
    assert all(one.chance is None for one in figures.rows)
    assert {one.says[:7] for one in figures.rows} == {"too few", "none by"}


def test_enough_sessions_tell_what_is_more_than_chance() -> None:
    many = [measured(session(NONE, 20 + number)) for number in range(12)]
    many += [measured(session(FULL, 4 + number)) for number in range(12)]
    rows = {(one.metric, one.arm): one for one in comparison(one for one in many if one).rows}
    assert rows["calls_a_prompt", NONE].says == "more than chance"
    assert rows["failed_calls", NONE].says == "may be chance"
    assert rows["calls_a_prompt", PASSIVE].chance is None
    assert (rows["flagged_memories", NONE].own, rows["flagged_memories", NONE].says) == (
        None,
        "none by design",
    )


def test_tokens_of_the_arm_without_injections_are_no_comparison() -> None:
    def reported(arm: str, calls: int) -> tuple[str, dict[str, float]]:
        found = measured(session(arm, calls)[: -1 if arm == NONE else None])
        assert found is not None
        return found

    many = [reported(NONE, 3 + number % 5) for number in range(10)]
    many += [reported(FULL, 5 + number % 5) for number in range(10)]
    rows = {(one.metric, one.arm): one for one in comparison(many).rows}
    tokens, row = rows["tokens_given", NONE], rows["calls_a_prompt", NONE]
    assert (tokens.own, tokens.full, tokens.chance) == (0.0, 70.0, None)
    assert tokens.says == "none by design"
    # Of three comparisons, not of four.
    assert row.chance is not None
    assert 0.05 / 4 < row.chance < 0.05 / 3
    assert row.says == "more than chance"


def test_of_many_figures_one_that_chance_parts_now_and_then_is_not_more_than_chance() -> None:
    many = [measured(session(NONE, 4 + number % 6)) for number in range(12)]
    many += [measured(session(FULL, 6 + number % 6)) for number in range(12)]
    rows = {(one.metric, one.arm): one for one in comparison(one for one in many if one).rows}
    row = rows["calls_a_prompt", NONE]
    assert row.chance is not None
    assert 0.0125 < row.chance < 0.05
    assert row.says == "may be chance"
