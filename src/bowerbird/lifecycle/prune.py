"""Pruning: a pure function decides which memories are pruned and why; `Prune` applies it in batches.

A memory is first removed from search, which `revert` undoes, and deleted a month later at the earliest.
Pinned memories, decisions, procedures and unknown kinds are never pruned.
"""

import re
import time

from bowerbird.core.history import Change
from bowerbird.core.ids import new_id
from bowerbird.core.life import days, effective_importance, pace
from bowerbird.core.pieces import in_pieces
from bowerbird.core.pruned import (
    CACHE_DAYS,
    DEPRECATED,
    EXPIRED,
    OUTCOMES,
    REMOVED,
    Leaving,
    Pruned,
)
from bowerbird.core.states import require_move
from bowerbird.core.text import clean
from bowerbird.core.types import ALIVE, FORGOTTEN, MEMORY
from bowerbird.core.who import is_user
from bowerbird.guard.redact import redact
from bowerbird.lifecycle.restate import forget_merged, release_examples, revise, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.history import Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.ports.files import Cached
    from bowerbird.core.ports.memories import Aging
    from bowerbird.core.ports.store import Store
    from bowerbird.core.pruned import Aged

# Half-lives without use after which a memory is pruned: an eighth of its confidence is left.
HALF_LIVES = 3
# Low importance prunes only memories that were not written, used, changed or restored for this many days.
# A short plain fact starts at the threshold (.05) and would be pruned on its first day; an importance of
# .10 falls below the threshold after 91 days without use.
QUIET_DAYS = 90
# The same for memories that the user entered or confirmed: after a year an importance of .31 has faded
# below .05.
USERS_QUIET_DAYS = 365
# Days after which a pruned memory is deleted.
GRACE_DAYS = 30
# Memories per transaction: each takes up to .3 ms, and other writers wait meanwhile.
BATCH = 500
# The states that pruning looks at: those that it ends, and those that wait for deletion.
_STATES = (*ALIVE, DEPRECATED, EXPIRED, FORGOTTEN)
# Relations by which others hear of a memory that leaves: its examples, what contradicts it, and what was
# merged into it.
_TIES = ("contradicts", "example_of", "supersedes")
# The origin of what the user entered.
_USER = "user"
_DAY_MS = 86_400_000
# What the reason of a version says if a memory was pruned because nobody used or changed it.
_UNTOUCHED = "untouched for {idle:.0f} days"
_SAYS_UNTOUCHED = re.compile(r"\buntouched for \d+ days\b")
# After a gap of more than GAP_DAYS between prunings, the clock may have jumped or the user been away,
# and a lack of use means nothing. So pruning is suspended for WAIT_DAYS.
GAP_DAYS = 30
WAIT_DAYS = 7


def due(aging: "Aging", now: int, every: int) -> bool:
    """Returns whether pruning is due, `every` ms after it last began, and records that it begins.

    After more than GAP_DAYS without pruning it is not due for WAIT_DAYS, nor at first. Call inside a
    transaction.
    """
    last, waits = aging.begun()
    if last is not None and 0 <= now - last < every:
        return False
    # A store that was never pruned may hold what nobody could use so far.
    long_ago = last is None or now - last > GAP_DAYS * _DAY_MS
    aging.begin(now, waits=long_ago)
    if long_ago:
        return False
    return waits is None or not 0 <= now - waits < WAIT_DAYS * _DAY_MS


def judged(one: "Aged", now: int, threshold: float, kinds: "Kinds") -> tuple[str, str] | None:
    """Returns the new state of a memory at the time `now` and the reason, or None if it is not pruned."""
    if one.state in ALIVE:
        # A day that somebody named is kept to, whatever else would keep it.
        if one.valid_to is not None and one.created < one.valid_to <= now:
            return DEPRECATED, f"it held until {_date(one.valid_to - 1)}"
        if one.expires is not None and one.expires <= now:
            return EXPIRED, f"its day has passed: {_date(one.expires)}"
    if one.pinned or one.kind not in kinds or not kinds.get(one.kind).prunable:
        return None
    if one.state not in ALIVE:
        return _ended(one, now)
    if one.needs_review or one.state != "active":
        return None  # awaits review
    idle = days(max(one.accessed, one.updated), now)
    if one.half_life and idle > HALF_LIVES * one.half_life:
        return DEPRECATED, (
            f"{_UNTOUCHED.format(idle=idle)}, more than {HALF_LIVES} half-lives of {one.half_life:.0f}"
        )
    weight = effective_importance(
        one.importance, one.decay_rate, one.accessed, one.created, now, one.changes
    )
    said = one.origin == _USER or one.verified
    if weight < threshold and idle > (USERS_QUIET_DAYS if said else QUIET_DAYS):
        faded = f"its importance faded to {weight:.3f}, below {threshold:g}"
        untouched = _UNTOUCHED.format(idle=idle)
        return DEPRECATED, f"{faded}, {untouched}{_hastened(one.changes)}"
    return None


