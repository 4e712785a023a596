"""`bower prune` as a user types it, over a store that was not used for long."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.clock import system_clock
from bowerbird.core.life import DAY

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

FACT = "The staging database is called db3"
CHOICE = "We chose Postgres because two writers were too slow"
FAIR = "The fair in the park is open"


@pytest.fixture
def ids(store_path: str) -> list[str]:
    """A plain fact, a decision and what has an end, written 100 days ago."""

    def then() -> int:
        return system_clock() - 100 * DAY

    with Bowerbird.open(store_path, project="shop", clock=then) as bird:
        kept = [bird.remember(FACT), bird.remember(CHOICE, kind="decision")]
        return [one.id for one in (*kept, bird.remember(FAIR, expires="10d"))]


def test_a_dry_run_names_each_with_its_reason_and_changes_nothing(
    bower: Bower, ids: list[str]
) -> None:
    dry = bower("prune", "--dry-run", "--project", "shop").data
    assert {(one["id"], one["becomes"]) for one in dry["memories"]} == {
        (ids[0], "deprecated"),
        (ids[2], "expired"),
    }
    assert (dry["pruned"], dry["removed"], dry["remaining"], dry["dry_run"]) == (2, 0, 1, True)
    assert all(one["reason"] and one["summary"] for one in dry["memories"])
    # Not by `get`, which would be a use.
    assert bower("list", "--project", "shop").data["count"] == 2
    done = bower("prune", "--project", "shop").data
    assert done["memories"] == dry["memories"]
    assert bower("prune", "--project", "shop").data["pruned"] == 0


def test_what_went_is_listed_explained_and_brought_back(bower: Bower, ids: list[str]) -> None:
    bower("prune", "--project", "shop")
    listed = bower("list", "--state", "deprecated", "--project", "shop").data["entries"]
    assert [one["id"] for one in listed] == [ids[0]]
    assert "importance faded to 0.0" in listed[0]["reason"]
    assert bower("list", "--state", "expired", "--project", "shop").data["count"] == 1
    status = bower("status", "--project", "shop").data
    assert status["pruned"] == {"deprecated": 1, "expired": 1, "removed": 0}
    assert status["pruned_at"].endswith("Z")
    assert set(bower("revert", ids[0], "--yes").data["memories"]) == {ids[0], ids[2]}
    entry = bower("get", ids[0]).data
    assert (entry["state"], entry["importance"]) == ("active", 0.05)
    assert 0 < entry["effective_importance"] < 0.03
    assert entry["current_confidence"] == 0.8


def test_another_project_and_what_is_not_asked_for_stay(bower: Bower, ids: list[str]) -> None:
    assert bower("prune", "--project", "bakery").data["pruned"] == 0
    assert bower("prune", "--all-projects", "--dry-run").data["pruned"] == 2
    assert bower("prune", "--threshold", "0", "--dry-run", "--project", "shop").data["pruned"] == 1
    assert bower("get", ids[0]).data["state"] == "active"


def test_it_reads_well_on_a_terminal(terminal: Bower, bower: Bower, ids: list[str]) -> None:
    dry = terminal("prune", "--dry-run", "--project", "shop").out
    assert "Would be 1 deprecated, 1 expired; 1 memory in force" in dry
    assert "nothing was changed" in dry
    done = terminal("prune", "--project", "shop").out
    assert FACT in done
    assert "below 0.05, untouched for 100 days" in done
    assert f"take back 2 of them: bower revert {ids[0][:18]}" in done
    assert "1 deprecated, 1 expired" in terminal("status", "--project", "shop").out
    assert "Nothing to prune, 1 memory in force" in terminal("prune", "--project", "shop").out
    assert "nothing pruned" in terminal("status", "--project", "shop").out
    shown = terminal("get", ids[0]).out
    assert "deprecated: its importance faded" in shown
    assert f"bower revert {ids[0][:18]}" in shown
    listed = terminal("list", "--state", "deprecated", "--project", "shop").out
    assert "untouched for 100 days" in listed
    page = bower("prune", "--all-projects", "--format", "markdown").out
    assert page.startswith("Nothing to prune")
    alone = next(line for line in shown.splitlines() if "--to" in line).split()[-3:]
    assert bower("revert", *alone, "--yes").data["memories"] == [ids[0]]
    assert bower("list", "--state", "expired", "--project", "shop").data["count"] == 1


def test_mistakes_are_named_and_nothing_is_made(bower: Bower, store_path: str) -> None:
    for wrong in ("2", "-1", "nan", "much"):
        ran = bower("prune", "--threshold", wrong)
        assert ran.code == 2
        assert ran.data["remedy"]
    assert bower("prune").data["pruned"] == 0
    assert not os.path.exists(store_path)
