"""Who goes and why, example by example: pure functions over the facts of one memory."""

from __future__ import annotations

from itertools import product

import pytest

from bowerbird.core.kinds import KINDS, Kinds
from bowerbird.core.life import DAY, Life, current_confidence, effective_importance
from bowerbird.core.pruned import THRESHOLD, Aged
from bowerbird.lifecycle.prune import GRACE_DAYS, QUIET_DAYS, USERS_QUIET_DAYS, judged

NOW = 1_800_000_000_000


def aged(**facts: object) -> Aged:
    """A plain short fact of an agent, as it stands when nothing is said of it."""
    one = Aged(1, "id", "", "fact", "active", NOW, NOW, NOW, 0.05, 0.01)
    return one.replace(**facts)


def left(days: float) -> dict[str, object]:
    """Written so many days ago, and not touched since."""
    then = NOW - round(days * DAY)
    return {"created": then, "accessed": then, "updated": then}


@pytest.mark.parametrize(
    ("days_unused", "age", "rate", "expected"),
    [
        (0, 0, 0.01, 0.4),
        (100, 0, 0.01, 0.2),  # "drops to 50% after ~100 days without access"
        (20, 0, 0.05, 0.2),  # "drops to 50% after ~20 days"
        (0, 1000, 0.01, 0.2),  # "50% at ~2.7 years"
        (100, 1000, 0.01, 0.1),
        (-5, -5, 0.01, 0.4),  # a clock that went back
    ],
)
def test_effective_importance_follows_the_documented_curve(
    days_unused: int, age: int, rate: float, expected: float
) -> None:
    found = effective_importance(0.4, rate, NOW - days_unused * DAY, NOW - age * DAY, NOW, 0)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("half_life", "days", "expected"),
    [(60, 60, 0.4), (60, 120, 0.2), (None, 900, 0.8), (7, 0, 0.8)],
)
def test_current_confidence_halves_and_ranking_reads_the_same(
    half_life: float | None, days: int, expected: float
) -> None:
    then = NOW - days * DAY
    assert current_confidence(0.8, half_life, then, NOW) == pytest.approx(expected)
    life = Life("gotcha", "agent_explicit", 0.5, 0.8, half_life, then, 0)
    assert life.current_confidence(NOW) == pytest.approx(expected)


STAYS: list[tuple[str, dict[str, object]]] = [
    ("a plain short fact on its first day", left(0)),
    ("and a minute later, when it is below the threshold", left(0.001)),
    ("and as long as the quiet time lasts", left(QUIET_DAYS)),
    ("what the user said, for a year", left(USERS_QUIET_DAYS) | {"origin": "user"}),
    ("what the user confirmed, for a year", left(USERS_QUIET_DAYS) | {"verified": True}),
    ("what was used lately", left(400) | {"accessed": NOW - DAY}),
    ("what was changed or brought back lately", left(400) | {"updated": NOW - DAY}),
    ("what still weighs enough", left(400) | {"importance": 0.9}),
    ("pinned", left(4000) | {"pinned": True}),
    ("pinned, before its day", left(4000) | {"pinned": True, "expires": NOW + DAY}),
    ("a decision", left(4000) | {"kind": "decision"}),
    ("a procedure", left(4000) | {"kind": "procedure", "half_life": 1}),
    ("a decision that was forgotten", left(99) | {"kind": "decision", "state": "deleted"}),
    ("of a kind that nobody here knows", left(4000) | {"kind": "house_rule"}),
    ("what somebody is to look at first", left(4000) | {"needs_review": True}),
    ("what waits in quarantine", left(4000) | {"state": "quarantined", "half_life": 7.0}),
    ("what fades, until three half-lives", left(180) | {"half_life": 60.0, "importance": 0.9}),
    ("before its day", left(10) | {"expires": NOW + 1}),
    ("what went lately", left(400) | {"state": "deprecated", "updated": NOW - GRACE_DAYS * DAY}),
    ("what somebody vouched for", left(400) | {"state": "deprecated", "verified": True}),
    (
        "what the user said and time took, whoever let it",
        left(400) | {"state": "deprecated", "origin": "user", "ended_by": "user"},
    ),
    (
        "what the user said and an agent forgot",
        left(400) | {"state": "deleted", "origin": "user", "ended_by": "mcp"},
    ),
]


def test_what_stays() -> None:
    goes = [name for name, facts in STAYS if judged(aged(**facts), NOW, THRESHOLD, Kinds())]
    assert goes == []


GOES: list[tuple[str, dict[str, object], str, str]] = [
    (
        "faded",
        left(91),
        "deprecated",
        "its importance faded to 0.024, below 0.05, untouched for 91",
    ),
    ("said by the user", left(366) | {"origin": "user"}, "deprecated", "untouched for 366 days"),
    (
        "not used for three half-lives",
        left(181) | {"half_life": 60.0, "importance": 0.9},
        "deprecated",
        "untouched for 181 days, more than 3 half-lives of 60",
    ),
    ("past its day", left(1) | {"expires": NOW}, "expired", "its day has passed: 2027-01-15"),
    (
        "past its day, though pinned",
        left(1) | {"expires": NOW, "pinned": True},
        "expired",
        "its day has passed",
    ),
    (
        "a decision that says until when",
        left(2) | {"valid_to": NOW, "kind": "decision"},
        "deprecated",
        "it held until 2027-01-1",
    ),
    (
        "past its day, before anybody looked",
        left(1) | {"expires": NOW, "needs_review": True},
        "expired",
        "its day has passed",
    ),
    (
        "past its day, in quarantine",
        left(1) | {"expires": NOW, "state": "quarantined", "needs_review": True},
        "expired",
        "its day has passed",
    ),
    (
        "gone for a month",
        left(31) | {"state": "deprecated", "ended_why": "faded"},
        "removed",
        "deprecated since 2026-12-15, 31 days ago (faded)",
    ),
    (
        "taken back by the user",
        left(31) | {"state": "deleted", "origin": "user", "ended_by": "user"},
        "removed",
        "deleted since",
    ),
    (
        "dated by the user",
        left(31) | {"state": "expired", "origin": "user"},
        "removed",
        "expired since",
    ),
]


@pytest.mark.parametrize(
    ("facts", "becomes", "reason"),
    [case[1:] for case in GOES],
    ids=[case[0] for case in GOES],
)
def test_what_goes_says_why(facts: dict[str, object], becomes: str, reason: str) -> None:
    verdict = judged(aged(**facts), NOW, THRESHOLD, Kinds())
    assert verdict is not None
    assert verdict[0] == becomes
    assert reason in verdict[1]


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.half_life])
def test_each_fading_kind_goes_after_three_of_its_half_lives(kind: object) -> None:
    half_life, name = kind.half_life, kind.name  # type: ignore[attr-defined]
    facts: dict[str, object] = {"kind": name, "half_life": float(half_life), "importance": 1.0}
    assert judged(aged(**facts, **left(3 * half_life)), NOW, THRESHOLD, Kinds()) is None
    assert judged(aged(**facts, **left(3 * half_life + 1)), NOW, THRESHOLD, Kinds()) is not None


def test_no_threshold_takes_what_the_user_said_within_the_year() -> None:
    goes = []
    for threshold, importance, days in product(
        (0.0, 0.05, 0.5, 1.0), (0.05, 0.3, 1.0), (0, 1, 30, 89, 90, 364)
    ):
        for origin in ("user", "agent") if days <= QUIET_DAYS else ("user",):
            one = aged(importance=importance, origin=origin, **left(days))
            if judged(one, NOW, threshold, Kinds()):
                goes.append((threshold, importance, days, origin))
    assert goes == []
