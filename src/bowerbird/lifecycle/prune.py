"""Forgetting by itself: who goes, and why, as a pure function; then carried out batch by batch.

Nothing goes at once: a memory is first taken out of search, where one `revert` brings it back, and
removed for good a month later at the earliest. Pinned memories, decisions, procedures and kinds that
this process does not know are left alone.
"""

import time

from bowerbird.core.history import Change
from bowerbird.core.ids import new_id
from bowerbird.core.life import days, effective_importance
from bowerbird.core.pieces import in_pieces
from bowerbird.core.pruned import CACHE_DAYS, DEPRECATED, EXPIRED, REMOVED, Leaving, Pruned
from bowerbird.core.text import clean
from bowerbird.core.types import MEMORY
from bowerbird.core.who import is_user
from bowerbird.guard.redact import redact
from bowerbird.lifecycle.restate import revise, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.ports.files import Cached
    from bowerbird.core.ports.memories import Aging
    from bowerbird.core.ports.store import Store
    from bowerbird.core.pruned import Aged

# After this number of half-lives without use an eighth of the confidence is left.
HALF_LIVES = 3
# Low importance alone takes what nobody has touched for so many days: told, used, changed or brought
# back. A short plain fact is born at the threshold (.05), so that importance would take it on its first
# day; one of .10 crosses the threshold after 91 days without use.
QUIET_DAYS = 90
# And what the user said by hand, only after a year. Then an importance of .31 has faded below .05.
USERS_QUIET_DAYS = 365
# What went is kept for so long before it is removed for good.
GRACE_DAYS = 30
# Memories a transaction: each takes about a millisecond, and others wait meanwhile.
BATCH = 200
# In force, or waiting for somebody to look: nothing has ended them yet.
_ALIVE = ("active", "quarantined")
_DAY_MS = 86_400_000
# Where nothing pruned for so long, the clock may have jumped, or nobody was there to use anything: what
# was not used meanwhile tells nothing. So pruning waits, until the clock is right or somebody is back.
GAP_DAYS, WAIT_DAYS = 30, 7


def due(aging: "Aging", now: int, every: int) -> bool:
    """Whether pruning was last begun `every` ms ago; then it is now. Inside a transaction.

    After more than a month without any, whatever would begin within a week is refused.
    """
    last, waits = aging.begun()
    if last is not None and 0 <= now - last < every:
        return False
    long_ago = last is not None and now - last > GAP_DAYS * _DAY_MS
    aging.begin(now, waits=long_ago)
    if long_ago:
        return False
    return waits is None or not 0 <= now - waits < WAIT_DAYS * _DAY_MS


def judged(one: "Aged", now: int, threshold: float, kinds: "Kinds") -> tuple[str, str] | None:
    """What becomes of a memory at a moment, and why; None: it stays as it is."""
    if one.pinned or one.kind not in kinds or not kinds.get(one.kind).prunable:
        return None
    if one.state not in _ALIVE:
        return _ended(one, now)
    if one.expires is not None and one.expires <= now:
        return EXPIRED, f"its day has passed: {_date(one.expires)}"
    if one.needs_review or one.state != "active":
        return None  # somebody is to look at it first
    idle = days(max(one.accessed, one.updated), now)
    if one.half_life and idle > HALF_LIVES * one.half_life:
        return DEPRECATED, (
            f"untouched for {idle:.0f} days, more than {HALF_LIVES} half-lives of {one.half_life:.0f}"
        )
    weight = effective_importance(one.importance, one.decay_rate, one.accessed, one.created, now)
    if weight < threshold and idle > (USERS_QUIET_DAYS if one.user_told else QUIET_DAYS):
        return DEPRECATED, (
            f"its importance faded to {weight:.3f}, below {threshold:g}, untouched for {idle:.0f} days"
        )
    return None


def _ended(one: "Aged", now: int) -> tuple[str, str] | None:
    """Whether what is not in force any more is removed for good."""
    gone = days(one.updated, now)
    if one.verified or gone <= GRACE_DAYS:
        return None
    # What the user said stays, unless the user said until when, or forgot it by hand: no agent
    # makes it go, whatever it is called.
    taken_back = one.state == "deleted" and is_user(one.ended_by)
    if one.user_told and one.state != "expired" and not taken_back:
        return None
    why = f" ({one.ended_why})" if one.ended_why else ""
    return REMOVED, f"{one.state} since {_date(one.updated)}, {gone:.0f} days ago{why}"


def _batches(rows: "list[int]") -> "Iterator[list[int]]":
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))


