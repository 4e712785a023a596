"""Of two memories that contradict each other and wait for review, agents are told one meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.injected import Injection
from bowerbird.core.types import GLOBAL, SHORT_ID
from bowerbird.core.who import USER, Who
from bowerbird.sessions.inject.brief import Start, brief
from bowerbird.sessions.inject.instruction_files import InstructionFiles
from bowerbird.sessions.inject.prompt import for_prompt
from bowerbird.sessions.inject.withheld import withheld
from bowerbird.surfaces.hooks.rendering import enveloped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OLD = "The mobile team is led by Tomasz."
NEW = "The mobile team is led by Ada."
QUESTION = "who leads the mobile team?"


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def told(bird: Bowerbird) -> set[str]:
    """The memory that a prompt, a brief and a context tell: the same everywhere."""
    sure = lambda one: not withheld(one, 0.0, GLOBAL)  # noqa: E731
    prompt = [one.id for one in for_prompt(bird, QUESTION, (), sure).items]
    assert [one.id for one in bird.context(QUESTION).items] == prompt
    return {*prompt}


def kept(bird: Bowerbird, *texts: str, **about: Any) -> list[str]:
    return [bird.remember(text, origin="user", **about).id for text in texts]


@pytest.mark.parametrize(
    ("first", "second", "standing"),
    [("user", "user", 1), ("user", "agent", 0), ("agent", "user", 1)],
)
def test_the_side_that_stands_is_told(
    bird: Bowerbird, first: str, second: str, standing: int
) -> None:
    old = bird.remember(OLD, origin=first)
    new = bird.remember(NEW, origin=second)
    assert bool(new.needs_review)
    assert told(bird) == {(old.id, new.id)[standing]}
    assert len(bird.query(QUESTION).hits) == 2
    which = "this one" if standing else "the other one"
    assert new.reason.endswith(f"; agents get {which} until then")


def test_of_two_agents_both_are_told_the_newer_first_each_with_a_remark(bird: Bowerbird) -> None:
    old, new = bird.remember(OLD, origin="agent"), bird.remember(NEW, origin="agent")
    assert new.reason.endswith("; agents get both until then")
    assert told(bird) == {new.id, old.id}
    items = bird.context(QUESTION).items
    assert [one.id for one in items] == [new.id, old.id]
    assert all(one.review.endswith(" says otherwise; bower review") for one in items)


def test_its_note_says_that_another_says_otherwise_and_not_what(bird: Bowerbird) -> None:
    kept(bird, OLD, NEW)
    (item,) = bird.context(QUESTION).items
    assert item.review.startswith("another of ")
    assert item.review.endswith(" says otherwise; bower review")
    assert item.linked == ()
    (item,) = for_prompt(bird, QUESTION, (), lambda _: True).items
    assert "says otherwise; bower review" in enveloped(Injection("prompt", "", (item,)), "0")


def test_a_session_begins_with_the_rule_that_stands(bird: Bowerbird, tmp_path: Path) -> None:
    rules = ("We always deploy on Mondays.", "We always deploy on Tuesdays.")
    _, new = kept(bird, *rules, kind="requirement")
    start = Start("s", "main", InstructionFiles("", str(tmp_path)))
    assert [one.id for one in brief(bird, (), start, lambda _: True).items] == [new]


def test_of_three_the_latest_words_of_the_person_are_told(bird: Bowerbird) -> None:
    *_, last = kept(bird, OLD, NEW, "The mobile team is led by Noor.")
    assert told(bird) == {last}


def test_what_was_called_wrong_is_told_by_no_hook(bird: Bowerbird) -> None:
    _, new = kept(bird, OLD, NEW)
    bird.acting(Who(USER, USER)).flag(new, "she left", session="a")
    hits = for_prompt(bird, QUESTION, (), lambda one: not withheld(one, 0.0, GLOBAL)).items
    assert new not in {one.id for one in hits}


def test_what_somebody_else_said_gives_way(bird: Bowerbird) -> None:
    old = bird.remember(OLD, origin="user")
    new = bird.remember(NEW, origin="import")
    assert told(bird) == {old.id}
    assert new.needs_review
    assert old.id[:SHORT_ID] in new.review


@pytest.mark.parametrize("first", ["user", "agent", "import"])
def test_what_a_person_says_later_of_their_project_is_told_there_before_a_memory_of_all(
    bird: Bowerbird, first: str
) -> None:
    old = bird.remember(OLD, origin=first, everywhere=True)
    new = bird.remember(NEW, origin="user")
    assert new.needs_review
    assert told(bird) == {new.id}
    assert "agents get this one" in new.reason
    assert not bird.get(old.id).review  # other projects are not told what this one says


def test_a_memory_of_all_projects_by_a_person_is_told_before_what_an_agent_says(
    bird: Bowerbird,
) -> None:
    old = bird.remember(OLD, origin="user", everywhere=True)
    new = bird.remember(NEW, origin="agent")
    assert told(bird) == {old.id}
    assert "agents get the other one" in new.reason
