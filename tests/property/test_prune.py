"""Pruning takes what its dry run named, whatever was done before, and one revert undoes it."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird import Bowerbird
from bowerbird.core.life import DAY
from bowerbird.core.pruned import REMOVED
from bowerbird.core.types import STATES

START = 1_767_225_600_000
# Some contradict each other, some hold others word for word, some come close.
TEXTS = [
    "Redis must be up before the auth tests",
    "Redis must be up before the auth tests, or they hang",
    "Postgres listens on port 5432",
    "Postgres listens on port 6432",
    "The staging database is called db3",
    "We chose Postgres because two writers were too slow",
]
DRAFTS = st.fixed_dictionaries(
    {
        "text": st.sampled_from(TEXTS),
        "kind": st.sampled_from([None, "fact", "gotcha", "work_state", "decision"]),
        "origin": st.sampled_from(["user", "agent", "import", "tool_external"]),
        "importance": st.sampled_from([None, 0.05, 0.5, 1.0]),
        "expires": st.sampled_from([None, "20d", "200d"]),
        "pinned": st.sampled_from([None, None, True]),
        "everywhere": st.booleans(),
    }
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), DRAFTS, st.sampled_from(["shop", "bakery"])),
        st.tuples(st.just("use"), st.integers(0, 9)),
        st.tuples(st.just("forget"), st.integers(0, 9)),
        st.tuples(st.just("link"), st.integers(0, 9), st.integers(0, 9)),
        st.tuples(st.just("wait"), st.sampled_from([1, 15, 40, 95, 400])),
        st.tuples(st.just("prune"), st.sampled_from([0.0, 0.05, 1.0])),
    ),
    min_size=6,
    max_size=18,
)


class Model:
    """A bird, its clock, and the ids it gave."""

    def __init__(self, path: str) -> None:
        self.now = START
        self.bird = Bowerbird.open(path, project="shop", clock=lambda: self.now)
        self.ids: list[str] = []

    def snapshot(self) -> dict[str, Any]:
        """Fields and relations of all that is there."""
        found = {}
        for entry in self.bird.list(states=STATES, all_projects=True, limit=200):
            assert entry.details is not None
            relations = sorted(map(str, self.bird.history(entry.id).relations))
            found[entry.id] = (entry.details.fields, relations)
        return found

    def take(self, step: tuple[Any, ...]) -> None:
        known = [id for id in self.ids if id in self.snapshot()]
        if step[0] == "remember":
            draft = dict(step[1])
            text = draft.pop("text")
            kept = self.bird.within(step[2]).remember(text, **draft)
            self.ids.append(kept.id)
        elif step[0] == "wait":
            self.now += step[1] * DAY
        elif step[0] == "prune":
            self.prune(step[1])
        elif known:
            chosen = known[step[1] % len(known)]
            if step[0] == "use":
                self.bird.used([chosen])
            elif step[0] == "link" and known[step[2] % len(known)] != chosen:
                self.bird.link(chosen, known[step[2] % len(known)], "contradicts")
            elif step[0] == "forget" and self.bird.get(chosen).state != "deleted":
                self.bird.forget(chosen)

    def prune(self, threshold: float) -> None:
        before = self.snapshot()
        dry = self.bird.prune(dry_run=True, threshold=threshold, all_projects=True)
        assert self.snapshot() == before
        done = self.bird.prune(threshold=threshold, all_projects=True)
        assert (done.leaving, done.remaining) == (dry.leaving, dry.remaining)
        after = self.snapshot()
        removed = {one.id for one in done.leaving if one.becomes == REMOVED}
        assert set(after) == set(before) - removed
        for one in done.leaving:
            fields = before[one.id][0]
            # What never fades ends on a day that was named for it.
            if fields.pinned or fields.kind == "decision":
                assert (one.becomes, fields.expires <= self.now) == ("expired", True)
            if one.id in after:
                assert after[one.id][0].state == one.becomes
        active = [id for id, (fields, _) in after.items() if fields.state == "active"]
        assert len(active) == done.remaining
        self.undo(done, before, removed)

    def undo(self, done: Any, before: dict[str, Any], removed: set[str]) -> None:
        """Back to what was, save what was removed for good; then let them go again."""
        soft = {one.project: one.id for one in done.leaving if one.becomes != REMOVED}
        for id in soft.values():
            self.bird.revert(id)  # what was removed in the same run stays so
        expected = {
            id: (
                fields,
                [
                    relation
                    for relation in relations
                    if not any(gone in relation for gone in removed)
                ],
            )
            for id, (fields, relations) in before.items()
            if id not in removed
        }
        assert self.snapshot() == expected
        again = self.bird.prune(threshold=done.threshold, all_projects=True)
        # Who is brought back was touched: time starts anew, save for a day that has passed.
        assert {one.becomes for one in again.leaving} <= {"expired"}


@settings(max_examples=12)
@given(STEPS)
def test_a_run_takes_what_it_said_and_is_undone_exactly(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = Model(os.path.join(folder, "memory.db"))
        for step in [*steps, ("wait", 95), ("prune", 0.05), ("wait", 31), ("prune", 0.05)]:
            model.take(step)
        assert model.bird.status().index_healthy
        model.bird.close()
