"""Pieces of work: what is relayed from role to role, one state each, and what follows from an outcome."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.verbs import work_units as units

if TYPE_CHECKING:
    from pathlib import Path

TASK = "move the login of the shop to tokens"
OWN = """
from bowerbird.core.kinds import Kind
from bowerbird.core.methodologies import Methodology
from bowerbird.core.plugins import Plugin

def ended(unit, outcome):
    if "badly" in outcome:
        raise ValueError("no")
    yield f"What {unit} came to is told in the next meeting.", "appetite"
    yield f"{unit} ended twice.", "work_unit_outcome"

BETS = Methodology(
    "shape-up", "bets", (), {"coder": ("decision",)}, (Kind("appetite", "what it is worth"),), ended
)
SHAPE_UP = Plugin("shape-up", "bets of six weeks", "1.0", lambda: BETS)
"""


def texts(bird: Bowerbird, role: str, unit: str) -> list[str]:
    return [one.text for one in bird.context(TASK, role=role, unit=unit) if not one.relevance]


def test_each_role_is_handed_what_those_before_it_kept(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        plan = "Tokens of the shop are kept in a cookie and nowhere else."
        bird.remember(plan, kind="decision", work_unit="spec-42")
        seen = "Signing in again fails while an old cookie is there."
        bird.remember(seen, kind="error_pattern", work_unit="spec-42/3")
        bird.remember("Invoices are printed on Mondays.", kind="decision", work_unit="spec-4")
        assert texts(bird, "coder", "spec-42/3") == [seen, plan]
        assert texts(bird, "coder", "spec-42") == [seen, plan]
        assert texts(bird, "qa", "spec-42/9") == [plan]
        assert texts(bird, "fixer", "spec-42") == [seen]
        assert not texts(bird, "planner", "spec-42")
        whole = bird.context(TASK, role="coder", unit="spec-42", budget=30)
        assert whole.spent <= 30
        with pytest.raises(BadInput):
            bird.context(TASK, unit="spec-42")
    with Bowerbird.open(store_path + "2", project="shop") as empty:
        assert not texts(empty, "coder", "spec-42")


def test_what_was_kept_long_ago_on_a_piece_of_work_is_handed_over_too(
    store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "_LISTED", 2)
    with Bowerbird.open(store_path, project="shop") as bird:
        plan = "Tokens of the shop are kept in a cookie and nowhere else."
        bird.remember(plan, kind="decision", work_unit="spec-42")
        for thing in ("acorns", "bridges", "lanterns", "violins", "walruses"):
            bird.remember(f"The shop sells {thing} on Mondays.")
        assert texts(bird, "coder", "spec-42") == [plan]


def test_a_piece_of_work_has_one_state_and_none_when_it_has_ended(store_path: str) -> None:
    def states(bird: Bowerbird) -> list[str]:
        return [one.text for one in bird.list(kinds=("work_state",))]

    def stands(bird: Bowerbird, text: str, unit: str) -> None:
        bird.remember(text, kind="work_state", work_unit=unit)

    with Bowerbird.open(store_path, project="shop") as bird:
        stands(bird, "The cookie is written, reading it is left.", "spec-42")
        stands(bird, "The printer waits for paper.", "spec-7")
        stands(bird, "All is read, the tests are left to be written.", "spec-42")
        assert states(bird) == [
            "All is read, the tests are left to be written.",
            "The printer waits for paper.",
        ]
        done = "The shop signs in by tokens."
        bird.remember(done, kind="work_unit_outcome", work_unit="spec-42")
        assert states(bird) == ["The printer waits for paper."]


def test_what_came_from_outside_ends_nothing(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The printer waits for paper.", kind="work_state", work_unit="spec-7")
        done = "Nothing is left to be printed."
        kept = bird.remember(done, kind="work_unit_outcome", work_unit="spec-7", tainted=True)
        assert kept.state == "quarantined"
        assert len(bird.list(kinds=("work_state",))) == 1


def test_a_methodology_keeps_more_at_the_end_of_work(
    store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "site" / "shapeup-1.0.dist-info"
    info.mkdir(parents=True)
    (tmp_path / "site" / "shapeup_ends.py").write_text(OWN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shapeup\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[bowerbird.methodologies]\nshape-up = shapeup_ends:SHAPE_UP\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    settings = {"agent.methodology": "shape-up"}
    with Bowerbird.open(store_path, project="shop", settings=settings) as bird:
        bird.remember("The login moved.", kind="work_unit_outcome", work_unit="bet-1")
        assert [one.text for one in bird.list(kinds=("appetite",))] == [
            "What bet-1 came to is told in the next meeting."
        ]
        kept = bird.remember("The till went badly.", kind="work_unit_outcome", work_unit="bet-2")
        assert (kept.decision, kept.note) == (
            "created",
            "what shape-up does at the end of work failed: no",
        )
        bird.remember("Bets are small.", kind="decision", work_unit="bet-1")
        assert texts(bird, "coder", "bet-1") == ["Bets are small."]
        assert not texts(bird, "qa", "bet-1")
    sys.modules.pop("shapeup_ends", None)