def _date(moment: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(moment // 1000))


class Prune:
    """Prunes some projects of a store (None: all of them), and what is kept for a model's server.

    `seen` are those whose memories count as remaining (None: all): who may not change what is global
    sees it all the same.
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
        """What `run` would do, by the same steps, and nothing is changed."""
        leaving: list[tuple[Aged, Leaving]] = []
        with self._store.rehearsal():
            rows, in_force = self._planned(remove=remove)
            for some in _batches(rows):
                leaving += self._leaving(some, remove=remove)
            unused = self._unused() if remove else 0
        return self._told(leaving, in_force, unused, dry_run=True)

    def run(self, actor: str, *, remove: bool) -> Pruned:
        """Carry it out, each batch as a transaction, in which every memory is judged again.

        A kill leaves each memory as it was or as it was to be. What leaves one project in one run is
        one operation. `remove` also removes for good what went long ago, and kept vectors unused since.
        """
        name = redact(clean(actor)).text
        operations: dict[str, str] = {}
        leaving: list[tuple[Aged, Leaving]] = []
        with self._store.transaction():
            pass  # counts the uses that were noted
        # 100,000 memories take half a second to judge: nobody waits for that to write.
        with self._store.reading():
            rows, in_force = self._planned(remove=remove)

        def let_go(some: "Sequence[int]") -> "list[tuple[Aged, Leaving]]":
            with self._store.transaction():
                going = self._leaving(some, remove=remove)
                for one, leaving in going:
                    operation = operations.setdefault(one.project, new_id(self._now))
                    self._take(one, leaving, Change(operation, "pruned", name, leaving.reason))
            return going

        for batch in _batches(rows):
            for gone in in_pieces(batch, let_go):
                leaving += gone
        unused = 0
        if remove:
            with self._store.transaction():
                unused = self._unused()
        done = self._told(leaving, in_force, unused, dry_run=False)
        self._note(done)
        return done

    def _unused(self) -> int:
        """Take out the vectors that nobody used for long."""
        return self._cached.prune(self._now - CACHE_DAYS * _DAY_MS)

    def _planned(self, *, remove: bool) -> tuple[list[int], int]:
        """The rows that are to go, and how many memories are in force."""
        rows = []
        for one in self._store.aging.aged(self._projects):
            verdict = judged(one, self._now, self._threshold, self._kinds)
            if verdict is not None and (remove or verdict[0] != REMOVED):
                rows.append(one.row)
        active = self._store.entries.active().items()
        seen = (n for (uid, family, _), n in active if family == MEMORY and self._sees(uid))
        return rows, sum(seen)

    def _sees(self, project: str) -> bool:
        return self._seen is None or project in self._seen

    def _leaving(self, rows: "Sequence[int]", *, remove: bool) -> "list[tuple[Aged, Leaving]]":
        """Those of some rows that go, as they stand now."""
        entries = self._store.entries.load(rows)
        found = []
        for one in self._store.aging.aged(self._projects, rows):
            verdict = judged(one, self._now, self._threshold, self._kinds)
            if verdict is None or (verdict[0] == REMOVED and not remove):
                continue
            entry = entries[one.row]
            summary, trust = entry.summary or entry.text, entry.trust
            leaving = Leaving(one.id, one.project, one.kind, summary, *verdict, trust)
            found.append((one, leaving))
        return found

    def _take(self, one: "Aged", leaving: Leaving, change: Change) -> None:
        """Let one memory go."""
        if leaving.becomes == REMOVED:
            self._store.aging.remove(one.row, one.id, change.replace(action="removed"))
            return
        head = self._store.memories.head(one.id)
        revise(self._store, head, head.fields.replace(state=leaving.becomes), change)
        entry = self._store.entries.load([one.row])[one.row]
        settle(self._store, entry, change.replace(action="reviewed"))

    def _note(self, done: Pruned) -> None:
        """Write down what was done, for `status`."""
        projects = self._projects
        if projects is None:
            projects = [project.uid for project in self._store.projects.all()]
        left: dict[str, dict[str, int]] = {}
        for one in done.leaving:
            counts = left.setdefault(one.project, {})
            counts[one.becomes] = counts.get(one.becomes, 0) + 1
        with self._store.transaction():
            self._store.aging.note(self._now, projects, left)

    def _told(
        self, leaving: "list[tuple[Aged, Leaving]]", in_force: int, unused: int, *, dry_run: bool
    ) -> Pruned:
        remaining = in_force - sum(one.state == "active" for one, _ in leaving)
        ms = round((time.perf_counter() - self._began) * 1000, 3)
        listed = tuple(row for _, row in leaving)
        return Pruned(listed, remaining, self._threshold, dry_run, ms, unused)
