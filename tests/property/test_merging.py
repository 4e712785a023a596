"""Stores merged in any order are one store, and merging again changes nothing."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from bowerbird import Bowerbird
from bowerbird.bench.upkeep import exported
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.life import DAY
from bowerbird.lifecycle import opposing

if TYPE_CHECKING:
    from collections.abc import Sequence

# Some contradict each other, and three say the like.
TEXTS = (
    "Redis must be up before the auth tests",
    "Postgres listens on port 5432",
    "Postgres listens on port 6432",
    "Postgres listens on port 7432",
    "Deploys happen on Mondays, by hand",
    "The nightly build failed because the disk of runner 3 was full",
    "The nightly build failed since the disk of runner 3 was full again",
    "Nightly build failed: disk of runner 3 full",
)
# What is done in one of two stores, or in both before they part.
STEP = st.one_of(
    st.tuples(st.just("remember"), st.sampled_from(TEXTS), st.sampled_from(["a", "b", ""])),
    st.tuples(st.just("edit"), st.integers(0, 5), st.sampled_from(TEXTS)),
    st.tuples(st.just("tag"), st.integers(0, 5), st.sampled_from(["a", "c"])),
    st.tuples(st.just("pin"), st.integers(0, 5)),
    st.tuples(
        st.sampled_from(["forget", "revert", "erase", "use", "deprecate"]), st.integers(0, 5)
    ),
    st.tuples(st.just("link"), st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.just("clock"), st.sampled_from([-DAY, 3_000, 90 * DAY])),
)
STEPS = st.lists(STEP, max_size=6)
# What ends or settles memories beside others.
ENDINGS = st.lists(
    st.one_of(
        STEP,
        st.tuples(st.sampled_from(["prune", "consolidate"])),
        st.tuples(st.just("confirm"), st.integers(0, 5)),
        st.tuples(
            st.sampled_from(["merge", "supersede", "both"]), st.integers(0, 5), st.integers(0, 5)
        ),
    ),
    max_size=6,
)
# A copy takes in another one on its way.
MEETINGS = st.lists(st.tuples(st.just("meet"), st.integers(0, 3)), max_size=1)


# Making a failing history smaller takes longer than reading it.
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)


class Clock:
    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1
        return self.now


def take(bird: Bowerbird, clock: Clock, ids: list[str], step: tuple[Any, ...]) -> None:
    what, *about = step
    if what == "clock":
        clock.now += about[0]
    elif what == "remember":
        tags = [about[1]] if about[1] else []
        ids.append(bird.remember(about[0], tags=tags).id)
    elif what == "prune":
        bird.prune()
    elif what == "consolidate":
        ids += [one.id for one in bird.consolidate().patterns]
    elif ids:
        change(bird, what, ids[about[0] % len(ids)], ids, *about[1:])


def change(bird: Bowerbird, what: str, id: str, ids: list[str], to: Any = None) -> None:  # noqa: C901 a verb each
    match what:
        case "edit":
            bird.edit(id, to)
        case "tag":
            bird.edit(id, tags=[to])
        case "pin":
            bird.edit(id, pinned=True)
        case "forget" | "revert" | "deprecate":
            getattr(bird, what)(id)
        case "erase":
            bird.admin.erase([id])
        case "use":
            bird.used([id], session="s")
        case "merge":
            bird.merge(id, ids[to % len(ids)])
        case "supersede":
            bird.link(id, ids[to % len(ids)], "supersedes")
        case "both":
            bird.admin.confirm_both(id, ids[to % len(ids)])
        case "confirm":
            bird.remember(bird.get(id).text, verified=True)
        case "link":
            bird.link(id, ids[to % len(ids)], "causes")


def grown(
    path: str, clock: Clock, ids: list[str], steps: list[tuple[Any, ...]], met: Sequence[str] = ()
) -> None:
    with Bowerbird.open(path, project="shop", clock=clock) as bird:
        for step in steps:
            with suppress(BowerbirdError):  # what cannot be done changes nothing
                if step[0] == "meet":
                    bird.admin.import_from(met[step[1] % len(met)])
                else:
                    take(bird, clock, ids, step)
        bird.admin.export_lines()


def told(path: str) -> list[str]:
    with Bowerbird.open(path) as bird:
        lines = list(bird.admin.export_lines())
        assert bird.admin.verify().sound
    return lines


@settings(max_examples=6, phases=UNSHRUNK)
@given(before=STEPS, here=ENDINGS, there=ENDINGS)
def test_either_order_gives_the_same_store(
    before: list[tuple[Any, ...]], here: list[tuple[Any, ...]], there: list[tuple[Any, ...]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base, one, other, first, second = (
            os.path.join(folder, name) for name in ("base.db", "a.db", "b.db", "c.db", "d.db")
        )
        clock = Clock(1_767_225_600_000)
        ids: list[str] = []
        grown(base, clock, ids, [("remember", TEXTS[0], ""), *before])
        for path in (one, other):
            with Bowerbird.open(path, clock=clock) as bird:
                bird.admin.import_from(base)
        mine, theirs = [*ids], [*ids]
        grown(one, clock, mine, here)
        grown(other, clock, theirs, there)
        for path, order in ((first, (one, other)), (second, (other, one))):
            with Bowerbird.open(path, clock=clock) as bird:
                for source in order:
                    bird.admin.import_from(source)
        assert told(first) == told(second)
        with Bowerbird.open(first, clock=clock) as bird:
            for source in (one, other, second):
                got = bird.admin.import_from(source)
                assert (got.added, got.changed, got.errors) == (0, 0, ())
        assert told(first) == told(second)


@settings(max_examples=4, phases=UNSHRUNK)
# A text given by a copy that knew what it contradicts.
@example(
    before=[],
    copies=[[("remember", TEXTS[1], "")], [("meet", 0), ("edit", 0, TEXTS[2])], []],
)
# Used in one copy, brought back in another one and removed in a third one.
@example(
    before=[("forget", 0)],
    copies=[[("use", 0)], [("revert", 0)], [("clock", 130 * DAY), ("prune",)]],
)
# Told again in one copy after its text was edited there, and erased in another one.
@example(
    before=[("remember", TEXTS[1], "")],
    copies=[[("tag", 1, "a")], [("edit", 1, TEXTS[3]), ("remember", TEXTS[1], "")], [("erase", 1)]],
)
# Two of one text, of which one is erased with its former text.
@example(
    before=[("remember", TEXTS[1], "")],
    copies=[[("edit", 1, TEXTS[2])], [("remember", TEXTS[2], "")], [("erase", 1)]],
)
# Merged into one that another copy deprecated and a third one took back.
@example(
    before=[("remember", TEXTS[1], "")],
    copies=[
        [("deprecate", 1)],
        [("remember", TEXTS[4], ""), ("merge", 2, 1)],
        [("revert", 1)],
    ],
)
# Each merged into the other, while one of them was given the text of a third one.
@example(
    before=[("remember", TEXTS[4], "")],
    copies=[
        [("edit", 1, TEXTS[3])],
        [("remember", TEXTS[1], ""), ("merge", 1, 0), ("edit", 2, TEXTS[3])],
        [("merge", 0, 1)],
    ],
)
# Merged into one that another copy erased, and that a third one tagged.
@example(
    before=[("remember", TEXTS[1], "")],
    copies=[
        [("erase", 1)],
        [("remember", TEXTS[4], ""), ("merge", 0, 1)],
        [("meet", 1), ("tag", 1, "c"), ("erase", 1)],
    ],
)
# Removed for good in one copy, changed before that in another one, and used afterwards in a third one.
@example(
    before=[("remember", TEXTS[1], "")],
    copies=[
        [("clock", DAY), ("forget", 1), ("clock", 90 * DAY), ("prune",)],
        [("clock", 3_000), ("edit", 1, TEXTS[4])],
        [("clock", 90 * DAY), ("use", 1), ("tag", 0, "a")],
    ],
)
@given(
    before=STEPS,
    copies=st.lists(st.builds(list.__add__, MEETINGS, ENDINGS), min_size=3, max_size=4),
)
def test_any_order_of_several_gives_the_same_store(
    before: list[tuple[Any, ...]], copies: list[list[tuple[Any, ...]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = os.path.join(folder, "base.db")
        clock = Clock(1_767_225_600_000)
        ids: list[str] = []
        grown(base, clock, ids, [("remember", TEXTS[0], ""), *before])
        paths = [os.path.join(folder, f"copy{number}.db") for number in range(len(copies))]
        for path, steps in zip(paths, copies, strict=True):
            with Bowerbird.open(path, clock=clock) as bird:
                bird.admin.import_from(base)
            there = [one for one in paths if one != path and os.path.exists(one)] or [base]
            grown(path, clock, [*ids], steps, there)
        orders = [*permutations(paths)][:: len(paths) - 2]
        stores = []
        for number, order in enumerate(orders):
            path = os.path.join(folder, f"merged{number}.db")
            merge(path, clock, *order)
            stores.append(path)
        # The last two as one, taken into the first.
        some, all_of_it = (os.path.join(folder, name) for name in ("some.db", "all.db"))
        merge(some, clock, *paths[1:])
        merge(all_of_it, clock, paths[0], some)
        expected = told(stores[0])
        for path in (*stores[1:], all_of_it):
            assert told(path) == expected
        for path in (*paths, some, stores[-1]):
            merge(stores[0], clock, path)
        assert told(stores[0]) == expected


def merge(path: str, clock: Clock, *sources: str) -> None:
    with Bowerbird.open(path, clock=clock) as bird:
        for source in sources:
            bird.admin.import_from(source)


SERVICES = st.lists(st.integers(0, 9), max_size=8)


@settings(max_examples=12, phases=UNSHRUNK)
# Each side alone knows more than are compared, and one changed what both knew.
@example(common=[0, 1, 2], here=[*range(10)], there=[*range(9, -1, -1)], edited=[1])
# Of what is compared some contradicts what both knew already.
@example(common=[*range(6)], here=[*range(5)], there=[*range(4, -1, -1)], edited=[])
@example(common=[], here=[*range(8)], there=[*range(2, 10)], edited=[])
@example(common=[*range(10)], here=[3, 4], there=[4, 3, 5, 6], edited=[0, 2, 5])
@given(common=SERVICES, here=SERVICES, there=SERVICES, edited=st.lists(st.integers(0, 9)))
def test_of_more_than_are_compared_the_same_are_in_either_order(
    common: list[int], here: list[int], there: list[int], edited: list[int]
) -> None:
    clock = Clock(1_790_000_000_000)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(opposing, "MOST", 3)
        paths = {name: os.path.join(folder, f"{name}.jsonl") for name in ("base", "one", "other")}
        for (path, services), port in zip(
            zip(paths.values(), (common, here, there), strict=True),
            (3_000, 1_000, 7_000),
            strict=True,
        ):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(
                    exported(
                        (f"The port of service {at} is {port + at}", "fact", clock())
                        for at in services
                    )
                )
        stores = [os.path.join(folder, f"{name}.db") for name in ("one", "other")]
        for store in stores:
            merge(store, clock, paths["base"])
        with Bowerbird.open(stores[0], clock=clock) as bird:
            known = [one.id for one in bird.list(all_projects=True)]
            for at in edited[: len(known)]:
                with suppress(BowerbirdError):
                    bird.edit(known[at % len(known)], f"The port of service {at} is {9_000 + at}")
        for store, name in zip(stores, ("one", "other"), strict=True):
            merge(store, clock, paths[name])
        merged = [os.path.join(folder, name) for name in ("first.db", "second.db")]
        for path, order in zip(merged, (stores, stores[::-1]), strict=True):
            merge(path, clock, *order)
        assert told(merged[0]) == told(merged[1])
        merge(merged[0], clock, *stores, merged[1])
        assert told(merged[0]) == told(merged[1])
