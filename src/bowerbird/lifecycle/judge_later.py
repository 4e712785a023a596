"""Judges pairs of memories after the write, from the store's queue; `review` shows what comes of it.

A pair waits there if a judge raised, if judging it would have blocked other writers, or if the judge is
slow. It is read on a snapshot, judged with no transaction open, and stays in the queue until its result
is written: a killed process leaves it to the next one. Nothing is superseded here: a person decides.
"""

from bowerbird.core.errors import ModelError, ModelWaits
from bowerbird.core.history import Change
from bowerbird.core.ids import new_id
from bowerbird.core.memories import UNCOMPARED, Match
from bowerbird.guard.redact import redact
from bowerbird.lifecycle.judge import Judgement, paired, relations, reviewed
from bowerbird.lifecycle.restate import flag, revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.clock import Clock
    from bowerbird.core.memories import Verdict
    from bowerbird.core.ports.models import Aligner
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.thinking import Judge
    from bowerbird.core.types import Entry
    from bowerbird.guard.redact import Allow

# Pairs of one run, which a server begins every few minutes, and failures after which a pair is given up.
MOST = 50
TRIES = 3
_ACTOR = "judge"
_NEW = frozenset(("active", "quarantined"))


class LaterJudging:
    """Empties the queue of one store."""

    def __init__(
        self,
        store: "Store",
        judge: "Judge",
        aligner: "Callable[[], Aligner | None]",
        allow: "Allow",
        clock: "Clock",
    ) -> None:
        """`aligner` returns the contextual model, or None; it is not loaded if nothing waits."""
        self._store = store
        self._judge = judge
        self._aligner = aligner
        self._allow = allow
        self._clock = clock

    def run(self) -> int:
        """Judges the pairs that wait, at most `MOST`; returns how many were judged."""
        with self._store.reading():
            pairs = [(pair, self._ends(*pair)) for pair in self._store.unjudged.next(MOST)]
        done = 0
        try:
            for pair, ends in pairs:
                done += self._one(*pair, ends)
        except ModelError:
            pass  # the others would fail in the same way
        return done

    def _ends(self, memory: str, other: str) -> "tuple[Entry, Entry] | None":
        """The two memories; None if one of them no longer holds."""
        found = [one for id in (memory, other) for one in self._store.entries.get(id)]
        if [one.id for one in found] != [memory, other]:
            return None
        new, old = found
        return (new, old) if old.state == "active" and new.state in _NEW else None

    def _one(self, memory: str, other: str, ends: "tuple[Entry, Entry] | None") -> bool:
        if ends is None:
            with self._store.transaction():
                self._store.unjudged.take(memory, other)
            return False
        new, old = ends
        pair = paired(old, new, self._aligner())
        try:
            verdict = self._judge.judge(pair)
        except ModelError as error:
            if not isinstance(error, ModelWaits):
                with self._store.transaction():
                    self._store.unjudged.failed(memory, other, TRIES)
            raise
        except Exception as error:  # noqa: BLE001 - counted in the store, and tried again
            with self._store.transaction():
                self._store.unjudged.failed(memory, other, TRIES)
                self._store.tally(UNCOMPARED + type(error).__name__)
            return False
        with self._store.transaction():
            # Another process may have judged it, or changed one of the two, meanwhile.
            if self._store.unjudged.take(memory, other) and self._ends(memory, other) == ends:
                self._write(new, old, verdict, pair.near)
        return True

    def _write(self, new: "Entry", old: "Entry", verdict: "Verdict", near: float) -> None:
        if not verdict.relation:
            return
        opposed = verdict.relation in {"contradicts", "supersedes"}
        relation = "contradicts" if opposed else "related_to"
        if self._store.relations.get(new.id, old.id, relation) is not None:
            return
        reason = redact(verdict.reason, self._allow).text
        now = self._clock()
        change = Change(new_id(now), "linked", _ACTOR, reason)
        match = Match(old.id, relation, reason, old.summary, near, old.trust)
        found = Judgement(old, match, old.project == new.project)
        if opposed:
            head = self._store.memories.head(new.id)
            fields = reviewed(head.fields, found)
            if fields != head.fields:
                revise(self._store, head, fields, change.replace(action="contradicted"))
            # A quarantined memory flags no other, and neither does one that a person has verified.
            if new.state == "active" and not head.fields.verified:
                flag(self._store, [found], new.id, new.trust, change)
        for drawn, because in relations(new.id, [found], change, now):
            self._store.relations.put(drawn, because)
