"""Weights of phases: what was used where, what follows, and that nothing follows by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig
from bowerbird.core.phases import PHASES
from bowerbird.sessions.experiment.phase_weights import SESSIONS, phases, setting, weighed
from bowerbird.storage.outcomes import Outcomes

if TYPE_CHECKING:
    from pathlib import Path

NOW = {name: one.weights for name, one in PHASES.items()}


def ended(session: int, cited: tuple[str, ...] = ("g",)) -> dict[str, Any]:
    """A session that was handed a gotcha and a decision while it changed files."""
    reported = [["gotcha", "implement"], ["decision", "implement"]]
    named = [f"{one}{session}" for one in cited]
    given = [f"g{session}", f"d{session}"]
    return {
        "what": "used",
        "session": str(session),
        "given": given,
        "cited": named,
        "told": reported,
    }


def test_what_is_used_more_than_the_rest_is_proposed_to_weigh_more() -> None:
    sessions, rows = weighed([ended(number) for number in range(SESSIONS)], NOW)
    assert sessions == SESSIONS
    found = {row.kind: row for row in rows}
    assert (found["gotcha"].used, found["gotcha"].given, found["gotcha"].others_used) == (30, 30, 0)
    assert (found["gotcha"].weight, found["gotcha"].proposed) == (1.4, 1.75)
    assert (found["decision"].weight, found["decision"].proposed) == (1.0, 0.8)
    text = setting(rows, {"define": {"decision": 1.3}})
    assert text == "define.decision=1.3, implement.decision=0.8, implement.gotcha=1.75"


def test_too_few_sessions_and_chance_propose_nothing() -> None:
    few = weighed([ended(number) for number in range(SESSIONS - 1)], NOW)[1]
    assert [row.chance for row in few] == [None, None]
    either = [ended(number, ("g",) if number % 2 else ("d",)) for number in range(2 * SESSIONS)]
    same = weighed(either, NOW)[1]
    assert all(row.chance is not None and row.chance > 0.5 for row in same)
    assert {row.proposed for row in (*few, *same)} == {None}
    assert not setting(same, {})


def test_only_what_is_tested_counts_in_the_correction() -> None:
    some = [ended(number, ("g",) if number % 3 else ("d",)) for number in range(SESSIONS)]
    rare = ("fact", "pattern", "dead_end", "procedure", "requirement", "preference")
    seldom: dict[str, Any] = {"what": "used", "session": "0", "given": [*rare], "cited": []}
    seldom["told"] = [[kind, "define"] for kind in rare]
    alone, beside = (weighed(outcomes, NOW)[1] for outcomes in (some, [*some, seldom]))
    (chance,) = {row.chance for row in alone if row.kind == "gotcha"}
    assert chance is not None
    assert 0.05 / 8 < chance < 0.05 / 2
    assert [row.proposed for row in alone] == [row.proposed for row in beside if row.given > 1]
    assert {row.kind: row.proposed for row in alone} == {"gotcha": 1.75, "decision": 0.8}


def test_what_a_person_says_counts_more_than_a_citation() -> None:
    verdicts = [{"what": "rejected", "id": f"g{number}"} for number in range(SESSIONS)]
    verdicts += [{"what": "confirmed", "id": f"d{number}"} for number in range(SESSIONS)]
    rows = weighed([*[ended(number) for number in range(SESSIONS)], *verdicts], NOW)[1]
    assert {row.kind: row.proposed for row in rows} == {"decision": 1.25, "gotcha": 1.12}


def test_the_phase_is_what_the_session_did_there() -> None:
    def gave(id: str) -> dict[str, Any]:
        return {"what": "gave", "items": [{"id": id}]}

    read = {"what": "called", "tool": "Read", "paths": ["a.py"]}
    edit = {"what": "called", "tool": "Edit", "paths": ["a.py"]}
    test = {"what": "called", "tool": "Bash", "command": "pytest -q"}
    failed = test | {"what": "failed", "failed": True}
    steps = [
        gave("a"),
        *[read] * 5,
        gave("b"),
        edit,
        *[read] * 5,
        gave("c"),
        failed,
        gave("d"),
        edit,
    ]
    assert phases(steps) == {"a": "explore", "b": "implement", "c": "implement", "d": "refine"}
    assert phases([read, gave("e"), read, test]) == {"e": "validate"}


def test_weights_count_once_they_are_set(store_path: str) -> None:
    outcomes = Outcomes(store_path)
    for number in range(SESSIONS):
        outcome = ended(number)
        outcome.pop("what")
        outcomes.add("shop", number, "used", number, **outcome)
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The queue of the shop is drained by hand.", kind="gotcha")
        comparison = bird.admin.sessions(compare=True).comparison
    assert comparison is not None
    assert comparison.proposal == "implement.decision=0.8, implement.gotcha=1.75"
    own = {"agent.phase_weights": "implement.gotcha=1.75, implement.decision=4"}
    with Bowerbird.open(store_path, project="shop", settings=own) as bird:
        packed = bird.context("drain the queue by hand", phase="implement")
        assert packed.phase == "implement"  # what they change: tests/contract/test_methodologies.py
        again = bird.admin.sessions(compare=True).comparison
    assert again is not None
    # What was proposed and taken is not proposed again, however often the same sessions are looked at.
    assert {row.kind: row.proposed for row in again.weighed} == {"gotcha": None, "decision": 0.8}
    assert {row.kind: row.weight for row in again.weighed} == {"gotcha": 1.75, "decision": 4.0}


@pytest.mark.parametrize(
    "wrong", ["gotcha=2", "implement.gotcha", "implement.gotcha=9", "now.fact=1"]
)
def test_weights_that_are_none_are_refused(wrong: str, store_path: str) -> None:
    settings = {"agent.phase_weights": wrong}
    with Bowerbird.open(store_path, settings=settings) as bird, pytest.raises(BadConfig):
        bird.context("drain the queue", phase="implement")


def test_a_project_may_not_weigh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".bowerbird.toml").write_text('agent.phase_weights = "implement.gotcha=4"\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadConfig):
        Bowerbird.open(str(tmp_path / "memory.db"))
