"""The port of judges: what the rules decide, and the queue of one that is slow or fails."""

from __future__ import annotations

import os
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.draft import Draft
from bowerbird.core.errors import ModelError
from bowerbird.core.memories import Pair, Verdict
from bowerbird.core.types import SHORT_ID
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.lifecycle.admit import Admission
from bowerbird.lifecycle.judge import RULES
from bowerbird.lifecycle.judge_later import TRIES, LaterJudging

if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.memories import Decision
    from bowerbird.core.ports.thinking import Judge

OLD = "Anna looks after the billing service."
NEW = "Questions about invoices go to Boris, not to Anna."
OPPOSED = Verdict("supersedes", "Boris took over")


class Slow:
    """Says that everything is over, when it is allowed to."""

    slow = True

    def __init__(self) -> None:
        self.asked = Event()
        self.leave = Event()
        self.pairs: list[Pair] = []

    def judge(self, pair: Pair) -> Verdict:
        self.pairs.append(pair)
        self.asked.set()
        self.leave.wait()
        return OPPOSED


class Failing:
    """A model that is not there."""

    slow = True

    def judge(self, pair: Pair) -> Verdict:
        raise ModelError(f"cannot compare with {pair.old}", "start it")


class Deciding:
    """Returns one verdict on every pair."""

    slow = True

    def __init__(self, verdict: Verdict, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.verdict = verdict
        self.meanwhile = meanwhile

    def judge(self, pair: Pair) -> Verdict:
        self.meanwhile()
        return self.verdict if pair.old != pair.new else RULES.judge(pair)


def admit(bird: Bowerbird, text: str, judge: Judge) -> Decision:
    wiring, store = bird._wiring, bird._wiring.writer()
    here = store, wiring.embedder(), wiring.reach.project, ALLOW_NOTHING, wiring.kinds, store.clock
    return Admission(*here, judge=judge).admit(Draft(text))


def later(bird: Bowerbird, judge: Judge) -> int:
    store = bird._wiring.writer()
    return LaterJudging(store, judge, lambda: None, ALLOW_NOTHING, store.clock).run()


def waiting(bird: Bowerbird) -> list[tuple[str, str]]:
    return bird._wiring.writer().unjudged.next(9)


def reviews(bird: Bowerbird) -> dict[str, str]:
    return {entry.text: entry.review for entry in bird.list() if entry.review}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Use pnpm", "use pnpm.", "same"),
        ("Use pnpm, with a frozen lockfile", "Use pnpm", "covers"),
        ("Use pnpm", "Use pnpm, with a frozen lockfile", "extends"),
        ("The build needs Node 20", "The build needs Node 22 now", "supersedes"),
        ("Redis runs on port 6379", "Redis runs on port 6380", "contradicts"),
        ("Redis runs on port 6379", "The kitchen closes at ten", ""),
    ],
)
def test_the_rules_decide_at_once(old: str, new: str, expected: str) -> None:
    assert not RULES.slow
    assert RULES.judge(Pair(old, new, "fact", "fact")).relation == expected


def test_a_slow_judge_is_not_asked_by_the_writer(bird: Bowerbird) -> None:
    older = bird.remember(OLD)
    slow = Slow()
    newer = admit(bird, NEW, slow)
    assert slow.pairs == []
    assert newer.decision == "created"
    assert waiting(bird) == [(newer.id, older.id)]


def test_what_the_rules_decide_needs_no_slow_judge(bird: Bowerbird) -> None:
    kept = bird.remember("Use pnpm")
    slow = Slow()
    assert admit(bird, "use pnpm.", slow).id == kept.id
    assert admit(bird, "Use pnpm, with a frozen lockfile", slow).decision == "superseded"
    assert waiting(bird) == []


def test_others_write_while_a_slow_judge_thinks_and_review_shows_what_it_decided(
    bird: Bowerbird, store_path: str
) -> None:
    older = bird.remember(OLD)
    slow = Slow()
    newer = admit(bird, NEW, slow)
    bird.close()

    def judge() -> None:
        with Bowerbird.open(store_path, project="shop") as other:
            later(other, slow)

    thread = Thread(target=judge)
    thread.start()
    assert slow.asked.wait(60)
    with Bowerbird.open(store_path, project="shop") as other:
        # Neither the lock nor a snapshot is held meanwhile, and the pair is still there.
        other.remember("The kitchen closes at ten")
        assert waiting(other) == [(newer.id, older.id)]
        assert reviews(other) == {}
        slow.leave.set()
        thread.join()
        assert waiting(other) == []
        assert reviews(other) == {
            NEW: f"it contradicts {older.id[:SHORT_ID]}: Boris took over",
            OLD: f"{newer.id[:SHORT_ID]} contradicts it: Boris took over",
        }
        assert {entry.state for entry in other.list()} == {"active"}


def test_a_killed_process_leaves_the_pair_to_the_next_one(bird: Bowerbird, store_path: str) -> None:
    older = bird.remember(OLD)
    newer = admit(bird, NEW, Slow())
    bird.close()
    child = os.fork()
    if not child:
        with Bowerbird.open(store_path, project="shop") as other:
            later(other, Deciding(OPPOSED, lambda: os._exit(0)))
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    with Bowerbird.open(store_path, project="shop") as other:
        assert waiting(other) == [(newer.id, older.id)]
        assert later(other, Deciding(OPPOSED)) == 1
        assert set(reviews(other)) == {OLD, NEW}


def test_a_failing_judge_costs_no_write_and_is_asked_again_a_few_times(bird: Bowerbird) -> None:
    bird.remember(OLD)
    assert admit(bird, NEW, Failing()).decision == "created"
    for _ in range(TRIES):
        assert len(waiting(bird)) == 1
        assert later(bird, Failing()) == 0
    assert waiting(bird) == []
    assert reviews(bird) == {}
    # That is no internal error: `doctor` tells what failed where it lists the models.
    assert [one for one in bird.admin.doctor() if one.check == "comparisons"] == []


def test_what_could_not_be_compared_at_the_write_is_compared_after_it(bird: Bowerbird) -> None:
    class Once:
        slow = False

        def judge(self, pair: Pair) -> Verdict:
            raise ValueError(pair.old)

    bird.remember("Redis runs on port 6379")
    assert "could not be compared" in admit(bird, "Redis runs on port 6380", Once()).reason
    bird.admin.warm()
    assert waiting(bird) == []
    assert set(reviews(bird)) == {"Redis runs on port 6379", "Redis runs on port 6380"}


@pytest.mark.parametrize("change", ["forget", "edit"])
def test_a_memory_that_changed_meanwhile_is_left_alone(bird: Bowerbird, change: str) -> None:
    older = bird.remember(OLD)
    admit(bird, NEW, Failing())

    def changed() -> None:
        if change == "forget":
            bird.forget(older.id)
        else:
            bird.edit(older.id, "Anna looks after the tax service.")

    later(bird, Deciding(OPPOSED, changed))
    assert waiting(bird) == []
    assert reviews(bird) == {}


def test_what_says_the_same_is_linked(bird: Bowerbird) -> None:
    older = bird.remember(OLD)
    newer = admit(bird, NEW, Failing())
    later(bird, Deciding(Verdict("same", "the same in other words")))
    assert reviews(bird) == {}
    store = bird._wiring.writer()
    with store.reading():
        assert store.relations.get(newer.id, older.id, "related_to") is not None


def test_a_pair_goes_with_its_memories(bird: Bowerbird) -> None:
    bird.remember(OLD)
    newer = admit(bird, NEW, Failing())
    bird.forget(newer.id)
    bird.admin.erase(newer.id)
    assert waiting(bird) == []