def _hastened(changes: int) -> str:
    """What a reason says of the changes of a memory's files."""
    if not changes:
        return ""
    often = f"{changes} days" if changes > 1 else "1 day"
    return f"; {pace(changes):.1f} times as fast, as its files changed on {often} of the last year"


def _ended(one: "Aged", now: int) -> tuple[str, str] | None:
    """Returns the reason to delete a memory that has ended, or None."""
    ended = days(one.updated, now)
    if one.verified or ended <= GRACE_DAYS:
        return None
    # A memory that the user entered is deleted only if the user set its expiry or forgot it: no agent can
    # cause its deletion, whatever name it gives.
    forgotten = one.state == FORGOTTEN and is_user(one.ended_by)
    if one.origin == _USER and one.state != "expired" and not forgotten:
        return None
    why = f" ({one.ended_why})" if one.ended_why else ""
    return REMOVED, f"{one.state} since {_date(one.updated)}, {ended:.0f} days ago{why}"


def was_unused(version: "Version", before: "Version | None") -> bool:
    """Whether pruning ended a memory by a version because nobody used or changed it.

    Pruning changes the state alone.
    """
    if before is None or before.fields.state not in ALIVE or before.text != version.text:
        return False
    alone = before.fields.replace(state=DEPRECATED) == version.fields
    return alone and _SAYS_UNTOUCHED.search(version.reason) is not None


def held_unused(version: "Version", used: int, *, said: bool) -> bool:
    """Whether pruning would have ended a memory by a version, had its last use been at `used`."""
    half_life = version.fields.half_life
    least = HALF_LIVES * half_life if half_life else USERS_QUIET_DAYS if said else QUIET_DAYS
    return days(used, version.created) > least


def _batches(rows: "list[int]") -> "Iterator[list[int]]":
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))


