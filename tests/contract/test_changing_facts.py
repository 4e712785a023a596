"""Facts that change: what replaces what, from which day on, and how it is taken back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.recalled import recalled
from bowerbird.sessions.inject.prompt import for_prompt
from bowerbird.surfaces.verbs import review

if TYPE_CHECKING:
    from collections.abc import Callable
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
        # It was so before, though it was said when it was over.
        before = texts(bird, "database port", as_of="2026-02-01")
        assert before == ["The database listens on port 5432"]
        assert bird.get(old.id, as_of="2026-02-01").state == "active"
        # Since when it was so, nobody said: not for ever.
        assert texts(bird, "database port", as_of="2024-02-01") == []
        assert [one.since is None for one in bird.history(new.id).eras] == [True, False]
        assert bird.history(new.id).eras[0].until == bird.history(new.id).eras[1].since
        bird.revert(new.id)
        assert bird.get(old.id).state == "active"


def test_what_holds_again_beside_what_it_replaced_waits_for_a_review(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The database listens on port 5432")
        new = bird.remember("Since March the port of the database is 6432")
        bird.revert(new.id)
        assert bird.get(new.id).state == "deleted"
        done = bird.revert(new.id)  # nothing is left to take back: it is brought back
        assert old.id[:18] in done.others[0]
        assert "review" in done.others[0]
        for one, other in ((old, new), (new, old)):
            assert bird.get(one.id).state == "active"
            assert other.id[:18] in bird.get(one.id).review
        assert ("contradicts", old.id) in [
            (one.kind, one.target) for one in bird.history(new.id).relations
        ]
        bird.revert(new.id)
        assert bird.get(old.id).review == ""
        assert bird.history(old.id).relations == ()
        # So do both where only the old one is brought back.
        again = bird.remember("Since April the port of the database is 7432")
        assert bird.get(old.id).state == "superseded"
        assert "both wait for a review" in bird.revert(old.id).others[0]
        assert bird.get(again.id).state == "active"
        assert old.id[:18] in bird.get(again.id).review
        bird.revert(old.id)
        assert [bird.get(one.id).state for one in (old, again)] == ["active", "active"]
        assert bird.get(old.id).review == bird.get(again.id).review == ""


def test_the_middle_of_a_chain_brought_back_waits_with_what_holds_now(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        first, middle, last = (
            bird.remember(f"The payroll provider is {name} since 1 {month} 2026").id
            for name, month in (("Snozz", "January"), ("Gobble", "March"), ("Whang", "May"))
        )
        bird.revert(middle)
        states = [bird.get(id).state for id in (first, middle, last)]
        assert states == ["superseded", "active", "active"]
        assert bird.admin.queue() == [last], "a pair waits as one"
        assert middle[:18] in bird.get(last).review


def test_while_a_contradiction_waits_the_newer_one_stands_first_and_the_older_is_marked(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("Eve works at Acme")
        new = bird.remember("Eve changed jobs: she works at Globex")
        assert bird.get(old.id).review
        hits = bird.query("where does Eve work?")
        assert [(hit.id, hit.linked[0].relation) for hit in hits] == [
            (new.id, "newer"),
            (old.id, "older"),
        ]


def test_a_fact_of_a_later_day_holds_from_that_day(tmp_path: Path, clock: Clock) -> None:
    later = "From 1 January 2027 the port of the database is 7000"
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The database listens on port 5432")
        new = bird.remember(later)
        assert new.decision == "superseded"
        assert bird.get(old.id).state == "active"
        for _ in range(2):  # as the resident caches have it, too
            # What is to come stands behind what holds, also where only one is asked for.
            assert texts(bird, "database port") == ["The database listens on port 5432", later]
            (best,) = bird.query("From 1 January 2027 the port of the database is 7000", limit=1)
            assert best.id == old.id
            assert not [
                hit for hit in bird.query("database port", coming=False) if hit.id == new.id
            ]
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
        (waits,) = review.run(bird, {}).entries
        assert waits.id in both
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
        (waits,) = shown.entries
        assert waits.id in both
        assert not shown.settled


def test_answers_say_when_something_holds_and_of_which_day_they_are(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        bird.remember("Since March the port of the database is 6432")
        hits = bird.query("database port")
        assert hits.hits[0].as_dict()["valid_from"].startswith("2026-0")
        pack = bird.context("the database port")
        assert "valid from 1 March 2026" in recalled(pack, "nonce")
        then = bird.query("database port", as_of="2026-04-01")
        assert then.notes == ("this is what held on 1 April 2026",)
        early = bird.query("database port", as_of="2025-04-01")
        assert not early.hits
        assert early.notes == (
            "the memories here begin on 1 March 2026: nothing is known of before",
        )
        # What had ended when it was stored is answered for the year before its end.
        bird.remember("The port of the cache is 5432")
        bird.remember("Since February the port of the cache is 6432")
        early = bird.query("cache port", as_of="2025-04-01")
        assert [hit.text for hit in early] == ["The port of the cache is 5432"]
        assert early.notes == ("this is what held on 1 April 2025",)


def test_a_block_of_rules_says_so_where_two_oppose_each_other(tmp_path: Path, clock: Clock) -> None:
    rules = tmp_path / "CLAUDE.md"
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        first = bird.remember("Indent with tabs").id
        bird.remember("Indent with spaces")
        bird.remember("From 1 January 2027 releases are signed")
        bird.remember("Tests run with pytest")
        bird.admin.export(str(rules))
        assert "pytest" in rules.read_text()
        assert "Indent" not in rules.read_text()  # both wait in review
        bird.edit(first, verified=True, origin="user")
        other = next(one.id for one in bird.list() if "spaces" in one.text)
        bird.edit(other, verified=True, origin="user")
        bird.admin.export(str(rules))
        said = rules.read_text()
        assert "- Indent with tabs (undecided: another memory says “Indent with spaces”)" in said
        assert "2027" not in said


def test_activity_names_what_was_erased_and_get_what_was_merged(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        kept = bird.remember("The desk in the hall is red").id
        merged = bird.remember("Ann painted the hall desk in a red colour").id
        bird.merge(merged, into=kept)
        assert [(one.relation, one.id) for one in bird.get(kept).linked] == [("replaces", merged)]
        gone = bird.remember("The code of the safe is on the shelf").id
        bird.admin.erase([gone])
        events = [(one.action, one.entry) for one in bird.activity().events]
        assert ("erased", gone) in events


ORDERS = [
    # What is told, one after the other, and what then holds on some days: one value on each.
    (
        ["{} Proton since 1 April 2026", "{} Fastmail since 1 February 2026"],
        {"2026-03-01": "Fastmail", "2026-04-01": "Proton", "": "Proton"},
    ),
    (
        [
            "{} Fastmail since 1 January 2026",
            "{} Proton since 1 May 2026",
            "{} Zoho since 1 March 2026",
        ],
        {
            "2026-02-28": "Fastmail",
            "2026-03-01": "Zoho",
            "2026-04-30": "Zoho",
            "2026-05-01": "Proton",
            "": "Proton",
        },
    ),
    (
        [
            "{} Proton",
            "From 1 January 2027 {} Zoho",
            "Correction: from 1 January 2027 {} Posteo",
        ],
        {"": "Proton", "2026-12-31": "Proton", "2027-01-01": "Posteo"},
    ),
    (
        ["{} Proton", "From 1 January 2027 {} Zoho", "From 1 April 2027 {} Posteo"],
        {"": "Proton", "2027-03-31": "Zoho", "2027-04-01": "Posteo"},
    ),
    (
        ["{} Proton", "From 1 April 2027 {} Posteo", "From 1 January 2027 {} Zoho"],
        {"": "Proton", "2026-12-31": "Proton", "2027-03-31": "Zoho", "2027-04-01": "Posteo"},
    ),
    (
        ["{} Proton", "From 1 April 2027 {} Posteo", "No, from 1 May 2027 {} Posteo"],
        {"": "Proton", "2027-04-15": "Proton", "2027-05-01": "Posteo"},
    ),
    (
        ["{} Proton", "From 1 May 2027 {} Posteo", "No, from 1 April 2027 {} Posteo"],
        {"": "Proton", "2027-03-31": "Proton", "2027-04-01": "Posteo"},
    ),
    (
        ["Until 31 December 2026 {} Proton", "From 1 January 2027 {} Zoho"],
        {"": "Proton", "2026-12-31": "Proton", "2027-01-01": "Zoho"},
    ),
    (
        ["From 1 March 2026 until 30 April 2026 {} Zoho"],
        {"2026-02-28": "", "2026-03-01": "Zoho", "2026-04-30": "Zoho", "2026-05-01": ""},
    ),
    (["Until April 2026 {} Zoho"], {"2026-03-05": "Zoho", "2026-04-30": "Zoho", "2026-05-01": ""}),
]


@pytest.mark.parametrize(("told", "held"), ORDERS)
def test_one_value_holds_on_each_day_whichever_was_told_first(
    tmp_path: Path, clock: Clock, told: list[str], held: dict[str, str]
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        for text in told:
            last = bird.remember(text.format("the mail is hosted by"))
        for day, value in held.items():
            found = [one.text for one in bird.list(as_of=day or None, coming=False)]
            values = [text.partition("hosted by ")[2].split()[0] for text in found]
            assert values == ([value] if value else []), day
        assert not bird.list(needs_review=True)
        bird.revert(last.id)
        before = {id: bird.get(id).state for id in [last.id]}
        assert before == {last.id: "deleted"}


def test_a_plan_that_is_called_off_waits_in_review_and_what_holds_does_not(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The mail is hosted by Proton")
        plan = bird.remember("From 1 January 2027 the mail is hosted by Zoho")
        off = bird.remember("The move to Zoho is cancelled, it stays with Proton")
        assert plan.id[:18] in bird.get(off.id).review
        assert off.id[:18] in bird.get(plan.id).review
        assert not bird.get(old.id).review


def _called_off(bird: Bowerbird, plan: str) -> None:
    off = bird.remember("The move of the API to port 9100 is called off", origin="agent")
    review.run(bird, {"confirm": [off.id]})


_NO_PLAN: dict[str, Callable[[Bowerbird, str], object]] = {
    "forgotten": lambda bird, plan: bird.forget(plan),
    "rejected": lambda bird, plan: review.run(bird, {"reject": [plan]}),
    "erased": lambda bird, plan: bird.admin.erase([plan]),
    "out of date": lambda bird, plan: bird.deprecate([plan]),
    "called off": _called_off,
    "replaced by hand": lambda bird, plan: bird.link(
        bird.remember("The office has a new door").id, plan, kind="supersedes"
    ),
}


@pytest.mark.parametrize("how", _NO_PLAN)
def test_without_a_plan_what_it_would_have_ended_holds_on(
    tmp_path: Path, clock: Clock, how: str
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The API is on port 9000")
        plan = bird.remember("From 1 February 2027 the API is on port 9100")
        ends = bird.get(old.id).valid_to
        assert ends is not None
        _NO_PLAN[how](bird, plan.id)
        assert bird.get(old.id).valid_to is None
        assert [one.id for one in bird.list(as_of="2027-03-01") if "port 9000" in one.text]
        if how == "forgotten":
            bird.revert(plan.id)
            assert bird.get(old.id).valid_to == ends
            bird.forget(plan.id)
            assert bird.get(old.id).valid_to is None


def test_whoever_forgets_what_has_begun_is_told_what_it_ended(tmp_path: Path, clock: Clock) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The API is on port 9000")
        new = bird.remember("From 1 February 2027 the API is on port 9100")
        assert bird.forget(new.id).replaced == ()
        bird.revert(new.id)
        clock.now = at("2027-02-03")
        assert bird.forget(new.id).replaced == (old.id,)
        bird.revert(old.id)
        assert texts(bird, "API port") == ["The API is on port 9000"]


def test_without_the_first_of_two_plans_a_fact_holds_until_the_second(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The API is on port 9000")
        bird.deprecate([old.id], since="2027-12-31")
        own = bird.get(old.id).valid_to
        first = bird.remember("From 1 February 2027 the API is on port 9100")
        second = bird.remember("From 1 March 2027 the API is on port 9200")
        bird.forget(first.id)
        assert bird.get(old.id).valid_to == bird.get(second.id).valid_from
        bird.forget(second.id)
        assert bird.get(old.id).valid_to == own


def test_a_present_value_beside_a_plan_ends_when_the_plan_begins(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember("The mail is hosted by Proton")
        plan = bird.remember("From 1 April 2027 the mail is hosted by Posteo")
        new = bird.remember("The mail is hosted by Zoho")
        # Which of the two holds today is for a review, and neither holds beside the plan.
        assert [bool(bird.get(id).review) for id in (old.id, plan.id, new.id)] == [
            True,
            False,
            True,
        ]
        assert {one.id for one in bird.list(as_of="2026-12-01")} == {old.id, new.id}
        assert [one.id for one in bird.list(as_of="2027-04-01")] == [plan.id]


def test_what_is_out_of_date_from_a_day_to_come_holds_until_then(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        kept = bird.remember("The lease of the depot runs on")
        done = bird.deprecate([kept.id], since="2027-05-01")
        assert done.until == bird.get(kept.id).valid_to
        assert texts(bird, "lease of the depot")
        assert texts(bird, "lease of the depot", as_of="2027-05-01")
        assert not texts(bird, "lease of the depot", as_of="2027-05-02")
        clock.now = at("2027-05-03")
        assert not texts(bird, "lease of the depot")
        bird.revert(kept.id)
        assert texts(bird, "lease of the depot")


def test_what_had_ended_when_it_was_told_is_still_told_and_not_pruned(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        kept = bird.remember("From 1 March until 30 April 2026 the mail was hosted by Zoho")
        assert texts(bird, "who hosted the mail?")
        assert not bird.prune().leaving
        assert bird.get(kept.id).state == "active"


def test_a_plan_is_found_and_listed_as_to_come_and_told_as_present_by_nothing(
    tmp_path: Path, clock: Clock
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        plan = bird.remember("We will move the shop to Frankfurt in March 2027.", kind="gotcha")
        hits = bird.query("when do we move the shop to Frankfurt?")
        assert [hit.id for hit in hits] == [plan.id]
        assert hits.notes == ("one of these is still to come: it holds from 1 March 2027",)
        assert [one.id for one in bird.list()] == [plan.id]
        assert bird.facets().total == 1
        assert not bird.list(as_of="2026-06-21")
        assert not bird.query("when do we move the shop to Frankfurt?", as_of="2026-06-21").hits
        # Agents are told it when they ask; nothing hands it to them as what is so.
        assert not bird.context("move the shop to Frankfurt").items
        injected = for_prompt(
            bird, "when do we move the shop to Frankfurt?", frozenset(), lambda _: True
        )
        assert not injected.items
        clock.now = at("2027-03-02")
        assert bird.query("when do we move the shop to Frankfurt?").notes == ()
        assert bird.context("move the shop to Frankfurt").items


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


def test_a_history_names_what_was_imported_and_what_another_copy_wrote(
    tmp_path: Path, clock: Clock
) -> None:
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    with Bowerbird.open(there, project="shop", clock=clock) as bird:
        other = bird.remember("The till speaks ESC/POS").id
    with Bowerbird.open(here, project="shop", clock=clock) as bird:
        own = bird.remember("The drawer opens by a pulse").id
        brought = bird.remember("The scale is a Mettler", origin="import").id
        bird.admin.import_from(str(there))
        assert not bird.history(own).elsewhere
        came = bird.history(other)
        assert [one.version for one in came.elsewhere] == [one.id for one in came.versions]
        assert bird.history(brought).events[0].action == "imported"


_LOCKS = "State bucket is larder-tfstate in eu-west-2, lock table is tf-locks."
_FROZEN = (
    "Modules in modules/legacy are frozen, don't touch them, except modules/legacy/vpc, that one we"
    " still patch."
)


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        (
            _LOCKS,
            "The lock table is gone btw, we use s3 native locking now, use_lockfile = true.",
            (
                "State bucket is larder-tfstate in eu-west-2. The lock table is gone btw, we use s3"
                " native locking now, use_lockfile = true."
            ),
        ),
        (
            "The export goes to the SFTP box of the bank; the invoice run is at 02:00.",
            "The invoice run was dropped, we bill on demand now.",
            (
                "The export goes to the SFTP box of the bank. The invoice run was dropped, we bill on"
                " demand now."
            ),
        ),
        (
            _FROZEN,
            "modules/legacy/vpc is frozen as well now.",
            (
                "Modules in modules/legacy are frozen, don't touch them. modules/legacy/vpc is frozen as"
                " well now."
            ),
        ),
        (
            "All services are deployed by Argo, except billing.",
            "Billing is deployed by Argo too now.",
            "All services are deployed by Argo. Billing is deployed by Argo too now.",
        ),
    ],
)
def test_a_part_of_a_text_that_is_over_goes_and_the_rest_of_it_stays(
    tmp_path: Path, clock: Clock, before: str, said: str, kept: str
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        old = bird.remember(before)
        new = bird.remember(said)
        assert new.decision == "superseded"
        assert [one.text for one in bird.list()] == [kept]
        bird.revert(new.id)
        assert bird.get(old.id).state == "active"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        # Of another thing, of a part of it alone, uncertain, or asked.
        (_LOCKS, "The lock file is gone, we use s3 native locking now."),
        (_LOCKS, "The lock table was dropped in staging."),
        (_LOCKS, "Maybe the lock table is gone, we use s3 native locking now."),
        (_LOCKS, "The lock table is gone, do we use s3 native locking now?"),
        (_LOCKS, "The lock table isn't gone, we use it now."),
        (
            "The office is at 12, rue des Lilas.",
            "The office is gone from here, we meet online now.",
        ),
        # It says nothing of the exception, denies it, or says something else of it.
        (_FROZEN, "modules/legacy/dns is frozen as well now."),
        (_FROZEN, "modules/legacy/vpc isn't frozen now."),
        (_FROZEN, "modules/legacy/vpc is frozen as well now, but Tom may change it."),
        (_FROZEN, "modules/legacy/vpc is on Terraform 1.9 now."),
    ],
)
def test_a_part_of_a_text_that_is_not_said_to_be_over_stays(
    tmp_path: Path, clock: Clock, before: str, said: str
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        bird.remember(before)
        bird.remember(said)
        assert {one.text for one in bird.list()} == {before, said}


def test_what_holds_in_a_case_is_not_contradicted_by_what_does_not_mention_it(
    tmp_path: Path, clock: Clock
) -> None:
    rule = (
        "If you change anything in terraform/prod, bump the version in CHANGELOG.md as well, staging"
        " you can leave."
    )
    fact = (
        "The prod RDS is on 15.6 and staging is on 16.2, so check extension versions before copying"
        " anything over."
    )
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=clock) as bird:
        ids = [bird.remember(one).id for one in (rule, fact)]
        assert [bird.get(id).review for id in ids] == ["", ""]
        ring = bird.remember("If the payment gateway goes down, ring Farouk.")
        bird.remember("Payment gateway outage: the person to call is Lindiwe, extension 417.")
        assert bird.get(ring.id).review
