"""Whatever was done to memories can be taken back, and leaves them exactly as they were."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.hlc import MOST_AHEAD_MS, tick
from bowerbird.core.relations import RELATIONS

# Some hold others word for word, some contradict, some are about the same.
TEXTS = [
    "Redis must be up before the auth tests",
    "Redis must be up before the auth tests, or they hang",
    "Redis must be up before the auth tests, or they hang, and that takes hours",
    "Postgres listens on port 5432",
    "Postgres listens on port 6432",
]
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("remember"),
            st.integers(0, len(TEXTS) - 1),
            st.sampled_from([(), ("a",), ("b", "c")]),
            st.sampled_from([None, "gotcha", "decision"]),
        ),
        st.tuples(st.just("forget"), st.integers(0, 9)),
        st.tuples(st.just("revert"), st.integers(0, 9)),
        st.tuples(st.just("restore"), st.integers(0, 9), st.integers(0, 9)),
        st.tuples(
            st.just("link"), st.integers(0, 9), st.integers(0, 9), st.sampled_from([*RELATIONS])
        ),
    ),
    min_size=4,
    max_size=16,
)


class Model:
    """A bird, the ids it gave, and what every memory was before each step that still stands."""

    def __init__(self, bird: Bowerbird) -> None:
        self.bird = bird
        self.ids: list[str] = []
        # The memory a step began with, and everything as it was before it.
        self.done: list[tuple[str, dict[str, Any]]] = []

    def snapshot(self) -> dict[str, Any]:
        """Text, fields and relations of each; what was taken back from its birth on is not there."""
        found = {}
        for id in self.ids:
            entry = self.bird.get(id)
            assert entry.details is not None
            links = sorted(
                (one.source, one.target, one.kind, one.strength)
                for one in self.bird.history(id).relations
            )
            stands = self.bird._wiring.store().audit.last_done(id)
            if entry.state != "deleted" or stands is not None or links:
                found[id] = (entry.text, entry.tags, entry.details.fields, links)
        return found

    def pick(self, number: int) -> str | None:
        return self.ids[number % len(self.ids)] if self.ids else None

    def do(self, step: tuple[Any, ...]) -> None:
        before = self.snapshot()
        subject = self.take(step)
        if subject is not None and self.snapshot() != before:
            self.done.append((subject, before))

    def take(self, step: tuple[Any, ...]) -> str | None:
        """Do one step; the memory whose last change it is."""
        if step[0] == "remember":
            decision = self.bird.remember(TEXTS[step[1]], tags=step[2], kind=step[3])
            if decision.id not in self.ids:
                self.ids.append(decision.id)
            return decision.id
        id = self.pick(step[1])
        if id is None:
            return None
        try:
            if step[0] == "forget":
                self.bird.forget(id)
            elif step[0] == "link":
                self.bird.link(id, self.pick(step[2]) or id, step[3])
            elif step[0] == "restore":
                versions = self.bird.history(id).versions
                self.bird.revert(id, versions[step[2] % len(versions)].id)
            else:
                self.revert(id)
                return None
        except (BadInput, NotFound):
            return None
        return id

    def revert(self, id: str) -> None:
        """Take back what was done last, if it was done to this memory."""
        if self.done and self.done[-1][0] == id:
            _, before = self.done.pop()
            self.bird.revert(id)
            assert self.snapshot() == before


@settings(max_examples=50)
@given(STEPS)
def test_taking_everything_back_restores_everything(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        with Bowerbird.open(path, project="shop") as bird:
            model = Model(bird)
            for step in steps:
                model.do(step)
            while model.done:
                subject, before = model.done.pop()
                bird.revert(subject)
                assert model.snapshot() == before
            assert model.snapshot() == {}
            store = bird._wiring.store() if model.ids else None
            if store is not None:
                assert store.words.totals()[0] == 0
                assert store.healthy()
                for id in model.ids:
                    versions = bird.history(id).versions
                    assert [one.parents for one in versions[1:]] == [
                        (one.id,) for one in versions[:-1]
                    ]


_DAY = 24 * 60 * 60 * 1000
_YEAR = 365 * _DAY


@given(
    st.lists(
        st.sampled_from([0, 1, -_DAY, _YEAR]).map(lambda step: 1_767_225_600_000 + step), min_size=1
    )
)
def test_our_own_stamps_ascend_whatever_the_clock_does(moments: list[int]) -> None:
    last: str | None = None
    for now in moments:
        stamp = tick(last, now, "replica")
        assert last is None or stamp > last
        last = stamp


@given(st.integers(-_YEAR, _YEAR))
def test_a_peer_drags_our_stamps_by_minutes_at_most(ahead: int) -> None:
    now = 1_767_225_600_000
    stamp = tick(tick(None, now + ahead, "peer"), now, "replica")
    assert now <= int(stamp.split("-")[0]) <= now + MOST_AHEAD_MS + 1


@pytest.mark.parametrize("step", [-_DAY, _YEAR])
def test_what_was_done_stays_in_order_when_the_clock_steps(store_path: str, step: int) -> None:
    times = iter(range(1_767_225_600_000, 1 << 62, 1_000))
    steps = [0]
    with Bowerbird.open(store_path, clock=lambda: next(times) + steps[0]) as bird:
        kept = bird.remember("Redis must be up before the auth tests")
        for reason, move in (("first", step), ("second", -step), ("third", step)):
            steps[0] += move
            bird.forget(kept.id, reason)
            bird.revert(kept.id)
        history = bird.history(kept.id)
        reasons = [
            one.reason for one in history.versions if one.reason in {"first", "second", "third"}
        ]
        assert reasons == ["first", "second", "third"]
        assert [one.parents for one in history.versions[1:]] == [
            (one.id,) for one in history.versions[:-1]
        ]
        assert len(history.events) == len(history.versions)
        done = [event.after for event in history.events]
        assert done == [one.id for one in history.versions]
