"""Pruning over a real store: what leaves, what it leaves behind, and what brings it back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound

if TYPE_CHECKING:
    from tests.contract.conftest import Hands

FACT = "The staging database is called db3"
TRAP = "Redis must be up before the auth tests"
CHOICE = "We chose Postgres because two writers were too slow"
FAIR = "The fair in the park is open"


def written(bird: Bowerbird) -> dict[str, list[Any]]:
    """Everything that stands in the store, and nothing of how it is indexed."""
    connection = apsw.Connection(bird.path)
    tables = (
        "facet",
        "entry",
        "memory",
        "version",
        "tag",
        "relation",
        "audit",
        "tombstone",
        "access",
        "session_access",
        "word",
        "meta",
    )
    return {
        name: list(connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2")) for name in tables
    }


def fields(bird: Bowerbird, *ids: str) -> list[Any]:
    """What a memory says, and how it hangs together with others."""
    details = [bird.get(id).details for id in ids]
    relations = [bird.history(id).relations for id in ids]
    return [
        (one.fields if one else None, expected)
        for one, expected in zip(details, relations, strict=True)
    ]


def state(bird: Bowerbird, id: str) -> str:
    return bird.get(id).state


def test_what_faded_goes_and_what_is_needed_stays(bird: Bowerbird, hands: Hands) -> None:
    fact = bird.remember(FACT, origin="agent").id
    trap = bird.remember(TRAP, kind="gotcha", importance=0.9).id
    choice = bird.remember(CHOICE, kind="decision").id
    fair = bird.remember(FAIR, expires="10d").id
    assert bird.prune().leaving == ()
    hands.days(100)
    done = bird.prune()
    assert {one.id: one.becomes for one in done.leaving} == {fact: "deprecated", fair: "expired"}
    assert (done.pruned, done.removed, done.remaining) == (2, 0, 2)
    assert not {fact, fair} & {hit.id for hit in bird.query("which staging database")}
    assert [one.id for one in bird.list(states=["deprecated"])] == [fact]
    assert [one.id for one in bird.list(states=["expired"])] == [fair]
    details = bird.get(fact).details
    assert details is not None
    assert details.reason == next(one.reason for one in done.leaving if one.id == fact)
    hands.days(100)
    assert [one.id for one in bird.prune().leaving if one.becomes != "removed"] == [trap]
    hands.days(4000)
    bird.prune()
    assert state(bird, choice) == "active"


def test_a_dry_run_changes_nothing_and_lists_what_a_run_takes(
    bird: Bowerbird, hands: Hands
) -> None:
    used, late, unused = (bird.remember(text).id for text in (FACT, TRAP, "Lunch is at noon"))
    bird.remember(CHOICE)
    gone = bird.remember(FAIR).id
    bird.forget(gone)
    hands.days(99)
    # Noted beside the store, and not counted yet: it counts in both.
    assert bird.used([used])
    hands.days(1)
    before = written(bird)
    assert {one.id for one in bird.prune(dry_run=True).leaving} == {late, unused, gone}
    # So does what is noted between two of them.
    assert bird.used([late])
    dry = bird.prune(dry_run=True)
    assert written(bird) == before
    assert {one.id: one.becomes for one in dry.leaving} == {unused: "deprecated", gone: "removed"}
    done = bird.prune()
    assert (done.leaving, done.remaining) == (dry.leaving, dry.remaining)
    assert (dry.dry_run, done.dry_run) == (True, False)
    assert state(bird, used) == state(bird, late) == "active"


def test_one_revert_brings_a_run_back_exactly_and_it_stays(bird: Bowerbird, hands: Hands) -> None:
    ids = [bird.remember(text, tags=["x"]).id for text in (FACT, TRAP, FAIR)]
    bird.link(ids[0], ids[1], "causes")
    hands.days(100)
    before = fields(bird, *ids)
    assert bird.prune().pruned == 3
    back = bird.revert(ids[1])
    assert set(back.memories) == set(ids)
    assert fields(bird, *ids) == before
    assert bird.query("which staging database")[0].id == ids[0]
    assert bird.prune().leaving == ()  # who brings something back has touched it
    hands.days(91)
    assert bird.prune().pruned == 3


def test_one_of_a_run_comes_back_alone_by_its_version(bird: Bowerbird, hands: Hands) -> None:
    ids = [bird.remember(text).id for text in (FACT, TRAP)]
    hands.days(100)
    bird.prune()
    first = bird.history(ids[0]).versions[0]
    assert bird.revert(ids[0], first.id).state == "active"
    assert state(bird, ids[1]) == "deprecated"


def test_what_is_remembered_again_was_touched(bird: Bowerbird, hands: Hands) -> None:
    id = bird.remember(FACT, origin="user").id
    hands.days(360)
    assert bird.remember(FACT, origin="user").decision == "known"
    hands.days(360)
    assert bird.prune(threshold=1.0).leaving == ()
    hands.days(6)
    assert [one.id for one in bird.prune(threshold=1.0).leaving] == [id]


def test_what_went_is_kept_a_month_and_then_leaves_nothing(bird: Bowerbird, hands: Hands) -> None:
    id = bird.remember("The xylograph stands in the cellar", tags=["wood"]).id
    stays = bird.remember(CHOICE, kind="decision").id
    bird.link(id, stays)
    bird.used([id], "session")
    hands.days(100)
    bird.prune()
    hands.days(30)
    assert bird.prune().leaving == ()
    hands.days(1)
    (gone,) = bird.prune().leaving
    assert (gone.id, gone.becomes) == (id, "removed")
    with pytest.raises(NotFound, match="was erased: deprecated since 2026-04-11") as raised:
        bird.get(id[:18])
    assert "its importance faded" in raised.value.message
    with pytest.raises(NotFound, match="was erased"):
        bird.revert(id)
    assert bird.history(stays).relations == ()
    assert bird.status().index_healthy
    tables = {
        name: rows for name, rows in written(bird).items() if name not in {"audit", "tombstone"}
    }
    assert "xylograph" not in str(tables)
    assert id not in str({name: rows for name, rows in tables.items() if name != "meta"})
    assert all("xylograph" not in str(row) for row in written(bird)["audit"])
    for finding in bird.admin.doctor():
        assert finding.level != "problem", finding


def test_forgotten_expired_and_faded_ones_are_all_removed_alike(
    bird: Bowerbird, hands: Hands
) -> None:
    ids = [bird.remember(FACT).id, bird.remember(TRAP).id, bird.remember(FAIR, expires="95d").id]
    hands.days(100)
    bird.prune()
    bird.revert(ids[0], bird.history(ids[0]).versions[0].id)
    bird.forget(ids[0], "moved")
    hands.days(31)
    assert bird.prune().counts() == {"deprecated": 0, "expired": 0, "removed": 3}
    assert bird.status().index_healthy
    assert bird.remember(FACT).decision == "created"


def test_what_the_user_said_is_never_removed_by_time(bird: Bowerbird, hands: Hands) -> None:
    kept = bird.remember(FACT, origin="user").id
    verified = bird.remember(TRAP, origin="user", verified=True).id
    taken_back = bird.remember(FAIR, origin="user").id
    by_agent = bird.remember("The printer is on the third floor", origin="user").id
    bird.forget(taken_back)
    bird.forget(by_agent, actor="some-agent")
    hands.days(400)
    assert [one.id for one in bird.prune().leaving if one.becomes == "removed"] == [taken_back]
    hands.days(400)
    bird.prune()
    assert [state(bird, id) for id in (kept, verified)] == ["deprecated"] * 2
    assert state(bird, by_agent) == "deleted"


def test_what_was_held_against_it_waits_no_more_and_does_again(
    bird: Bowerbird, hands: Hands
) -> None:
    # Less trust does not flag more of it: only the second one waits.
    old = bird.remember("Postgres listens on port 5432", importance=0.05).id
    hands.days(60)
    new = bird.remember("Postgres listens on port 6432", origin="import").id
    head = bird.get(new).details
    assert head is not None
    assert head.fields.needs_review
    flagged = bird.get(old).details
    assert flagged is not None
    assert not flagged.fields.needs_review
    before = fields(bird, old, new)
    hands.days(31)
    assert [one.id for one in bird.prune().leaving] == [old]
    settled = bird.get(new).details
    assert settled is not None
    assert not settled.fields.needs_review
    bird.revert(old)
    assert fields(bird, old, new) == before


def test_each_project_is_pruned_and_taken_back_by_itself(bird: Bowerbird, hands: Hands) -> None:
    here = bird.remember(FACT).id
    shared = bird.remember(TRAP, everywhere=True).id
    bakery = bird.within("bakery")
    there = bakery.remember(FAIR).id
    hands.days(100)
    confined = bird.within(None, confined=True)
    assert [one.id for one in confined.prune(dry_run=True).leaving] == [here]
    with pytest.raises(BadInput):
        confined.prune(all_projects=True)
    assert {one.id for one in bird.prune(dry_run=True).leaving} == {here, shared}
    done = bird.prune(all_projects=True)
    assert {one.id for one in done.leaving} == {here, shared, there}
    assert bird.revert(here).memories == (here,)
    assert [state(bird, id) for id in (here, shared, there)] == ["active", *["deprecated"] * 2]
    assert bakery.within(None, confined=True).revert(there).memories == (there,)


def test_what_stood_with_one_that_is_gone_can_still_be_taken_back(
    bird: Bowerbird, hands: Hands
) -> None:
    old = bird.remember(TRAP).id
    new = bird.remember(TRAP + ", or they hang").id
    assert state(bird, old) == "superseded"
    hands.days(100)
    bird.prune()
    hands.days(31)
    assert bird.prune().removed == 1
    with pytest.raises(NotFound):
        bird.get(new)
    assert bird.revert(old).memories == (old,)
    assert state(bird, old) == "active"
    assert bird.status().index_healthy


def test_a_run_of_which_some_are_gone_is_not_taken_back_in_part(
    bird: Bowerbird, hands: Hands
) -> None:
    kept = bird.remember(FACT, origin="user", verified=True).id
    gone = bird.remember(TRAP).id
    hands.days(366)
    bird.prune()
    hands.days(31)
    bird.prune()
    with pytest.raises(BadInput, match=f"{gone}.* was erased") as raised:
        bird.revert(kept)
    assert "--to VERSION" in raised.value.remedy
    assert bird.revert(kept, bird.history(kept).versions[0].id).state == "active"


def test_a_run_comes_back_beside_what_stood_beside_it(bird: Bowerbird, hands: Hands) -> None:
    here = bird.remember(FACT).id
    shared = bird.remember(FACT, everywhere=True, origin="user").id
    hands.days(100)
    assert [one.id for one in bird.prune().leaving] == [here]
    assert bird.revert(here).memories == (here,)
    hands.days(100)
    bird.prune()
    bird.forget(shared)
    again = bird.remember(FACT).id
    with pytest.raises(BadInput, match=f"{again} says the same"):
        bird.revert(here)


def test_only_soft_leaves_what_went_before_alone(bird: Bowerbird, hands: Hands) -> None:
    bird.forget(bird.remember(FACT).id)
    hands.days(99)
    assert bird.prune(remove=False).leaving == ()
    assert bird.prune(remove=False, dry_run=True).leaving == ()
    assert bird.prune().removed == 1


def test_status_tells_when_it_ran_last_and_what_went(bird: Bowerbird, hands: Hands) -> None:
    bird.remember(FACT)
    bird.remember(FAIR, expires="10d")
    assert (bird.status().pruned_at, bird.status().pruned) == (None, {})
    hands.days(100)
    bird.prune(dry_run=True)
    assert bird.status().pruned_at is None
    bird.prune(all_projects=True)
    assert bird.status().pruned_at == hands.now
    assert bird.status().pruned == {"deprecated": 1, "expired": 1, "removed": 0}
    # Another project is told of what is global alone.
    assert bird.within("bakery").status().pruned == dict.fromkeys(bird.status().pruned, 0)


def test_a_resident_reader_sees_it_at_once(bird: Bowerbird, hands: Hands, store_path: str) -> None:
    bird.remember(FACT)
    with Bowerbird.open(store_path, project="shop", clock=hands, resident=True) as reader:
        hands.days(100)
        assert len(reader.query("which staging database")) == 1
        bird.prune()
        assert len(reader.query("which staging database")) == 0


def test_of_many_that_ask_at_once_one_prunes(
    bird: Bowerbird, hands: Hands, store_path: str
) -> None:
    bird.remember(FACT)
    hands.days(93)

    def ask(_: int) -> Any:
        with Bowerbird.open(store_path, clock=hands) as one:
            return one.admin.prune_if_due(86_400)

    assert ask(0) is None, "a store that was never pruned waits a week"
    hands.days(7)
    with ThreadPoolExecutor(8) as pool:
        runs = [run for run in pool.map(ask, range(16)) if run is not None]
    assert [run.pruned for run in runs] == [1]
    hands.days(0.99)
    assert ask(0) is None
    hands.days(0.01)
    assert ask(0).pruned == 0


def test_what_was_never_pruned_waits_a_week_before_it_is_pruned_by_itself(
    bird: Bowerbird, hands: Hands
) -> None:
    # As a store that a program filled, and that a server opens for the first time half a year later.
    id = bird.remember("The parser fails on an empty file", kind="gotcha").id
    hands.days(187)
    for _ in range(7):
        assert bird.admin.prune_if_due(86_400) is None
        assert bird.get(id).state == "active"
        hands.days(1)
    run = bird.admin.prune_if_due(86_400)
    assert run is not None
    assert [one.id for one in run.leaving] == [id]


def test_memories_leave_the_same_together_as_one_by_one(bird: Bowerbird, hands: Hands) -> None:
    texts = [f"Shelf {number} holds the {number * 7} blue jars" for number in range(6)]
    ids = [bird.remember(text).id for text in texts]
    bird.forget(ids[0])
    bird.link(ids[1], ids[2], "contradicts")
    hands.days(100)
    bird.prune()
    for id in ids[1:]:
        assert bird.get(id).state == "deprecated"
        last = [event for event in bird.history(id).events if event.action == "pruned"]
        assert len(last) == 1
        assert "importance" in last[0].reason
        head = bird.history(id).versions[-1]
        assert (last[0].after, head.fields.state) == (head.id, "deprecated")
    assert bird.admin.verify().sound
    assert len(bird.revert(ids[3]).memories) == len(ids) - 1, "they left by one operation"
    assert bird.admin.verify().sound
    assert {hit.id for hit in bird.query("blue jars", limit=10).hits} == set(ids[1:])
    with pytest.raises(NotFound):
        bird.get(ids[0])


def test_after_a_gap_of_more_than_a_month_pruning_by_itself_waits_a_week(
    bird: Bowerbird, hands: Hands
) -> None:
    # A clock that jumps, or a machine that was off: nothing is unused that nobody could use.
    bird.remember("Shelf 2 holds the 14 blue jars")
    assert bird.admin.prune_if_due(86_400) is None
    hands.days(7)
    assert bird.admin.prune_if_due(86_400) is not None
    hands.days(366)
    assert bird.admin.prune_if_due(86_400) is None
    hands.days(1)
    assert bird.admin.prune_if_due(86_400) is None
    # The clock was wrong, and is right again: nothing went, and nothing waits.
    hands.days(-367)
    run = bird.admin.prune_if_due(86_400)
    assert run is not None
    assert run.pruned == 0
    hands.days(366)
    assert bird.admin.prune_if_due(86_400) is None
    for _ in range(6):
        hands.days(1)
        assert bird.admin.prune_if_due(86_400) is None
    hands.days(1)
    run = bird.admin.prune_if_due(86_400)
    assert run is not None
    assert run.pruned == 1


def test_runs_at_once_take_each_memory_once(bird: Bowerbird, hands: Hands, store_path: str) -> None:
    ids = [bird.remember(f"Shelf {n} holds the {n * 7} blue jars").id for n in range(40)]
    hands.days(100)

    def run(_: int) -> tuple[str, ...]:
        with Bowerbird.open(store_path, project="shop", clock=hands) as one:
            return tuple(leaving.id for leaving in one.prune().leaving)

    with ThreadPoolExecutor(4) as pool:
        taken = [id for run in pool.map(run, range(4)) for id in run]
    assert sorted(taken) == sorted(ids)
    for id in ids:
        assert [event.action for event in bird.history(id).events].count("pruned") == 1


def test_nothing_is_made_where_nothing_is(tmp_path: Any) -> None:
    with Bowerbird.open(tmp_path / "none.db") as bird:
        assert bird.prune().leaving == ()
        assert bird.prune(dry_run=True).remaining == 0
        assert bird.admin.prune_if_due(1) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_out_of_its_range_is_refused(bird: Bowerbird, threshold: float) -> None:
    with pytest.raises(BadInput):
        bird.prune(threshold=threshold)
