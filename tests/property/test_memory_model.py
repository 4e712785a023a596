"""Random lives of memories against a model in plain dictionaries; `make lives` runs thousands.

Each takes random steps over all verbs that change a memory, with a clock that also goes a day back and a
year on. After each step the store holds what the model holds; at the end, the answer `as_of` each day is
what the model held that day, and the uses agree.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.life import DAY
from bowerbird.core.types import STATES

START = 1_767_225_600_000
HOUR = DAY // 24
# Each is about something else; the last ones are nearly the same.
TEXTS = [
    "Otters build dams beside the old mill",
    "Invoices are printed on yellow paper",
    "The lighthouse keeper paints windows in autumn",
    "Violins need humid rooms during winter",
    "Customs officers inspect crates at dawn",
    "Sourdough rises slowly near the oven",
    "The glacier retreats behind the chapel",
    "Translators meet in the upper library",
    "Beekeepers move their hives to heather",
    *(f"The payment service fails on node web-{number} under load" for number in range(81, 85)),
]
VERBS = (
    "remember remember remember remember edit tag pin forget deprecate merge link supersede stale use use"
    " revert revert revert prune consolidate hour hour day day back month year"
).split()
# Pruning: days without use in which nothing fades, and days until what ended is removed.
SAFE, GRACE = 90, 30
ENDED = ("deprecated", "deleted")

# What stands in a pattern for that in which its examples differ.
GAP = "…"

Held = dict[str, dict[str, Any]]


def _node(text: str) -> str:
    """That in which the like texts differ."""
    return next((word for word in text.split() if word.startswith("web-")), "none")


class Life:
    """A store and its model."""

    def __init__(self, path: str, seed: int) -> None:
        self.draw = random.Random(seed)
        self.now = self.latest = START
        self.bird = Bowerbird.open(path, project="shop", clock=lambda: self.now)
        self.held: Held = {}
        self.touched: dict[str, int] = {}
        self.used: dict[str, int] = {}
        self.before: dict[str, list[dict[str, Any]]] = {}
        self.uses: dict[str, int] = {}
        # The examples of each pattern.
        self.patterns: dict[str, tuple[str, ...]] = {}
        # Into what a memory was merged last.
        self.merged: dict[str, str] = {}
        # What held at a moment, while the clock had never shown a later one.
        self.days: dict[int, dict[str, str]] = {}

    def stored(self) -> Held:
        """What the store holds, as the model does."""
        found = {}
        for one in self.bird.list(states=STATES, memories_only=True, limit=1_000):
            assert one.details is not None
            fields = one.details.fields
            marked = any(anchor[0] == "" for anchor in fields.anchors)
            found[one.id] = {
                "text": one.text,
                "state": one.state,
                "tags": frozenset(one.tags),
                "pinned": fields.pinned,
                "stale": marked,
            }
        return found

    def put(self, id: str, **changes: Any) -> None:
        """Changes a memory of the model; what changes nothing makes no version."""
        usual = {
            "text": "",
            "state": "active",
            "tags": frozenset(),
            "pinned": False,
            "stale": False,
        }
        changed = {**self.held.get(id, usual), **changes}
        if self.held.get(id) == changed:
            return
        self.held[id] = changed
        self.touched[id] = self.now
        self.before.setdefault(id, []).append(self.held[id])

    def active(self) -> list[str]:
        """The ids of what is active."""
        return [id for id, one in self.held.items() if one["state"] == "active"]

    def saying(self, text: str, state: str = "active") -> list[str]:
        """What is in a state and says a text."""
        held = self.held.items()
        return [id for id, one in held if (one["state"], one["text"]) == (state, text)]

    def step(self) -> str:
        """Takes one step in both; returns its verb."""
        verb = self.draw.choice(VERBS)
        moved = {"hour": HOUR, "day": DAY, "back": -DAY, "month": 31 * DAY, "year": 365 * DAY}
        if verb == "back" and self.now < self.latest:
            verb = "hour"  # a day is as far as a clock goes wrong here
        if verb in moved:
            self.now += moved[verb]
            if verb == "back":
                self.days = {at: one for at, one in self.days.items() if at < self.now}
        elif verb in {"remember", "prune", "consolidate"} or self.held:
            getattr(self, f"_{verb}")()
        assert self.stored() == self.held, verb
        if self.now > self.latest:
            self.latest = self.now
            self.days[self.now] = {id: self.held[id]["text"] for id in self.active()}
        elif self.now == self.latest:
            self.days.pop(self.now, None)
        return verb

    def _one(self, *states: str) -> str | None:
        """The id of one memory in some states (none: any)."""
        ids = [id for id, one in self.held.items() if not states or one["state"] in states]
        return self.draw.choice(ids) if ids else None

    def _refused(self, call: Any, expected: bool) -> bool:
        """Whether a call is refused, which it must be exactly if `expected`."""
        try:
            call()
        except BowerbirdError:
            assert expected
            return True
        assert not expected
        return False

    def _remember(self) -> None:
        text, tag = self.draw.choice(TEXTS), self.draw.choice(["", "ops", "web"])
        kind = self.draw.choice(["gotcha", "fact"])
        tags = [tag] if tag else []
        known = self.saying(text) or self.saying(text, "compressed")
        kept = self.bird.remember(text, kind=kind, tags=tags)
        assert kept.decision == ("known" if known else "created"), (kept.decision, kept.reason)
        if not known:
            self.put(kept.id, text=text, tags=frozenset(tags))
            return
        id = kept.id
        assert id in known
        if not {*tags} <= self.held[id]["tags"]:
            self.put(id, tags=self.held[id]["tags"] | {*tags})

    def _edit(self) -> None:
        id, text = self._one(), self.draw.choice(TEXTS)
        assert id is not None
        twin = [one for one in self.saying(text) if one != id]
        wrong = self.held[id]["state"] != "active" or bool(twin)
        if not self._refused(lambda: self.bird.edit(id, text), wrong):
            self.put(id, text=text, stale=False)  # what was doubted was said otherwise

    def _tag(self) -> None:
        self._set(tags=[self.draw.choice(["ops", "web", "db"])])

    def _pin(self) -> None:
        self._set(pinned=self.draw.choice([True, False]))

    def _stale(self) -> None:
        self._set(stale=self.draw.choice([True, False]))

    def _set(self, **changes: Any) -> None:
        id = self._one()
        assert id is not None
        wrong = self.held[id]["state"] != "active"
        if not self._refused(lambda: self.bird.edit(id, **changes), wrong):
            made = {
                name: frozenset(one) if name == "tags" else one for name, one in changes.items()
            }
            self.put(id, **made)

    def _forget(self) -> None:
        id = self._one()
        assert id is not None
        wrong = self.held[id]["state"] == "deleted"
        if not self._refused(lambda: self.bird.forget(id), wrong):
            was = self.held[id]["state"]
            self.put(id, state="deleted")
            self._release(id)
            if was == "compressed":
                self._fit(id)

    def _fit(self, example: str) -> None:
        """Takes what an example said out of the patterns above it; what a person worded stays."""
        for pattern, examples in self.patterns.items():
            one = self.held.get(pattern)
            left = self._below(pattern, self.held)
            if example in examples and one is not None and one["state"] == "active":
                text = one["text"]
                if GAP in text and len(left) > 1 and _node(self.held[example]["text"]) in text:
                    begin = text.partition(" (")[0]
                    nodes = [_node(self.held[id]["text"]) for id in left]
                    self.put(pattern, text=f"{begin} ({'; '.join(nodes)})")

    def _release(self, pattern: str) -> None:
        """Lets the examples of a pattern hold again that no other one sums up, and nothing else says."""
        for id in self._below(pattern, self.held):
            above = [
                self.held[one.target]["state"]
                for one in self.bird.history(id).relations
                if one.kind == "example_of" and one.target in self.held
            ]
            if "active" not in above and not self.saying(self.held[id]["text"]):
                self.put(id, state="active")

    def _below(self, pattern: str, held: Held) -> list[str]:
        """The examples of a pattern that are compressed."""
        return [
            id
            for id in self.patterns.get(pattern, ())
            if held.get(id, {}).get("state") == "compressed"
        ]

    def _is_fitted(self, id: str, after: Held) -> bool:
        """Whether of a pattern the text alone changed, and says what its examples say by now."""
        if id not in self.patterns or after[id] != {**self.held[id], "text": after[id]["text"]}:
            return False
        nodes = [_node(after[one]["text"]) for one in self._below(id, after)]
        return str(after[id]["text"]).endswith(f" ({'; '.join(nodes)})")

    def _deprecate(self) -> None:
        id = self._one()
        assert id is not None
        wrong = self.held[id]["state"] != "active"
        if not self._refused(lambda: self.bird.deprecate([id]), wrong):
            self.put(id, state="deprecated")
            self._release(id)

    def _merge(self) -> None:
        id, into = self._one(), self._one()
        assert id is not None
        assert into is not None
        wrong = id == into or {self.held[id]["state"], self.held[into]["state"]} != {"active"}
        if self._refused(lambda: self.bird.merge(id, into), wrong):
            return
        one, other = self.held[id], self.held[into]
        self.put(into, tags=one["tags"] | other["tags"], pinned=one["pinned"] or other["pinned"])
        self.put(id, state="merged")
        self.merged[id] = into
        self._release(id)

    def _link(self) -> None:
        id, to = self._one(), self._one()
        assert id is not None
        assert to is not None
        self._refused(lambda: self.bird.link(id, to, "informs"), id == to)

    def _supersede(self) -> None:
        newer, older = self._one("active"), self._one("active")
        if newer is not None and older is not None and newer != older:
            known = any(
                (one.source, one.target, one.kind) == (newer, older, "supersedes")
                for one in self.bird.history(older).relations
            )
            self.bird.link(newer, older, "supersedes")
            if not known:
                self.put(older, state="superseded")
                self._release(older)

    def _use(self) -> None:
        id = self._one()
        assert id is not None
        assert self.bird.used([id])
        self.uses[id] = self.uses.get(id, 0) + 1
        self.used[id] = self.now

    def _revert(self) -> None:
        """Brings back something that was, or is refused and changes nothing."""
        id = self._one()
        assert id is not None
        try:
            done = self.bird.revert(id)
        except BowerbirdError:
            return
        after = self.stored()
        changed = [one for one in self.held if after[one] != self.held[one]]
        fitted = [one for one in changed if self._is_fitted(one, after)]
        assert set(changed) <= {*done.memories, id, *fitted}
        for one in changed:
            if one in fitted:
                self.put(one, **after[one])
                continue
            gone = after[one] == {**self.held[one], "state": "deleted"}
            assert gone or after[one] in self.before[one]
            self.put(one, **after[one])

    def _prune(self) -> None:
        dry = self.bird.prune(dry_run=True)
        done = self.bird.prune()
        assert done.leaving == dry.leaving
        left = {one.id: one.becomes for one in done.leaving}
        for id, one in [*self.held.items()]:
            ended = (self.now - self.touched[id]) / DAY
            idle = (self.now - max(self.touched[id], self.used.get(id, 0))) / DAY
            if one["state"] == "active":
                assert left.get(id, "deprecated") == "deprecated"
                assert not (one["pinned"] and id in left)
                assert not (idle <= SAFE and id in left), (id, one, idle)
            elif one["state"] in ENDED:
                removed = ended > GRACE and not one["pinned"]
                assert (left.get(id) == "removed") == removed, (id, one, ended)
            else:
                assert id not in left
        for id, becomes in left.items():
            if becomes == "removed":
                for known in (self.held, self.touched, self.used, self.before, self.uses):
                    known.pop(id, None)
                for day in self.days.values():
                    day.pop(id, None)
            else:
                self.put(id, state=becomes)
        for id in left:
            self._release(id)
        self._forget_merged({id for id, becomes in left.items() if becomes == "removed"})

    def _forget_merged(self, removed: set[str]) -> None:
        """Forgets what was merged into memories that are removed for good."""
        for id, into in self.merged.items():
            if into in removed and self.held.get(id, {}).get("state") == "merged":
                self.put(id, state="deleted")

    def _consolidate(self) -> None:
        dry = self.bird.consolidate(dry_run=True)
        done = self.bird.consolidate()
        assert [one.text for one in done.patterns] == [one.text for one in dry.patterns]
        for pattern in done.patterns:
            examples = [self.held[id] for id in pattern.examples]
            assert len(examples) >= 3
            assert all(one["state"] == "active" and not one["pinned"] for one in examples)
            tags = frozenset().union(*(one["tags"] for one in examples))
            self.put(pattern.id, text=pattern.text, tags=tags)
            self.patterns[pattern.id] = tuple(pattern.examples)
            for id in pattern.examples:
                self.put(id, state="compressed")

    def end(self) -> None:
        """Compares the past and the uses, and closes the store."""
        self.now = max(self.now, self.latest) + HOUR
        kept = self.bird.remember("The end of it all is written down in the log")
        # Where a refused write had begun to count the uses, one write counts those, the next the rest.
        self.bird.edit(kept.id, pinned=True)
        for at, day in self.days.items():
            found = self.bird.list(as_of=at, memories_only=True, limit=1_000)
            assert {one.id: one.text for one in found} == day, at
        for one in self.bird.list(states=STATES, memories_only=True, limit=1_000):
            assert one.details is not None
            assert one.details.access_count == self.uses.get(one.id, 0)
        assert kept.id not in self.held
        assert self.bird.status().index_healthy
        self.bird.close()


@pytest.mark.parametrize("seed", range(int(os.environ.get("LIVES", "8"))))
def test_a_store_holds_what_a_model_in_plain_dictionaries_holds(store_path: str, seed: int) -> None:
    life = Life(store_path, seed)
    for _ in range(int(os.environ.get("LIFE_STEPS", "40"))):
        life.step()
    life.end()
