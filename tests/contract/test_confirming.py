"""A person who repeats a memory confirms it: its id, fields and history are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.surfaces.verbs import review

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bowerbird.core.memories import Fields

TEXT = "Tests must start Redis first"


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def fields(bird: Bowerbird, id: str) -> Fields:
    details = bird.get(id).details
    assert details is not None
    return details.fields


@pytest.mark.parametrize("first", ["agent", "user"])
def test_a_stated_kind_is_kept_when_a_person_repeats_the_text(bird: Bowerbird, first: str) -> None:
    kept = bird.remember(TEXT, kind="gotcha", origin=first)
    again = bird.remember(TEXT + ".", origin="user")
    assert (again.decision, again.id, again.kind) == ("known", kept.id, "gotcha")
    assert bird.get(kept.id).trust == "full"
    # As long-lived as what a person typed first.
    assert fields(bird, kept.id).verified == (first == "agent")
    assert bird.remember(TEXT, kind="procedure", origin="user").kind == "procedure"


def test_a_stated_kind_is_kept_where_the_same_text_replaces_one_from_outside(
    bird: Bowerbird,
) -> None:
    kept = bird.remember(TEXT, kind="gotcha", origin="peer")
    again = bird.remember(TEXT, origin="user")
    assert (again.decision, again.kind) == ("superseded", "gotcha")
    assert bird.get(kept.id).state == "superseded"
    # The same words again would say nothing about what was replaced.
    assert bird.get(again.id).linked == ()
    assert [hit.linked for hit in bird.query("what must tests start?").hits] == [()]


@pytest.mark.parametrize(
    "about",
    [
        {"review": "seen by nobody yet"},
        {"review": "seen by nobody yet", "lineage": ("imported",)},
        {"tainted": True},
    ],
)
def test_review_confirms_the_memory_itself(bird: Bowerbird, about: dict[str, Any]) -> None:
    kept = bird.remember(TEXT, kind="gotcha", commit="4f2a91c", session="s-1", tags=["db"], **about)
    bird.edit(kept.id, tags=["redis"])
    before = fields(bird, kept.id)
    review.run(bird, {"confirm": [kept.id]})
    entry, after = bird.get(kept.id), fields(bird, kept.id)
    assert (entry.state, entry.trust, entry.review, entry.session) == ("active", "full", "", "s-1")
    assert (after.verified, after.commit, after.kind) == (True, "4f2a91c", "gotcha")
    assert (after.tags, after.keywords, after.summary) == (
        before.tags,
        before.keywords,
        before.summary,
    )
    assert len(bird.history(kept.id).versions) == 3
    assert [hit.id for hit in bird.query("what must tests start?").hits] == [kept.id]


def test_reverting_a_confirmation_gives_the_trust_back(bird: Bowerbird) -> None:
    for text, lineage, trust in (
        (TEXT, (), "normal"),
        ("Invoices are numbered by the warehouse", ("imported",), "imported"),
    ):
        kept = bird.remember(text, lineage=lineage)
        assert bird.get(kept.id).trust == trust
        first = bird.history(kept.id).versions[0].id
        bird.remember(text, origin="user", verified=True)
        assert bird.get(kept.id).trust == "full"
        bird.revert(kept.id)
        assert bird.get(kept.id).trust == trust
        bird.remember(text, origin="user", verified=True)
        bird.edit(kept.id, tags=["shop"], origin="user")
        bird.revert(kept.id)
        assert bird.get(kept.id).trust == "full"
        bird.revert(kept.id, first)
        assert bird.get(kept.id).trust == trust


def test_an_agent_confirms_nothing(bird: Bowerbird) -> None:
    kept = bird.remember(TEXT, review="seen by nobody yet")
    assert bird.remember(TEXT).id == kept.id
    assert (bird.get(kept.id).trust, bird.get(kept.id).review) == ("normal", "seen by nobody yet")


def test_a_memory_of_all_projects_is_confirmed_there(bird: Bowerbird) -> None:
    kept = bird.remember(TEXT, everywhere=True, review="seen by nobody yet")
    review.run(bird, {"confirm": [kept.id]})
    assert (bird.get(kept.id).trust, bird.get(kept.id).review) == ("full", "")


def test_what_a_person_confirmed_ranks_as_what_a_person_said(tmp_path: Path) -> None:
    scores = []
    for first in ("user", "agent"):
        with Bowerbird.open(tmp_path / f"{first}.db", project="shop") as bird:
            bird.remember(TEXT, origin=first)
            bird.remember(TEXT, origin="user")
            scores += [hit.score for hit in bird.query("what must tests start?").hits]
    assert scores[1] == pytest.approx(scores[0], rel=1e-3)