def _date(moment: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(moment // 1000))


class Prune:
    """Prunes some projects of a store (None: all), and the cache of vectors from embedding servers.

    `seen` are the projects whose memories count as remaining (None: all): a caller that may not change
    global memories sees them nevertheless.
    """

    def __init__(
        self,
        store: "Store",
        cached: "Cached",
        clock: "Clock",
        projects: "Sequence[str] | None",
        threshold: float,
        kinds: "Kinds",
        seen: "Sequence[str] | None",
    ) -> None:
        self._store = store
        self._cached = cached
        self._now = clock()
        self._projects = projects
        self._seen = seen
        self._threshold = threshold
        self._kinds = kinds
        self._began = time.perf_counter()

    def rehearse(self, *, remove: bool) -> Pruned:
        """Returns what `run` would do, by the same steps, without changing anything."""
        leaving: list[tuple[Aged, Leaving]] = []
        with self._store.rehearsal():
            rows, active = self._planned(remove=remove)
            for some in _batches(rows):
                leaving += self._leaving(some, remove=remove)
            unused = self._unused() if remove else 0
        return self._report(leaving, active, unused, dry_run=True)

    def run(self, actor: str, *, remove: bool) -> Pruned:
        """Prunes, each batch in a transaction, in which every memory is judged again.

        A kill leaves each memory in its old or its new state. All memories that one run prunes from a
        project are one operation. `remove` also deletes what was pruned long ago, and unused vectors.
        """
        name = redact(clean(actor)).text
        operations: dict[str, str] = {}
        leaving: list[tuple[Aged, Leaving]] = []
        with self._store.transaction():
            pass  # opening it counts the recorded uses
        # Judging 100,000 memories takes half a second: done without the write lock.
        with self._store.reading():
            rows, active = self._planned(remove=remove)

        def prune_batch(some: "Sequence[int]") -> "list[tuple[Aged, Leaving]]":
            with self._store.transaction():
                pruned = self._leaving(some, remove=remove)
                tied = self._store.relations.tied_together([one.id for one, _ in pruned], _TIES)
                alone: list[tuple[Aged, str, Change]] = []
                for one, leaving in pruned:
                    operation = operations.setdefault(one.project, new_id(self._now))
                    change = Change(operation, "pruned", name, leaving.reason)
                    if one.id in tied:
                        self._prune(one, leaving, change)
                    else:
                        alone.append((one, leaving.becomes, change))
                self._prune_alone(alone)
            return pruned

        for batch in _batches(rows):
            for pruned in in_pieces(batch, prune_batch):
                leaving += pruned
        unused = 0
        if remove:
            with self._store.transaction():
                unused = self._unused()
        done = self._report(leaving, active, unused, dry_run=False)
        self._note(done)
        return done

    def _unused(self) -> int:
        """Deletes cached vectors that were not used for CACHE_DAYS, and returns their number."""
        return self._cached.prune(self._now - CACHE_DAYS * _DAY_MS)

    def _planned(self, *, remove: bool) -> tuple[list[int], int]:
        """Returns the rows to prune, and the number of active memories."""
        rows = []
        for one in self._store.aging.aged(self._projects, _STATES, self._overdue()):
            verdict = judged(one, self._now, self._threshold, self._kinds)
            if verdict is not None and (remove or verdict[0] != REMOVED):
                rows.append(one.row)
        active = self._store.entries.active().items()
        seen = (n for (uid, family, _), n in active if family == MEMORY and self._sees(uid))
        return rows, sum(seen)

    def _overdue(self) -> list[int]:
        quiet = min(QUIET_DAYS, USERS_QUIET_DAYS)
        return self._store.aging.overdue(self._projects, _STATES, self._now, HALF_LIVES, quiet)

    def _sees(self, project: str) -> bool:
        return self._seen is None or project in self._seen

    def _leaving(self, rows: "Sequence[int]", *, remove: bool) -> "list[tuple[Aged, Leaving]]":
        """Judges some rows again in their present state, and returns those to prune."""
        entries = self._store.entries.load(rows)
        found = []
        for one in self._store.aging.aged(self._projects, _STATES, rows):
            verdict = judged(one, self._now, self._threshold, self._kinds)
            if verdict is None or (verdict[0] == REMOVED and not remove):
                continue
            entry = entries[one.row]
            summary, trust = entry.summary or entry.text, entry.trust
            leaving = Leaving(one.id, one.project, one.kind, summary, *verdict, trust)
            found.append((one, leaving))
        return found

    def _prune_alone(self, leaving: "Sequence[tuple[Aged, str, Change]]") -> None:
        """Deletes memories, or gives each its new state: those of which no other one hears."""
        removed = [one for one in leaving if one[1] == REMOVED]
        self._store.aging.remove([self._removal(one, change) for one, _, change in removed])
        for state in (DEPRECATED, EXPIRED):
            some = [(one, change) for one, becomes, change in leaving if becomes == state]
            if not some:
                continue
            heads = self._store.memories.heads([one.id for one, _ in some])
            for head in heads:
                require_move(head.fields.state, state)
            self._store.memories.set_state(
                [(one.row, head, why) for (one, why), head in zip(some, heads, strict=True)], state
            )

    def _prune(self, one: "Aged", leaving: Leaving, change: Change) -> None:
        """Deletes one memory, or gives it its new state."""
        if leaving.becomes == REMOVED:
            release_examples(self._store, one.id, change)
            forget_merged(self._store, one.id, change.replace(operation=new_id(self._now)))
            self._store.aging.remove([self._removal(one, change)])
            return
        head = self._store.memories.head(one.id)
        revise(self._store, head, head.fields.replace(state=leaving.becomes), change)
        entry = self._store.entries.load([one.row])[one.row]
        settle(self._store, entry, change.replace(action="reviewed"))

    def _removal(self, one: "Aged", change: Change) -> "tuple[int, str, int, Change]":
        """What deletes a memory, with the last moment at which it was known to be wanted.

        Another copy of the store in which it was used or changed later than that keeps it.
        """
        known = {version.id: version for version in self._store.audit.versions(one.id)}
        until = one.updated
        for version in known.values():
            before = known.get(version.parents[0]) if version.parents else None
            if version.fields.state in ALIVE:
                until = one.updated
            elif before is not None and was_unused(version, before):
                until = min(max(one.accessed, before.created), one.updated)
        return one.row, one.id, until, change.replace(action="removed")

    def _note(self, done: Pruned) -> None:
        """Records what was done, for `status`."""
        projects = self._projects
        if projects is None:
            projects = [project.uid for project in self._store.projects.all()]
        left = {uid: dict.fromkeys(OUTCOMES, 0) for uid in projects}
        for one in done.leaving:
            left[one.project][one.becomes] += 1
        with self._store.transaction():
            self._store.projects.note_pruned(self._now, left)

    def _report(
        self, leaving: "list[tuple[Aged, Leaving]]", active: int, unused: int, *, dry_run: bool
    ) -> Pruned:
        remaining = active - sum(one.state == "active" for one, _ in leaving)
        ms = round((time.perf_counter() - self._began) * 1000, 3)
        listed = tuple(row for _, row in leaving)
        return Pruned(listed, remaining, self._threshold, dry_run, ms, unused)
