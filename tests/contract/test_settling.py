"""What is decided by hand holds for every memory that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.types import SHORT_ID
from bowerbird.core.who import AGENT, USER, Who
from bowerbird.surfaces.verbs import review

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OLD = "Redis runs on port 6379"
NEW = "Redis runs on port 6380"


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def waiting(bird: Bowerbird) -> list[str]:
    return [one.id for one in bird.list(needs_review=True)]


def test_a_link_that_says_supersedes_does_so_and_can_be_taken_back(bird: Bowerbird) -> None:
    old, new = bird.remember("The wiki runs on Confluence"), bird.remember("We write in Outline")
    bird.link(new.id, old.id, kind="supersedes")
    assert bird.get(old.id).state == "superseded"
    assert bird.get(new.id).state == "active"
    assert [hit.id for hit in bird.query("what does the wiki run on?").hits] != [old.id]
    bird.revert(new.id)
    assert bird.get(old.id).state == "active"
    assert bird.history(old.id).relations == ()


def test_what_is_trusted_less_supersedes_nothing_by_a_link(bird: Bowerbird) -> None:
    old = bird.remember("The wiki runs on Confluence")
    new = bird.remember("We write in Outline", origin="import")
    with pytest.raises(BadInput, match="trusted more"):
        bird.link(new.id, old.id, kind="supersedes")
    assert bird.get(old.id).state == "active"


def test_a_contradiction_that_a_link_settles_clears_every_side(bird: Bowerbird) -> None:
    old, new = bird.remember(OLD), bird.remember(NEW)
    assert sorted(waiting(bird)) == sorted([old.id, new.id])
    bird.link(new.id, old.id, kind="supersedes")
    assert waiting(bird) == []
    bird.revert(new.id)
    assert sorted(waiting(bird)) == sorted([old.id, new.id])


def test_a_contradiction_that_a_later_statement_settles_clears_every_side(bird: Bowerbird) -> None:
    old, new = bird.remember(OLD), bird.remember(NEW)
    last = bird.remember("Redis no longer runs on port 6379")
    assert bird.get(old.id).state == "superseded"
    assert new.id not in waiting(bird)
    assert old.id not in waiting(bird)
    assert last.decision == "superseded"


def confirm(bird: Bowerbird, text: str) -> str:
    return bird.remember(text, origin="user", verified=True).id


@pytest.mark.parametrize("wins", [OLD, NEW])
def test_after_a_person_settled_a_contradiction_one_side_is_active(
    bird: Bowerbird, wins: str
) -> None:
    ids = {text: bird.remember(text).id for text in (OLD, NEW)}
    before = sorted(waiting(bird))
    other = ids[NEW if wins == OLD else OLD]
    assert confirm(bird, wins) == ids[wins]
    assert waiting(bird) == []
    assert [bird.get(id).state for id in (ids[wins], other)] == ["active", "superseded"]
    assert [hit.text for hit in bird.query("which port does redis run on?")] == [wins]
    bird.revert(ids[wins])
    assert bird.get(other).state == "active"
    assert sorted(waiting(bird)) == before
    assert not [one for one in bird.history(other).relations if one.kind == "supersedes"]


@pytest.mark.parametrize("then", ["unpin", "confirm", "both", "reject"])
def test_a_pinned_memory_stays_and_waits_until_a_person_decides_on_it(
    bird: Bowerbird, then: str
) -> None:
    old, new = bird.remember(OLD, pinned=True), bird.remember(NEW)
    (case,) = bird.waiting(new.id).cases
    assert case.effects[0].code == "pinned"
    done = review.run(bird, {"confirm": [new.id]})
    assert ([one.id for one in done.entries], done.left) == ([new.id, old.id], 1)
    assert [bird.get(one.id).state for one in (old, new)] == ["active", "active"]
    assert waiting(bird) == bird.admin.queue() == [old.id]
    assert new.id[:SHORT_ID] in bird.get(old.id).review
    if then == "unpin":
        bird.edit(old.id, pinned=False)
        review.run(bird, {"confirm": [new.id]})
    elif then == "confirm":
        review.run(bird, {"confirm": [old.id]})
    elif then == "both":
        review.run(bird, {"both": [old.id]})
    else:
        review.run(bird, {"reject": [old.id]})
    ended = {"unpin": "superseded", "reject": "deleted"}
    assert bird.get(old.id).state == ended.get(then, "active")
    assert bird.get(new.id).state == "active"
    assert waiting(bird) == []


def test_taking_back_a_confirmation_beside_a_pinned_memory_lets_both_wait(bird: Bowerbird) -> None:
    old, new = bird.remember(OLD, pinned=True), bird.remember(NEW)
    before = bird.get(old.id).review
    confirm(bird, NEW)
    bird.revert(new.id)
    assert sorted(waiting(bird)) == sorted([old.id, new.id])
    assert bird.get(old.id).review == before


def test_a_person_changes_what_they_verified_themselves_before(bird: Bowerbird) -> None:
    old = bird.remember(OLD, origin="user", verified=True)
    new = bird.remember(NEW, origin="agent")
    assert bird.get(old.id).state == "active"
    again = bird.remember(NEW, origin="user", verified=True)
    assert again.id == new.id
    assert [bird.get(one.id).state for one in (old, new)] == ["superseded", "active"]
    assert waiting(bird) == []
    bird.revert(new.id)
    assert bird.get(old.id).state == "active"


@pytest.mark.parametrize("older_first", [False, True])
def test_both_sides_hold_where_a_person_confirms_both(bird: Bowerbird, older_first: bool) -> None:
    old, new = bird.remember(OLD), bird.remember(NEW)
    review.run(bird, {"confirm": [old.id, new.id] if older_first else [new.id, old.id]})
    assert [bird.get(one.id).state for one in (old, new)] == ["active", "active"]
    assert waiting(bird) == []
    review.run(bird, {"confirm": [new.id]})
    assert bird.get(old.id).state == "active"


STORED = "We decided to take SQLite over Postgres for the local store of shop"


@pytest.mark.parametrize(
    "again",
    [
        f"{STORED} today",
        f"{STORED}, nowadays.",
        f"Today {STORED[0].lower()}{STORED[1:]}",
        f"{STORED} again",
        f"Again: {STORED}",
        f"As said, {STORED[0].lower()}{STORED[1:]}",
        f"Like I told you, {STORED[0].lower()}{STORED[1:]}",
        f"As I already said before, {STORED[0].lower()}{STORED[1:]}",
        f"{STORED}, as I said.",
        f"Wie gesagt, {STORED[0].lower()}{STORED[1:]}",
        f"Once again, {STORED[0].lower()}{STORED[1:]}",
    ],
)
def test_a_repetition_that_says_when_is_known(bird: Bowerbird, again: str) -> None:
    kept = bird.remember(STORED)
    told = bird.remember(again)
    assert (told.decision, told.id) == ("known", kept.id)
    assert waiting(bird) == []


def test_a_repetition_with_another_word_is_no_contradiction(bird: Bowerbird) -> None:
    bird.remember(STORED)
    bird.remember(f"{STORED} unanimously")
    assert waiting(bird) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The api listens on port 5432. It needs TLS.", "The api does not listen on port 5432."),
        ("The cron runs on Sundays.", "The cron doesn't run on Sundays. Ask Mira for the reason."),
        ("Der Dienst braucht Redis. Er startet zuletzt.", "Der Dienst braucht Redis nicht."),
        ("The flags live in Vela.", "The flags do not live in Vela; they are in Corvus."),
    ],
)
def test_a_negation_is_seen_beside_another_sentence(bird: Bowerbird, old: str, new: str) -> None:
    kept, told = bird.remember(old), bird.remember(new)
    assert sorted(waiting(bird)) == sorted([kept.id, told.id])


def test_telling_a_quarantined_memory_again_as_a_user_confirms_that_one(bird: Bowerbird) -> None:
    kept = bird.remember("The staging key rotates on Mondays", origin="import", tainted=True)
    assert bird.get(kept.id).state == "quarantined"
    again = bird.remember("The staging key rotates on Mondays", origin="user")
    assert again.id == kept.id
    assert (again.decision, again.state) == ("known", "active")
    assert bird.get(kept.id).trust == "full"
    assert waiting(bird) == []
    bird.revert(kept.id)
    assert (bird.get(kept.id).state, bird.get(kept.id).trust) == ("quarantined", "low")


def test_going_back_to_before_a_person_confirmed_a_memory_lowers_its_trust(bird: Bowerbird) -> None:
    kept = bird.remember("The staging key rotates on Mondays", origin="import", tainted=True)
    bird.remember("The staging key rotates on Mondays", origin="user")
    first = bird.history(kept.id).versions[0]
    bird.revert(kept.id, first.id)
    assert (bird.get(kept.id).state, bird.get(kept.id).trust) == ("quarantined", "low")


def test_an_agent_that_tells_a_quarantined_memory_again_confirms_nothing(bird: Bowerbird) -> None:
    kept = bird.remember("The staging key rotates on Mondays", origin="import", tainted=True)
    bird.remember("The staging key rotates on Mondays", origin="agent")
    assert bird.get(kept.id).state == "quarantined"


def person_and_agent(bird: Bowerbird) -> tuple[Bowerbird, Bowerbird]:
    return bird.acting(Who(USER, USER)), bird.acting(Who(AGENT, AGENT))


def test_what_is_decided_about_one_answers_no_question_between_two_others(
    bird: Bowerbird,
) -> None:
    person, agent = person_and_agent(bird)
    seven = person.remember("Deploys go out at seven in the morning, never on a Friday").id
    kept = person.remember("We deploy on Tuesdays", confidence=1.0).id
    claim = agent.remember("We deploy on Wednesdays").id
    assert person.admin.queue() == [claim]
    review.run(person, {"reject": [claim]})
    assert person.admin.queue() == [kept]
    assert sorted(waiting(bird)) == sorted([seven, kept])
    bird.revert(claim)
    assert person.admin.queue() == [claim]
    # What a program takes back, nobody has looked at.
    agent.forget(claim)
    assert person.admin.queue() == [kept]


@pytest.mark.parametrize("verdict", ["reject", "both"])
@pytest.mark.parametrize("decided", [0, 1, 2])
def test_of_three_values_two_wait_where_the_third_was_decided_on(
    bird: Bowerbird, verdict: str, decided: int
) -> None:
    person, _ = person_and_agent(bird)
    ids = [person.remember(f"Redis runs on port {port}").id for port in (6380, 6381, 6379)]
    review.run(person, {verdict: [ids[decided]]})
    left = [id for id in ids if id not in waiting(bird)]
    if verdict == "reject":
        assert left == [ids[decided]]
    assert person.admin.queue()


@pytest.mark.parametrize("ended", ["forget", "erase", "deprecate", "supersede", "reject"])
def test_two_that_a_person_said_both_hold_are_asked_about_no_more(
    bird: Bowerbird, ended: str
) -> None:
    person, agent = person_and_agent(bird)
    first, second = (agent.remember(f"The nightly job starts at {at} o'clock").id for at in (2, 4))
    review.run(person, {"both": [second]})
    assert person.admin.queue() == []
    third = agent.remember("The nightly job starts at 5 o'clock").id
    assert person.admin.queue() == [third]
    # As an import or another device may leave it.
    short = third[:SHORT_ID]
    bird.edit(first, review=f"{short} contradicts it: another number", origin="user", verified=True)
    match ended:
        case "forget":
            agent.forget(third)
        case "erase":
            person.admin.erase(third)
        case "deprecate":
            agent.deprecate([third])
        case "supersede":
            newer = agent.remember("Cron starts what runs at night").id
            agent.link(newer, third, "supersedes")
        case "reject":
            review.run(person, {"reject": [third]})
    assert waiting(bird) == []
    assert [bird.get(id).state for id in (first, second)] == ["active", "active"]


def test_what_a_program_claims_against_several_waits_until_none_is_left(bird: Bowerbird) -> None:
    person, agent = person_and_agent(bird)
    agent.remember("The nightly job starts at 2 o'clock")
    person.remember("The nightly job starts at 4 o'clock", confidence=1.0, verified=True)
    claim = agent.remember("The nightly job starts at 5 o'clock").id
    (case,) = person.waiting(claim).cases
    assert case.other is not None
    bird.forget(case.other.id)
    assert claim in person.admin.queue()
    (case,) = person.waiting(claim).cases
    assert case.other is not None
    assert "number" in bird.get(claim).review
    review.run(person, {"both": [claim]})
    assert person.admin.queue() == []


def test_a_person_who_takes_their_word_back_leaves_nothing_to_decide(bird: Bowerbird) -> None:
    person, _ = person_and_agent(bird)
    person.remember(OLD)
    taught = person.remember(NEW).id
    before = next(one for one in bird.score().parts if one.name == "settled")
    assert (before.good, before.all) == (0, 1)
    person.revert(taught)
    after = next(one for one in bird.score().parts if one.name == "settled")
    assert (after.good, after.all) == (0, 0)
    assert waiting(bird) == []
