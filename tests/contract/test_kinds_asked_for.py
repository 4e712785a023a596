"""A question that names a kind of memory and nothing else gets the memories of that kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.who import USER, Who

if TYPE_CHECKING:
    from collections.abc import Iterator

SAID = {
    "decision": "Orders stay in Postgres, since reports join them",
    "gotcha": "The auth tests hang without REDIS_URL",
    "requirement": "Invoices carry the VAT number",
    "dead_end": "Mocking Redis in CI hid the timeout",
    "fact": "The printer is on the second floor",
}


@pytest.fixture(scope="module")
def bird(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bowerbird]:
    store = str(tmp_path_factory.mktemp("kinds") / "memory.db")
    with Bowerbird.open(store, project="shop") as opened:
        for kind, text in SAID.items():
            opened.acting(Who(USER, USER)).remember(text, kind=kind)
        yield opened


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What was decided, and why?", "decision"),
        ("list all decisions", "decision"),
        ("What are the requirements?", "requirement"),
        ("Which gotchas are there?", "gotcha"),
        ("show me the dead ends", "dead_end"),
        ("Welche Entscheidungen gibt es?", "decision"),
        ("Welche Anforderungen gibt es?", "requirement"),
        ("Quelles décisions ont été prises ?", "decision"),
        ("Qu’est-ce qui a été décidé, et pourquoi ?", "decision"),
        ("What was tried and failed?", "dead_end"),
        ("Qu’est-ce qui a été essayé et a échoué ?", "dead_end"),
        ("Quels pièges connaît-on ?", "gotcha"),
    ],
)
def test_a_question_that_names_a_kind_lists_it(bird: Bowerbird, question: str, kind: str) -> None:
    best = next(iter(bird.query(question)))
    assert (best.kind, best.text) == (kind, SAID[kind])
    assert best.relevance > 0.9


@pytest.mark.parametrize(
    "question",
    [
        "which decisions are about the printer?",
        "how are gotchas stored?",
        "facts",
        "what did we do?",
    ],
)
def test_a_question_that_names_more_or_no_kind_is_searched(bird: Bowerbird, question: str) -> None:
    stages = {stage.name for stage in bird.query(question).trace.stages}
    assert "kinds" not in stages


def test_what_the_question_leaves_out_stays_out(bird: Bowerbird) -> None:
    assert all(hit.kind == "fact" for hit in bird.query("which gotchas are there?", kinds=["fact"]))
    other = bird.within("bakery")
    assert not [hit for hit in other.query("What was decided?") if hit.kind == "decision"]


def test_more_than_are_listed_is_said(bird: Bowerbird) -> None:
    mine = bird.within("mine").acting(Who(USER, USER))
    for number in range(3):
        mine.remember(f"Shelf {number} holds the letter {'abc'[number]}", kind="decision")
    found = mine.query("all decisions", limit=2)
    assert [hit.text[:7] for hit in found] == ["Shelf 2", "Shelf 1"]
    assert [note for _, note in found.trace.notes if note.kind == "kinds"] == [
        "the newest 2 are listed; all: bower list --kind decision"
    ]
    assert not mine.query("all decisions", limit=3).trace.notes


DAY = 86_400_000
# A Monday, at noon.
MONDAY = 1_796_040_000_000
KEPT = {
    3: ("decision", "Orders stay in Postgres, since reports join them"),
    5: ("gotcha", "The auth tests hang without REDIS_URL"),
    40: ("decision", "Invoices are numbered per country"),
    200: ("fact", "Deploys go out on Tuesdays"),
}


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bowerbird]:
    now = [MONDAY]
    store = str(tmp_path_factory.mktemp("times") / "memory.db")
    with Bowerbird.open(store, project="shop", clock=lambda: now[0]) as opened:
        mine = opened.acting(Who(USER, USER))
        for days, (kind, text) in sorted(KEPT.items(), reverse=True):
            now[0] = MONDAY - days * DAY
            mine.remember(text, kind=kind)
        now[0] = MONDAY
        yield mine


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("what did we do last week?", (3, 5)),
        ("what's new since last week?", (3, 5)),
        ("what did we decide last week?", (3,)),
        ("which gotchas were found last week?", (5,)),
        ("what changed in October?", (40,)),
        ("was haben wir letzte Woche entschieden?", (3,)),
        ("was hat sich im Oktober geändert?", (40,)),
        ("qu’est-ce qu’on a appris la semaine dernière ?", (3, 5)),
        ("¿qué hicimos la semana pasada?", (3, 5)),
        ("cosa abbiamo fatto la settimana scorsa?", (3, 5)),
        ("wat hebben we vorige week gedaan?", (3, 5)),
    ],
)
def test_a_question_about_a_time_lists_what_was_kept_then(
    aged: Bowerbird, question: str, days: tuple[int, ...]
) -> None:
    found = [hit.text for hit in aged.query(question) if hit.relevance > 0.7]
    assert found == [KEPT[one][1] for one in days]


def test_a_time_of_which_nothing_was_kept_is_said(aged: Bowerbird) -> None:
    assert aged.query("what did we do in May 2019?").nothing_then.startswith("Nothing was kept")
    said = aged.query("which gotchas were found yesterday?").nothing_then
    assert said.startswith("No gotcha was kept from 29 November 2026")


@pytest.mark.parametrize("question", ["what did we decide about invoices last month?"])
def test_a_time_beside_a_subject_is_searched(aged: Bowerbird, question: str) -> None:
    found = aged.query(question)
    assert "kinds" not in {stage.name for stage in found.trace.stages}
    assert next(iter(found)).text == KEPT[40][1]
