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
