"""What an answer says besides its hits: where else a text stands, and what was said since."""

from pathlib import Path

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import UnknownName
from bowerbird.core.text import count_tokens

DAY = 86_400_000
START = 1_746_230_400_000  # 3 May 2025


class Days:
    """A clock that is set to a day."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        self.now += 1_000
        return self.now

    def on(self, day: int) -> None:
        self.now = START + day * DAY


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture
def bird(store_path: str, days: Days) -> Bowerbird:
    return Bowerbird.open(store_path, project="shop", clock=days)


OLD = "Staging runs on Postgres 14."
NEW = "We use Postgres 16 for the staging database."


def remembered(bird: Bowerbird, days: Days, *texts: str) -> list[str]:
    """The ids of some statements, each a day after the one before."""
    ids = []
    for day, text in enumerate(texts):
        days.on(day)
        ids.append(bird.remember(text).id)
    return ids


def test_the_newer_of_two_about_the_same_comes_first_and_says_so(
    bird: Bowerbird, days: Days
) -> None:
    old, new = remembered(bird, days, OLD, NEW)
    hits = bird.query("on which Postgres does staging run")
    assert [hit.id for hit in hits.hits[:2]] == [new, old]
    newer, older = hits[0].linked[0], hits[1].linked[0]
    assert (newer.relation, newer.id, newer.created // DAY) == ("newer", old, START // DAY)
    assert (older.relation, older.id) == ("older", new)
    # Each stands in the answer by itself: no text is told twice.
    assert newer.text == older.text == ""


def test_an_older_one_found_alone_brings_along_what_the_newer_one_says(
    bird: Bowerbird, days: Days
) -> None:
    old, new = remembered(bird, days, OLD, NEW)
    (hit,) = bird.query("on which Postgres does staging run", limit=1, exclude=[new])
    assert hit.id == old
    assert [(one.relation, one.id, one.text) for one in hit.linked] == [("older", new, NEW)]
    (hit,) = bird.query("on which Postgres does staging run", until="2025-05-03")
    assert hit.linked[0].text == NEW


def test_one_that_is_only_related_is_not_told_of_and_moves_nothing(
    bird: Bowerbird, days: Days
) -> None:
    old, new = remembered(
        bird, days, "The payroll runs on the 25th.", "Salaries are paid out on the 28th."
    )
    hits = bird.query("when does the payroll run")
    assert hits[0].id == old
    assert hits[0].linked == ()
    assert bird.get(new).linked == ()


def test_one_asked_for_by_its_id_tells_what_others_say_about_the_same(
    bird: Bowerbird, days: Days
) -> None:
    old, new = remembered(bird, days, OLD, NEW)
    assert [(one.relation, one.id, one.text) for one in bird.get(old).linked] == [
        ("older", new, NEW)
    ]
    assert [(one.relation, one.id) for one in bird.get(new).linked] == [("newer", old)]


def test_one_asked_for_by_its_id_is_read_where_its_relations_are_damaged(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        id = bird.remember(OLD).id
    connection = apsw.Connection(store_path)
    connection.execute("PRAGMA journal_mode = DELETE")
    ((page,),) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'relation'")
    size = connection.pragma("page_size")
    connection.close()
    with open(store_path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.get(id).text == OLD


def test_what_took_the_place_of_another_tells_what_that_said(bird: Bowerbird, days: Days) -> None:
    old, new = remembered(
        bird,
        days,
        "Errors are reported to Sentry.",
        "Errors are no longer reported to Sentry; they are reported to Rollbar.",
    )
    hit = bird.query("where are errors reported")[0]
    assert hit.id == new
    assert [(one.relation, one.id, one.text) for one in hit.linked] == [
        ("replaces", old, "Errors are reported to Sentry.")
    ]


def test_what_is_not_about_the_same_is_not_told(bird: Bowerbird, days: Days) -> None:
    remembered(bird, days, OLD, "Lunch on Fridays is at noon.", "The invoices go out by post.")
    assert not any(hit.linked for hit in bird.query("staging lunch invoices post Postgres"))


def test_what_somebody_related_is_not_therefore_about_the_same(bird: Bowerbird, days: Days) -> None:
    rolled = "Roll back a deployment of staging with make rollback."
    old, new = remembered(bird, days, OLD, rolled)
    bird.link(old, new)
    hits = bird.query("on which Postgres does staging run")
    assert hits[0].id == old
    assert not any(hit.linked for hit in hits)
    bird.link(old, new, "contradicts")
    hits = bird.query("on which Postgres does staging run")
    assert [(hit.id, hit.linked[0].relation) for hit in hits] == [(new, "newer"), (old, "older")]


def test_two_of_which_the_second_model_has_not_read_both_are_compared_by_the_first(
    bird: Bowerbird, days: Days
) -> None:
    old, new = remembered(bird, days, OLD, NEW)
    raw = apsw.Connection(bird.path)
    raw.execute("DELETE FROM contextual")
    raw.close()
    hits = bird.query("on which Postgres does staging run", min_score=0.01)
    assert {hit.id for hit in hits} == {old, new}


def test_an_edit_makes_an_old_memory_the_newer_one(bird: Bowerbird, days: Days) -> None:
    first, second = remembered(bird, days, OLD, NEW)
    days.on(9)
    bird.edit(first, "Staging runs on Postgres 17.")
    hits = bird.query("on which Postgres does staging run")
    assert [hit.id for hit in hits.hits[:2]] == [first, second]


def test_a_newer_one_that_is_trusted_less_does_not_come_first(bird: Bowerbird, days: Days) -> None:
    old = bird.remember(OLD, origin="user").id
    days.on(3)
    new = bird.remember(NEW, origin="import").id
    hits = {hit.id: hit for hit in bird.query("Staging runs on Postgres 14")}
    assert next(iter(hits)) == old
    assert (hits[old].linked[0].text, hits[old].linked[0].trust) == (NEW, "imported")
    assert new in hits


def test_a_context_is_never_made_of_the_older_one_alone(bird: Bowerbird, days: Days) -> None:
    old, new = remembered(bird, days, OLD, NEW)
    bird.admin.confirm_both(old, new, origin="user")
    pack = bird.context("upgrade Postgres of staging")
    assert [item.id for item in pack][:2] == [new, old]
    assert pack.items[1].linked[0].relation == "older"
    for budget in range(5, 60):
        small = bird.context("upgrade Postgres of staging", budget=budget)
        assert small.spent <= budget
        shown = {item.id for item in small}
        for item in small:
            if item.id == old:
                assert new in shown or item.linked[0].text
            assert item.tokens == count_tokens(item.text) + sum(
                count_tokens(one.text) for one in item.linked
            )


def test_a_text_that_stands_in_two_places_is_one_hit(bird: Bowerbird, tmp_path: Path) -> None:
    text = "# Broker\n\nThe certificate of the broker ends in May.\n"
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(text)
    bird.index(tmp_path)
    hits = bird.query("certificate of the broker")
    assert len(hits) == 1
    places = {hits[0].path, hits[0].also[0].rpartition(":")[0]}
    assert places == {str(tmp_path / "a.md"), str(tmp_path / "b.md")}
    (item,) = bird.context("certificate of the broker", min_trust="imported")
    assert item.also == hits[0].also


def test_copies_of_a_text_do_not_take_the_places_of_others(bird: Bowerbird, tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"{number}.md").write_text("The certificate of the broker ends in May.\n")
    for name in ("rotation", "renewal"):
        (tmp_path / f"{name}.md").write_text(f"Notes on the {name} of a certificate.\n")
    bird.index(tmp_path)
    hits = bird.query("certificate of the broker", limit=3)
    assert [len(hit.also) for hit in hits] == [11, 0, 0]


def test_what_is_new_may_come_first(bird: Bowerbird, days: Days) -> None:
    ids = remembered(bird, days, "The crawler of the shop is slow.", "The crawler waits for Redis.")
    hits = bird.query("why is the crawler of the shop slow", sort="recency")
    assert [hit.id for hit in hits] == [*reversed(ids)]
    with pytest.raises(UnknownName, match="recent"):
        bird.query("crawler", sort="recent")


def test_weak_hits_are_left_out_where_that_is_wished(bird: Bowerbird, days: Days) -> None:
    remembered(
        bird, days, "Redis must be up before the tests.", "Lunch is at noon in the tests' room."
    )
    question = "must redis be up"
    all, strong = bird.query(question), bird.query(question, weak=False)
    assert [hit.id for hit in strong] == [hit.id for hit in all if hit.relevance >= 0.05]
    assert strong.weak == len(all) - len(strong)


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        (
            "The billing service listens on port 8080.",
            "The search service listens on port 9090.",
            "which port does the billing service use",
        ),
        (
            "Redis number 1 runs on port 6380.",
            "Redis number 2 runs on port 6381.",
            "redis on port 6380",
        ),
        (
            "The Berlin office opens at 8.",
            "The Paris office opens at 9.",
            "when does the Berlin office open",
        ),
    ],
)
def test_what_is_newer_about_another_subject_does_not_come_first(
    bird: Bowerbird, days: Days, old: str, new: str, asked: str
) -> None:
    older, _ = remembered(bird, days, old, new)
    assert bird.query(asked)[0].id == older


def test_a_memory_about_something_else_stands_behind_the_passage_that_answers(
    bird: Bowerbird, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "sale.md").write_text(
        "# Summer sale\n\nCan we bring voucher codes back for the sale? Last year people guessed them.\n"
    )
    (notes / "other.md").write_text("# Garden tools\n\nSpades and rakes are sent by the firm.\n")
    bird.index(notes)
    bird.remember("The trade discount is 12 % and ends on 31 December 2024.", tags=["prices"])
    passage, memory = bird.query("what are the rules for voucher codes?").hits[:2]
    assert (passage.entry.family, memory.entry.family) == ("passage", "memory")
    assert passage.relevance > memory.relevance


def relations(bird: Bowerbird, query: str) -> set[str]:
    return {one.relation for hit in bird.query(query) for one in hit.linked}


@pytest.mark.parametrize(
    ("old", "new", "query"),
    [
        (
            "The upload limit of the shop is 20 MB.",
            "The download limit of the shop is 50 MB.",
            "download limit",
        ),
        (
            "Das Lager in Graz hat 40 Plätze.",
            "Das Lager in Linz hat 25 Plätze.",
            "Wie viele Plätze hat das Lager in Linz?",
        ),
        (
            "Le tarif des colis est de 9 euros.",
            "Le tarif des lettres est de 2 euros.",
            "tarif des lettres",
        ),
        (
            "The heron number 1 nests at lake 1 near town.",
            "The heron number 5 nests at lake 5 near town.",
            "where does the heron nest",
        ),
        (
            "Bay no. 3 of the depot is kept for the red trucks of row 3.",
            "Bay no. 7 of the depot is kept for the red trucks of row 9.",
            "bay of the depot",
        ),
    ],
)
def test_statements_on_other_subjects_are_not_newer_and_older(
    bird: Bowerbird, days: Days, old: str, new: str, query: str
) -> None:
    bird.remember(old)
    days.on(1)
    bird.remember(new)
    assert relations(bird, query) == set()


def test_the_same_attribute_of_the_same_subject_is_newer_and_older(
    bird: Bowerbird, days: Days
) -> None:
    bird.remember("The upload limit of the shop is 20 MB.")
    days.on(1)
    bird.remember("The upload limit of the shop is 50 MB.")
    assert relations(bird, "upload limit") == {"newer", "older"}


def test_of_two_commands_none_is_the_newer_one(bird: Bowerbird, days: Days) -> None:
    bird.remember("Run the tests with `mise run test`.", kind="procedure")
    days.on(1)
    bird.remember("Run one test by its name with `mise run test NAME`.", kind="procedure")
    assert relations(bird, "how do I run the tests?") == set()


def test_the_newer_one_is_what_was_said_later_whenever_it_was_learned(
    bird: Bowerbird, days: Days
) -> None:
    later = bird.remember("The release job runs on Fridays in the big hall.").id
    days.on(1)
    spoken = START - 90 * DAY
    learned = bird.remember("The release job runs on Fridays in the hall.", occurred=spoken).id
    assert [(one.relation, one.id) for one in bird.get(learned).linked] == [("older", later)]
    assert bird.get(learned).linked[0].created // DAY == START // DAY
