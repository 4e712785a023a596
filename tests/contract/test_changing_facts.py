"""Facts that change: what replaces what, from which day on, and how it is taken back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.surfaces.verbs import review

if TYPE_CHECKING:
    from pathlib import Path


def at(day: str) -> int:
    return round(datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=UTC).timestamp() * 1000)


class Clock:
    def __init__(self, day: str) -> None:
        self.now = at(day)

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock("2026-06-20")


def texts(bird: Bowerbird, question: str, as_of: str | None = None) -> list[str]:
    return [hit.text for hit in bird.query(question, as_of=as_of)]


def test_a_change_in_other_words_ends_what_was_so_and_one_revert_undoes_it(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The database listens on port 5432")
        new = bird.remember("Since March the port of the database is 6432")
        assert new.decision == "superseded"
        assert bird.get(old.id).state == "superseded"
        assert texts(bird, "database port") == ["Since March the port of the database is 6432"]
        assert texts(bird, "database port", as_of="2026-02-01") == []
        bird.revert(new.id)
        assert bird.get(old.id).state == "active"


def test_a_fact_of_a_later_day_holds_from_that_day(tmp_path: Path, clock: Clock) -> None:
    later = "From 1 January 2027 the port of the database is 7000"
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The database listens on port 5432")
        new = bird.remember(later)
        assert new.decision == "superseded"
        assert bird.get(old.id).state == "active"
        for _ in range(2):  # as the resident caches have it, too
            assert texts(bird, "database port") == ["The database listens on port 5432"]
        assert texts(bird, "database port", as_of="2027-01-02") == [later]
        clock.now = at("2027-01-02")
        for _ in range(2):
            assert texts(bird, "database port") == [later]
        assert texts(bird, "database port", as_of="2026-12-30") == [
            "The database listens on port 5432"
        ]
        bird.prune()
        assert bird.get(old.id).state == "deprecated"


def test_a_statement_that_settles_a_contradiction_is_named_in_review(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        both = [bird.remember(f"Redis runs on port {port}").id for port in (6379, 6380)]
        assert {one.id for one in review.run(bird, {}).entries} == {*both}
        last = bird.remember("Since May Redis runs on port 7000")
        assert [bird.get(id).state for id in both] == ["superseded", "superseded"]
        shown = review.run(bird, {})
        assert not shown.entries
        assert {one.id for one in shown.settled} == {*both}
        assert {(one.by, one.by_summary) for one in shown.settled} == {
            (last.id, "Since May Redis runs on port 7000")
        }
        bird.revert(last.id)
        shown = review.run(bird, {})
        assert {one.id for one in shown.entries} == {*both}
        assert not shown.settled


def test_one_revert_takes_a_later_change_back(tmp_path: Path, clock: Clock) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        bird.remember("The database listens on port 5432")
        new = bird.remember("From 1 January 2027 the port of the database is 7000")
        bird.revert(new.id)
        clock.now = at("2027-01-02")
        assert texts(bird, "database port") == ["The database listens on port 5432"]


def test_what_holds_until_a_day_is_not_found_from_then_on(tmp_path: Path, clock: Clock) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        bird.remember("The discount code SPRING is valid until 30 June")
        assert texts(bird, "discount code SPRING")
        clock.now = at("2026-07-02")
        assert not texts(bird, "discount code SPRING")
        assert texts(bird, "discount code SPRING", as_of="2026-06-25")


def test_what_holds_for_a_time_ends_nothing(tmp_path: Path, clock: Clock) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The shop opens at 9:00")
        bird.remember("From 1 July until 31 August the shop opens at 10:00")
        assert bird.get(old.id).state == "active"
        assert not bird.get(old.id).review


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always squash commits before merging", "Never squash commits before merging"),
        ("Indent with tabs", "Indent with spaces"),
        ("We use GraphQL for the public API", "We decided against GraphQL for the public API"),
    ],
)
def test_rules_that_oppose_each_other_wait_in_review(
    tmp_path: Path, clock: Clock, old: str, new: str
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        first, second = bird.remember(old), bird.remember(new)
        states = {bird.get(first.id).state, bird.get(second.id).state}
        waits = bird.get(first.id).review and bird.get(second.id).review
        assert waits or "superseded" in states
