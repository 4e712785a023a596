"""Memories that are ended by hand, contradictions that are settled, and the table of states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import BadInput
from bowerbird.core.states import STATE_TABLE
from bowerbird.surfaces.verbs import review

if TYPE_CHECKING:
    from tests.contract.conftest import Hands

    from bowerbird import Bowerbird


def state(bird: Bowerbird, id: str) -> str:
    return bird.get(id).state


def test_what_is_deprecated_is_kept_for_reference_and_comes_back(
    bird: Bowerbird, hands: Hands
) -> None:
    kept = bird.remember("The wiki listens on port 80")
    hands.days(40)
    done = bird.deprecate([kept.id], since="2026-01-20", reason="it moved")
    assert (done.state, state(bird, kept.id)) == ("deprecated", "deprecated")
    details = bird.get(kept.id).details
    assert details is not None
    assert details.deprecated_at == details.fields.valid_to
    assert not bird.query("wiki port")
    assert [one.id for one in bird.list(as_of="2026-01-10")] == [kept.id]
    assert list(bird.list(as_of="2026-01-25")) == []
    with pytest.raises(BadInput, match="already"):
        bird.deprecate([kept.id])
    bird.revert(kept.id)
    assert state(bird, kept.id) == "active"
    bird.forget(kept.id)
    with pytest.raises(BadInput, match="is forgotten") as refused:
        bird.merge(kept.id, bird.remember("The wiki is at port 80, too").id)
    assert "revert" in refused.value.remedy


def test_an_illegal_move_names_the_legal_ones(bird: Bowerbird) -> None:
    one, two = bird.remember("The build runs on Jenkins"), bird.remember("Coffee is at nine")
    bird.deprecate([one.id])
    refused: list[pytest.ExceptionInfo[BadInput]] = []
    for verb in (
        lambda: bird.merge(one.id, two.id),
        lambda: bird.merge(two.id, one.id),
        lambda: bird.deprecate([one.id]),
        lambda: bird.edit(one.id, pinned=True),
    ):
        with pytest.raises(BadInput, match="deprecated") as raised:
            verb()
        refused.append(raised)
    for raised in refused:
        for move in STATE_TABLE["deprecated"].moves:
            assert f"{move.to} ({move.by})" in raised.value.remedy


def test_a_merged_memory_gives_its_fields_and_one_revert_takes_them_back(bird: Bowerbird) -> None:
    stays = bird.remember("The wiki listens on port 81", tags=["ops"])
    goes = bird.remember(
        "Port 81 answers for the team's documents", tags=["wiki"], files=["w.conf"]
    )
    bird.merge(goes.id, stays.id)
    assert state(bird, goes.id) == "merged"
    entry = bird.get(stays.id)
    assert entry.details is not None
    assert (entry.tags, entry.details.fields.files) == (("ops", "wiki"), ("w.conf",))
    assert [event.action for event in bird.history(goes.id).events][-1] == "merged"
    assert bird.revert(stays.id).others
    assert (state(bird, goes.id), bird.get(stays.id).tags) == ("active", ("ops",))
    # Of the merged one alone: the other keeps what it gained.
    bird.merge(goes.id, stays.id)
    bird.revert(goes.id)
    assert (state(bird, goes.id), bird.get(stays.id).tags) == ("active", ("ops", "wiki"))
    with pytest.raises(BadInput, match="itself"):
        bird.merge(goes.id, goes.id)


def test_a_mark_by_hand_makes_a_memory_stale_until_it_is_removed(bird: Bowerbird) -> None:
    kept = bird.remember("The queue listens on port 5672")
    sure = bird.get(kept.id).details
    bird.edit(kept.id, stale=True)
    marked = bird.get(kept.id).details
    assert sure is not None
    assert marked is not None
    assert marked.stale_at is not None
    assert marked.current_confidence < sure.current_confidence / 2
    (listed,) = bird.stale().memories
    assert listed.id == kept.id
    assert "marked as stale" in str(listed.anchors[0])
    assert [str(one.entry.anchors[0]) for one in bird.query("queue port")]
    bird.edit(kept.id, stale=False)
    assert not bird.stale().memories


def test_a_much_surer_statement_supersedes_and_a_little_surer_one_does_not(
    bird: Bowerbird,
) -> None:
    old = bird.remember("Redis runs on port 6379", confidence=0.4)
    new = bird.remember("Redis runs on port 6380", confidence=0.95)
    assert (new.decision, state(bird, old.id)) == ("superseded", "superseded")
    assert "surer" in new.reason
    bird.revert(new.id)
    assert state(bird, old.id) == "active"
    exactly = bird.remember("Redis runs on port 6381", confidence=0.6)
    assert (exactly.decision, exactly.needs_review) == ("created", True)
    pinned = bird.remember("The queue listens on port 5672", confidence=0.3, pinned=True)
    assert bird.remember("The queue listens on port 5673", confidence=0.9).decision == "created"
    assert state(bird, pinned.id) == "active"


def test_newer_is_what_was_said_later(bird: Bowerbird, hands: Hands) -> None:
    hands.days(100)
    stands = bird.remember("The queue listens on port 5672")
    hands.days(1)
    late = bird.remember("The queue listens on port 5673", occurred=hands.now - 90 * 86_400_000)
    assert (late.state, state(bird, stands.id)) == ("superseded", "active")
    assert [one.id for one in bird.query("queue port")] == [stands.id]
    assert [one.id for one in bird.list(as_of=hands.now - 50 * 86_400_000)] == [late.id]
    assert [one.id for one in bird.history(late.id).eras] == [late.id, stands.id]


def test_confirming_one_side_retires_the_other_and_one_revert_brings_it_back(
    bird: Bowerbird,
) -> None:
    one, two = bird.remember("The wiki is on port 80"), bird.remember("The wiki is on port 81")
    assert two.needs_review
    review.run(bird, {"confirm": [one.id]})
    assert (state(bird, one.id), state(bird, two.id)) == ("active", "superseded")
    bird.revert(one.id)
    assert (state(bird, one.id), state(bird, two.id)) == ("active", "active")
    assert bird.get(two.id).review


def test_what_was_gained_by_a_merge_goes_when_the_merged_one_is_erased(bird: Bowerbird) -> None:
    gone = bird.remember("Deploys go through the bastion", tags=["ops"], metadata={"n": "1"}).id
    kept = bird.remember("A bastion is used for deploys, says Ulla", tags=["own"]).id
    bird.merge(gone, kept)
    bird.admin.erase([gone])
    assert bird.get(kept).tags == ("own",)
    for version in bird.history(kept).versions:
        assert (version.fields.tags, version.fields.metadata) == (("own",), {})
