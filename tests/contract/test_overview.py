"""What a person looks at: pages, counts, reasons to review, the score, and what hangs together."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.answers import SORTS
from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.life import DAY
from bowerbird.core.query import Filter
from bowerbird.core.types import ALIVE, DIGEST
from bowerbird.core.who import AGENT, USER, Who
from bowerbird.verbs.timeline import LEFT, waits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int]) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop", clock=clock) as opened:
        yield opened.acting(Who(USER, USER))


TEXTS = [
    ("Redis has to be up before the auth tests run", {"modules": ["auth"], "confidence": 0.6}),
    ("We chose SQLite for the cart", {"kind": "decision", "modules": ["cart"]}),
    ("The label printer jams on Mondays", {"kind": "gotcha", "half_life": 1.0}),
    ("Deploys start at seven in the morning", {"confidence": 0.9}),
    ("Invoices are numbered by year", {"tags": ["billing"]}),
]


def filled(bird: Bowerbird) -> list[str]:
    return [bird.remember(text, **about).id for text, about in TEXTS]  # type: ignore[arg-type]


@pytest.mark.parametrize("sort", SORTS)
def test_pages_hold_each_entry_once_in_order(bird: Bowerbird, sort: str) -> None:
    ids = filled(bird)
    whole = [one.id for one in bird.list(sort=sort, limit=50)]
    assert sorted(whole) == sorted(ids)
    paged: list[str] = []
    after = ""
    while True:
        page = bird.list(sort=sort, limit=2, after=after, total=True)
        assert page.total == len(ids)
        paged += [one.id for one in page]
        after = page.next
        if not after:
            break
    assert paged == whole


def test_orders_sort_by_what_they_say(bird: Bowerbird) -> None:
    ids = filled(bird)
    assert [one.id for one in bird.list(sort="oldest")] == ids
    assert next(iter(bird.list(sort="confidence"))).id == ids[0]
    bird.used([ids[3]])
    bird.remember("A write counts the uses")
    assert next(iter(bird.list(sort="uses"))).id == ids[3]
    with pytest.raises(UnknownName):
        bird.list(sort="size")
    with pytest.raises(BadInput):
        bird.list(sort="oldest", after=bird.list(limit=1, total=True).next)


def test_facets_count_what_a_filter_lets_pass(bird: Bowerbird) -> None:
    ids = filled(bird)
    bird.forget(ids[4])
    found = bird.facets()
    assert found.total == 4
    assert found.modules == {"auth": 1, "cart": 1}
    assert sum(found.kinds.values()) == sum(found.trusts.values()) == 4
    assert found.states == {"active": 4, "deleted": 1}
    assert bird.facets(modules=["auth"]).total == 1


def test_a_contradiction_waits_with_its_other_side_and_what_differs(bird: Bowerbird) -> None:
    kept = bird.remember("The queue keeps 3 workers alive", verified=False)
    agent = bird.acting(Who("agent", "agent"))
    new = agent.remember("The queue keeps 5 workers alive")
    (case,) = [one for one in bird.waiting().cases if one.entry.id == new.id]
    assert (case.code, case.other and case.other.id) == ("contradicts", kept.id)
    assert [case.entry.text[a:b] for a, b in case.differs] == ["5"]
    assert case.other is not None
    assert [case.other.text[a:b] for a, b in case.other_differs] == ["3"]
    assert {one.verdict: one.code for one in case.effects}["confirm"] == "retires"


def test_a_flag_makes_a_memory_wait_and_counts_for_its_session(bird: Bowerbird) -> None:
    ids = filled(bird)
    bird.admin.level(2)
    for number, id in enumerate(ids[:3], 1):
        done = bird.flag(id, "no longer", session="s1")
        assert (done.flags, done.back) == (number, number == 3)
    assert bird.flag(ids[3], session="s2").flags == 1
    cases = {one.entry.id: one for one in bird.waiting().cases}
    assert cases[ids[0]].code == "flagged"
    assert "no longer" in cases[ids[0]].says


def test_what_would_be_decided_is_what_is_decided(bird: Bowerbird) -> None:
    filled(bird)
    for text in ("We chose SQLite for the cart", "We chose SQLite for the cart, it is one file"):
        foreseen = bird.remember(text, dry_run=True)
        assert len(bird.list(limit=50)) == len(TEXTS)
        assert bird.remember(text).decision == foreseen.decision
        bird.revert(bird.remember(text).id) if foreseen.decision != "known" else None


def test_a_memory_stands_among_what_it_is_related_to(bird: Bowerbird) -> None:
    ids = filled(bird)
    bird.link(ids[0], ids[1], "causes")
    bird.link(ids[1], ids[2], "causes")
    near = bird.around(ids[0])
    assert {one.id for one in near.points} == {ids[0], ids[1]}
    assert [(leg.kind, leg.source, leg.target) for leg in near.legs] == [("causes", 0, 1)]
    far = bird.around(ids[0], depth=2)
    assert {one.id for one in far.points} == set(ids[:3])
    assert far.total == 3
    assert len(set(far.places)) == 3
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in far.places)
    assert len(bird.around(ids[0], depth=2, limit=2).points) == 2


def test_changes_are_listed_newest_first_and_go_on(bird: Bowerbird) -> None:
    ids = filled(bird)
    bird.forget(ids[0], "moved")
    first = bird.activity(limit=1)
    assert (first.events[0].action, first.events[0].reason) == ("forgotten", "moved")
    rest = bird.activity(before=first.next, limit=50)
    assert all(one.seq < first.events[0].seq for one in rest.events)
    assert rest.next == 0


def scored(bird: Bowerbird) -> float:
    found = bird.score()
    if found.score is None:
        return -1
    formula = found.formula.replace(" x ", " * ")
    terms, _, result = formula.partition(" = ")
    assert round(eval(terms)) == int(result) == found.score
    return found.score


def grown(bird: Bowerbird) -> list[str]:
    """A project that has been worked in: sessions, verdicts, and some that wait."""
    agent = bird.acting(Who("agent", "agent"))
    kept = [bird.remember(f"Fact {name} of the shop holds").id for name in "abcdefghijklmnopqrst"]
    for at in range(12):
        outcome = {"session": f"s{at}", "given": kept[at : at + 3], "cited": kept[at : at + at % 2]}
        bird._wiring.opened.outcomes.add("name:shop", at, "used", bird._wiring.now(), **outcome)
    waits = [
        agent.remember(f"Thing {name} may be so", review="asked").id for name in "uvwxyzabcdef"
    ]
    for id in waits[:6]:
        bird.admin.judged(bird.get(id), "confirmed")
        bird.edit(id, review="")
    return [*kept, *waits]


def test_the_score_is_its_formula_and_never_rises_by_deleting(bird: Bowerbird) -> None:
    assert bird.score().early
    ids = grown(bird)
    before = scored(bird)
    assert before > 0
    parts = {one.name: one for one in bird.score().parts}
    assert (parts["settled"].good, parts["settled"].all) == (6, 12)
    assert (parts["helped"].good, parts["helped"].all) == (6, 12)
    for some in (ids[26:], ids[:20], ids[20:26]):
        bird.forget_all(some)
        after = scored(bird)
        assert after <= before
        before = after
    assert bird.score().early


@pytest.mark.parametrize("seed", range(3))
def test_no_deletion_of_any_kind_raises_the_score(
    store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance, now = random.Random(seed), [1_800_000_000_000]
    folder = tmp_path / "works"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    with Bowerbird.open(store_path, clock=lambda: now[0]) as opened:
        bird, agent = (opened.acting(Who(one, one)) for one in (USER, AGENT))
        ids = _worked_in(bird, agent, folder, chance, now)
        before = scored(bird)
        assert before > 0
        while len(ids) > 6:
            kind = chance.choice(["some", "stale", "waiting", "prune"])
            some = chance.sample(ids, 3)
            if kind == "stale":
                some = [one.id for one in bird.stale(limit=3).memories]
            elif kind == "waiting":
                some = [one.entry.id for one in bird.waiting(limit=3).cases]
            some = [one for one in some if one in ids]
            if kind == "prune":
                bird.prune()
            elif some and chance.random() < 0.5:
                bird.admin.erase(some)
            elif some:
                bird.forget_all(some)
            ids = [one.id for one in bird.named(*ids) if one.state in ALIVE]
            after = scored(bird)
            assert after <= before, (kind, before, after)
            before = after


def _worked_in(
    bird: Bowerbird, agent: Bowerbird, folder: Path, chance: random.Random, now: list[int]
) -> list[str]:
    """A project whose every part of the score can be judged, and falls short somewhere."""
    for number in range(14):
        (folder / f"part{number}.py").write_text(f"def part{number}():\n    return {number}\n")
    bird.index(folder)
    ids = [
        bird.remember(
            f"Part {number} of the works returns {number * 7}", files=[f"part{number}.py"]
        ).id
        for number in range(14)
    ]
    ids += [bird.remember(f"Shelf {number} holds {number * 3} lamps").id for number in range(12)]
    over: Any = {"expires": now[0] + DAY // 2, "files": ["part3.py"]}
    texts = (
        "The lamp of the hall flickers",
        "Somebody paints the gate",
        "Rain comes through the roof",
    )
    ids += [bird.remember(text, **over).id for text in texts]
    waits = [
        agent.remember(f"Door {number} may open at {number + 3}", review="asked").id
        for number in range(14)
    ]
    ids += waits
    for number in chance.sample(range(14), 6):
        (folder / f"part{number}.py").write_text(f"def other{number}():\n    return 'x'\n")
    bird.index(folder)
    for id in chance.sample(waits, 4):
        bird.edit(id, review="")
        bird.admin.judged(bird.get(id), "confirmed")
    for number in range(14):
        given = chance.sample(ids, 3)
        told = {"session": f"s{number}", "given": given, "cited": given[: number % 2]}
        bird._wiring.opened.outcomes.add(bird.project.uid, number, "used", now[0], **told)
    for id in chance.sample(ids, 4):
        bird.flag(id, "wrong")
    now[0] += DAY
    return ids


def test_the_score_counts_no_more_active_memories_than_there_are(bird: Bowerbird) -> None:
    ids = filled(bird)
    bird.remember("Asked: why does the printer jam? Done: oiled it", kind=DIGEST)
    found = bird.score()
    assert (found.total, found.active) == (len(ids), len(ids))
    assert found.early == f"{len(ids)} of the 20 memories that it takes"


def test_the_score_counts_a_pair_that_waits_as_review_does(bird: Bowerbird) -> None:
    agent = bird.acting(Who("agent", "agent"))
    for seconds in (30, 45):
        agent.remember(f"The checkout tests time out after {seconds} seconds", review="asked")
    assert bird.score().waiting == bird.admin.pulse().waiting == 1


def test_a_correction_lowers_the_score_and_undoing_it_does_not(bird: Bowerbird) -> None:
    ids = grown(bird)
    before = scored(bird)
    bird.flag(ids[1], "wrong")
    assert scored(bird) < before
    right = next(one for one in bird.score().parts if one.name == "right")
    assert (right.good, right.all) == (13, 14)
    # So does putting another in the place of one that was told.
    person = bird.acting(Who("user", "user"))
    newer = person.remember("Another thing holds by now").id
    person.link(newer, ids[2], "supersedes")
    right = next(one for one in bird.score().parts if one.name == "right")
    assert (right.good, right.all) == (12, 14)
    person.revert(newer)


def test_what_sessions_left_is_counted_with_what_of_it_waits(bird: Bowerbird) -> None:
    kept = bird.remember("The till opens at nine").id
    bird.remember("Perhaps the till closes at six", review="somebody should look")
    newer = bird.remember("The shop is in the old station hall").id
    bird.merge(newer, into=kept)
    overview = bird._wiring.opened.reader().overview
    left = Filter(families=("memory",), states=LEFT)
    (counts,) = overview.left_by_session(left, "session_digest").values()
    known = bird.list(memories_only=True, states=LEFT)
    assert counts == (len(known), sum(map(waits, known)))
    assert counts[1] == 1
    gone = [one.id for one in known if one.state == "superseded"]
    assert overview.superseded([kept, newer]) == gone


def test_what_was_said_before_is_told_of_this_project_alone(bird: Bowerbird) -> None:
    mine = bird.remember("The till opens at nine").id
    other = bird.within("bakery")
    theirs = other.remember("The till opens at four").id
    bird.edit(mine, "The till closes at six")
    other.edit(theirs, "The till closes at noon")
    assert [one.id for one in bird.admin.said_before(["opens"])] == [mine]
    assert [one.id for one in other.admin.said_before(["opens"])] == [theirs]
    assert not bird.admin.said_before(["closes"])
