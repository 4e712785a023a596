"""What held on a day, in the words of that day."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.types import DIGEST

if TYPE_CHECKING:
    from tests.contract.conftest import Hands

    from bowerbird import Bowerbird

# Counts are left out that take longer than half a second: not so on a busy machine, here.
LONG = 60.0
JANUARY, APRIL, JUNE = "2026-01-15", "2026-04-01", "2026-06-10"


def texts(bird: Bowerbird, as_of: str | None = None, ask: str | None = None) -> set[str]:
    if ask is None:
        return {one.text for one in bird.list(as_of=as_of)}
    return {hit.text for hit in bird.query(ask, as_of=as_of, min_score=0.3)}


def test_what_was_superseded_holds_until_the_newer_one_does(bird: Bowerbird, hands: Hands) -> None:
    old = bird.remember("the port of the database is 5432")
    hands.days(150)
    new = bird.remember("since March the port of the database is 6432")
    hands.days(30)
    ask = "which port has the database?"
    assert texts(bird, JANUARY, ask) == {"the port of the database is 5432"}
    assert texts(bird, APRIL, ask) == texts(bird, None, ask) == {new.summary}
    assert [one.text for one in bird.context(ask, as_of=JANUARY)] == [
        "the port of the database is 5432"
    ]
    eras = bird.history(old.id).eras
    assert eras == bird.history(new.id).eras
    assert [(one.id, one.until) for one in eras] == [(old.id, eras[1].since), (new.id, None)]
    with pytest.raises(NotFound, match="not known then"):
        bird.get(new.id, as_of=JANUARY)
    # The past changes by a version: the newer one holds from later on, then was never said.
    bird.edit(new.id, valid_from="2026-05-01")
    assert texts(bird, APRIL, ask) == {"the port of the database is 5432"}
    bird.revert(new.id)
    assert texts(bird, APRIL, ask) == {new.summary}
    bird.revert(new.id)
    assert texts(bird, APRIL, ask) == {"the port of the database is 5432"}


def test_since_when_something_held_is_put_right_after_it_was_superseded(
    bird: Bowerbird, hands: Hands
) -> None:
    first, second, third = (f"the port of the database is {port}" for port in (5432, 6432, 7432))
    oldest = bird.remember(first).id
    hands.days(60)
    middle = bird.remember(second).id
    hands.days(60)
    newest = bird.remember(third).id
    assert bird.get(middle).state == "superseded"
    january, february, march = "2026-01-15", "2026-02-15", "2026-03-20"
    assert [texts(bird, day) for day in (january, february)] == [{first}, {first}]
    before = len(bird.history(middle).versions)
    done = bird.edit(middle, valid_from="2026-02-01")
    assert "valid_from" in done.changed
    assert done.state == "superseded"
    assert [texts(bird, day) for day in (january, february, march)] == [{first}, {second}, {second}]
    assert texts(bird) == {third}
    eras = bird.history(middle).eras
    assert [one.id for one in eras] == [oldest, middle, newest]
    assert all(one.until == later.since for one, later in pairwise(eras))
    assert len(bird.history(middle).versions) == before + 1
    with pytest.raises(BadInput, match=r"held until 2026-.*, and cannot hold from 2026-12"):
        bird.edit(middle, valid_from="2026-12-01")
    with pytest.raises(BadInput, match="is superseded"):
        bird.edit(middle, valid_from="2026-02-02", tags=["db"])
    bird.revert(middle)
    assert texts(bird, february) == {first}
    bird.deprecate([newest])
    bird.edit(newest, valid_from="2026-04-15")
    assert texts(bird) == set()
    assert texts(bird, "2026-04-20") == {third}


@pytest.mark.parametrize(
    ("text", "since"), [(None, "2026-03-01"), ("Since March 2026 the port is 6432", None)]
)
def test_what_it_replaced_holds_until_the_corrected_day(
    bird: Bowerbird, hands: Hands, text: str | None, since: str | None
) -> None:
    first, second = (f"the port of the database is {port}" for port in (5432, 7432))
    oldest = bird.remember(first).id
    hands.days(110)
    middle = bird.remember(second).id
    hands.days(50)
    new = bird.remember("the port of the database is 6432").id
    hands.days(10)
    assert texts(bird, APRIL) == {first}
    assert bird.get(middle).state == "superseded"
    bird.edit(new, text, valid_from=since)
    now = texts(bird)
    assert len(now) == 1
    # What was said in May and ended in March never held, and the first ended in March, too.
    for day in (APRIL, "2026-05-10", JUNE):
        assert len(texts(bird, day)) == 1, day
        assert texts(bird, day).isdisjoint({first, second}), day
    assert texts(bird, JANUARY) == {first}
    eras = {one.id: one for one in bird.history(new).eras}
    assert eras[oldest].until == eras[new].since
    assert eras[middle].until == eras[middle].since
    bird.revert(new)
    assert texts(bird, APRIL) == {first}
    assert texts(bird, "2026-05-10") == {second}
    chain = bird.history(new).eras
    assert [(before.until, before.id) for before, _ in pairwise(chain)] == [
        (chain[1].since, oldest),
        (chain[2].since, middle),
    ]
    assert bird.get(oldest).state == "superseded"


def test_what_it_replaced_holds_still_when_it_turns_out_to_be_a_plan(
    bird: Bowerbird, hands: Hands
) -> None:
    first, second = (f"the port of the database is {port}" for port in (5432, 6432))
    old = bird.remember(first).id
    hands.days(150)
    new = bird.remember(second).id
    bird.edit(new, valid_from="2030-01-01")
    assert bird.get(old).state == "active"
    assert texts(bird) == {first, second}
    assert texts(bird, "2030-02-01") == {second}
    bird.edit(new, valid_from="2026-03-01")
    assert texts(bird) == texts(bird, APRIL) == {second}
    assert texts(bird, JANUARY) == {first}
    bird.revert(new)
    bird.revert(new)
    assert texts(bird) == {second}
    assert texts(bird, APRIL) == {first}


def test_whoever_corrects_the_day_corrects_what_held_since_then(
    bird: Bowerbird, hands: Hands
) -> None:
    """What was said first is no answer about a day of which it is known by now that it was wrong."""
    said = bird.remember("Since February 2026 the shop runs on Postgres 16")
    hands.days(120)
    first, corrected = said.summary, "Since March 2026 the shop runs on Postgres 17"
    assert texts(bird, "2026-02-10") == texts(bird, JUNE) == {first}
    bird.edit(said.id, corrected)
    hands.days(1)
    ask = "which version does the shop run on?"
    assert texts(bird, "2026-02-10") == texts(bird, "2026-02-10", ask) == set()
    for day in (APRIL, None):
        assert texts(bird, day) == texts(bird, day, ask) == {corrected}
        assert bird.get(said.id, as_of=day).text == corrected
    # Another wording of the same is what was believed since it was written, as ever.
    bird.edit(said.id, "Since March 2026 the shop runs on Postgres 17.2")
    hands.days(1)
    assert texts(bird, APRIL) == {corrected}
    bird.revert(said.id)
    bird.revert(said.id)
    assert texts(bird, APRIL) == {first}


def test_what_was_reworded_or_forgotten_is_found_in_its_old_words(
    bird: Bowerbird, hands: Hands
) -> None:
    bird.remember("Backups go to tape every night")
    deploy = bird.remember("We deploy with Kubernetes on Fridays", tags=["release"])
    build = bird.remember("The CI runs on Jenkins behind the firewall")
    hands.days(100)
    bird.edit(deploy.id, "We deploy with Nomad on Mondays")
    bird.forget(build.id)
    hands.days(1)
    assert texts(bird, JANUARY, "kubernetes") == {"We deploy with Kubernetes on Fridays"}
    assert texts(bird, None, "kubernetes") == set()
    assert texts(bird, JANUARY, "jenkins") == {"The CI runs on Jenkins behind the firewall"}
    # By meaning alone, of the text of then.
    (best, *_) = bird.query("orchestrating containers at the weekend", as_of=JANUARY, weak=True)
    assert best.text == "We deploy with Kubernetes on Fridays"
    then = bird.get(deploy.id, as_of=JANUARY)
    assert (then.text, then.tags, then.state) == (best.text, ("release",), "active")
    assert then.details is not None
    assert then.details.version == bird.history(deploy.id).versions[0].id
    assert bird.get(build.id, as_of=JANUARY).state == "active"


def test_filters_are_by_the_fields_of_then(bird: Bowerbird, hands: Hands) -> None:
    text = "The coffee of the shop is roasted in Linz"
    bird.remember("Deploys run on Mondays", kind="fact", tags=["beta"])
    first: dict[str, Any] = {"kind": "fact", "tags": ["Alpha"], "files": ["src/old.py"]}
    first |= {"modules": ["roasting"], "confidence": 0.9, "scope": "module"}
    first |= {"citation": "coffee origin"}
    said = bird.remember(text, **first)
    hands.days(50)
    later: dict[str, Any] = {"kind": "preference", "tags": ["beta"], "files": ["lib/new.py"]}
    later |= {"modules": ["web/pages"], "confidence": 0.3, "scope": "global"}
    later |= {"citation": "shop origin", "review": "who says so?"}
    bird.edit(said.id, **later)
    hands.days(1)
    then: list[dict[str, Any]] = [
        {"kinds": ["fact"]},
        {"tags": ["alpha"]},
        {"path": "src/"},
        {"path": "*.py", "modules": ["roasting"]},
        {"modules": ["src/roasting"], "needs_review": False},
        {"min_confidence": 0.8},
        {"scopes": ["module"]},
        {"fields": ["citation=coffee origin"]},
    ]
    today: list[dict[str, Any]] = [
        {"kinds": ["preference"]},
        {"tags": ["beta"]},
        {"path": "lib/new.py", "needs_review": True},
        {"modules": ["web/pages"]},
        {"fields": ["citation=shop origin"]},
    ]
    for wanted, when, other in (
        *((one, JANUARY, None) for one in then),
        *((one, None, JANUARY) for one in today),
    ):
        for day, found in ((when, True), (other, False)):
            listed = {one.text for one in bird.list(as_of=day, **wanted)}
            asked = {one.text for one in bird.query("coffee roasted", as_of=day, **wanted)}
            assert (text in listed, text in asked) == (found, found), (wanted, day)
    january, now = bird.facets(as_of=JANUARY, seconds=LONG), bird.facets(seconds=LONG)
    assert (january.kinds, january.modules) == ({"fact": 2}, {"roasting": 1})
    assert (now.kinds, now.modules) == ({"fact": 1, "preference": 1}, {"web/pages": 1})
    assert bird.facets(as_of=JANUARY, kinds=["fact"], seconds=LONG).total == 2
    bird.forget(said.id)
    hands.days(1)
    assert bird.facets(as_of=JANUARY, seconds=LONG).states == {"active": 2}


def test_what_expired_or_awaits_review_since(bird: Bowerbird, hands: Hands) -> None:
    bird.remember("The freeze holds until the release", expires="2026-02-01")
    outside = bird.remember("The registry moved to another host", origin="tool_external")
    hands.days(100)
    assert texts(bird, JANUARY) == {"The freeze holds until the release"}
    assert texts(bird, APRIL) == set()
    assert bird.get(outside.id, as_of=JANUARY).state == "quarantined"
    assert {one.id for one in bird.list(as_of=JANUARY, states=["quarantined"])} == {outside.id}


def test_times_that_are_refused(bird: Bowerbird) -> None:
    bird.remember("The port is 5432")
    with pytest.raises(BadInput, match="not a time"):
        bird.list(as_of="someday")
    with pytest.raises(BadInput, match="not a time"):
        bird.remember("The port is 6432", valid_from="someday")
    with pytest.raises(BadInput, match="not a time"):
        bird.list(as_of="2027-02-30")
    kept = bird.remember("From 2027-02-30 the queue is Redis")
    assert kept.reason == "new; 2027-02-30 is no day of the calendar, and dates nothing"
    bird.forget(kept.id)
    assert texts(bird, "2026-01-01") == {"The port is 5432"}


def test_a_record_of_what_happened_holds_at_no_time(bird: Bowerbird) -> None:
    said = "Asked: the tokens are rotated by Omar since last Thursday, until 31 December 2030."
    for kind, dates in (("fact", True), (DIGEST, False)):
        details = bird.get(bird.remember(f"{said} ({kind})", kind=kind).id).details
        assert details is not None
        assert (details.fields.valid_from is not None) == dates
        assert (details.fields.valid_to is not None) == dates


def test_what_had_ended_by_a_day_is_no_longer_in_force_on_it(bird: Bowerbird, hands: Hands) -> None:
    """Whoever asks for the memory itself hears of its end what a list of that day says."""
    old = bird.remember("the port of the database is 5432").id
    hands.days(150)
    new = bird.remember("since March the port of the database is 6432").id
    for day, state in ((JANUARY, "active"), (APRIL, "superseded")):
        then = bird.get(old, as_of=day)
        assert then.state == state
        assert (old in {one.id for one in bird.list(as_of=day)}) == (state == "active")
        assert (then.valid_to is None) == (state == "active")
    assert bird.get(new, as_of=APRIL).state == "active"
    bird.forget(old)
    hands.days(1)
    assert bird.get(old, as_of=APRIL).state == "superseded"


def test_a_memory_is_in_the_project_of_then(bird: Bowerbird, hands: Hands) -> None:
    text = "Zebrafish backups run at three in the morning"
    said = bird.remember(text).id
    here = bird.get(said).project
    other = bird.within("other")
    other.remember("Seagulls eat chips at the harbour")
    hands.days(100)
    bird.admin.move([said], "other")
    hands.days(30)

    def told(where: Bowerbird, day: str | None) -> bool:
        found = {text in texts(where, day), text in texts(where, day, "zebrafish backups")}
        assert len(found) == 1
        assert bool(where.facets(as_of=day).total) == bool(texts(where, day))
        return found.pop()

    assert (told(bird, JANUARY), told(other, JANUARY)) == (True, False)
    assert (told(bird, None), told(other, None)) == (False, True)
    assert bird.get(said, as_of=JANUARY).project == here != bird.get(said).project
    # Who sees one project only is not told what has left it.
    assert text not in texts(bird.within(here.removeprefix("name:"), confined=True), JANUARY)
    moved = "2026-05-01"
    bird.revert(said)
    hands.days(1)
    assert (told(bird, JANUARY), told(other, JANUARY)) == (True, False)
    assert (told(bird, moved), told(other, moved)) == (False, True)
    assert (told(bird, None), told(other, None)) == (True, False)


def test_operators_match_the_words_of_then(bird: Bowerbird, hands: Hands) -> None:
    deploy = bird.remember("We deploy with Kubernetes on Fridays")
    gone = bird.remember("The rollout runs on Jenkins behind the firewall")
    hands.days(100)
    bird.edit(deploy.id, "We deploy with Nomad on Mondays")
    bird.forget(gone.id)
    hands.days(1)

    def found(matching: str, day: str | None) -> set[str]:
        asked = {hit.id for hit in bird.query(matching, operators=True, as_of=day)}
        assert asked == {one.id for one in bird.list(matching=matching, as_of=day)}
        return asked

    for matching, then, now in (
        ('"kubernetes on fridays"', {deploy.id}, set()),
        ("deploy NOT nomad", {deploy.id}, set()),
        ("nomad OR jenkins", {gone.id}, {deploy.id}),
        ('"nomad on mondays"', set(), {deploy.id}),
    ):
        assert found(matching, JANUARY) == then, matching
        assert found(matching, None) == now, matching


def test_what_waited_then_is_counted(bird: Bowerbird, hands: Hands) -> None:
    said = bird.remember("The coffee is roasted in Linz", review="who says so?")
    bird.remember("The lobby is yellow")
    hands.days(50)
    bird.edit(said.id, review="")
    hands.days(1)
    assert (bird.facets(as_of=JANUARY).needs_review, bird.facets().needs_review) == (1, 0)


def test_what_is_deleted_since_is_remarked(bird: Bowerbird, hands: Hands) -> None:
    one, two = (bird.remember(text).id for text in ("The lobby is yellow", "Llamas eat hay"))
    bird.remember("Coffee is roasted in Linz")
    hands.days(100)
    bird.forget(one)
    hands.days(40)
    bird.admin.erase([two])
    bird.prune()
    assert texts(bird, JANUARY) == {"Coffee is roasted in Linz"}
    said = "2 memories of then, of any project, cannot be told: deleted since"
    assert [str(note) for note in bird.list(as_of=JANUARY).notes] == [said]
    assert said in " ".join(map(str, bird.query("lobby", as_of=JANUARY).trace.notes))
    # By May one of them was forgotten.
    assert "a memory of then" in str(bird.list(as_of="2026-05-01").notes[0])
    assert not bird.list(as_of="2026-06-20").notes
