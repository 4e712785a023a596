"""Wires the verbs for who looks at a memory as a whole: pages, counts, score, coverage, changes."""

from bowerbird.core.answers import SORTS, Entries
from bowerbird.core.errors import BadInput, StoreMissing, UnknownName
from bowerbird.core.life import DAY
from bowerbird.core.overview import Activity, Done, Facets, Faded, Flagged, Modules, Pulse
from bowerbird.core.types import ALIVE, DIGEST, MEMORY, beside, whose
from bowerbird.core.value import Note
from bowerbird.core.who import USER, agent, member
from bowerbird.sessions.levels import FLAGGED
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bowerbird.core.history import Event
    from bowerbird.core.overview import Around, Score
    from bowerbird.core.query import Filter
    from bowerbird.core.reviewed import Case, Settled, Waiting

# Later than any change.
_END = (1 << 63) - 1


class Overviewing(Verbs):
    """The verbs that count and sort memories for a person."""

    def page(
        self, filter: "Filter", limit: int, offset: int, sort: str, after: str, *, total: bool
    ) -> Entries:
        """Entries in an order, from a place on. Raises UnknownName and BadInput."""
        if sort not in SORTS:
            raise UnknownName.among("order", sort, [*SORTS])
        if limit < 0 or offset < 0:
            raise BadInput(f"{limit} entries from {offset} on", "count from 0")
        place = _place(after, sort) if after else None
        try:
            store = self._opened.reader()
        except StoreMissing as missing:
            return Entries(notes=(Note("missing", missing.message),), total=0 if total else None)
        from bowerbird.verbs.asking import Asking

        with store.reading():
            rows, last = store.overview.page(filter, limit, offset, sort, place)
            asking = Asking(self._config, self._opened, self._reach, self._acting)
            lookup = asking.lookup(filter.as_of)
            entries, damaged = lookup.rows(rows), lookup.left_out()
            count = store.overview.count(filter) if total else None
        notes = damaged if filter.projects is None else (*damaged, *self._reach.notes())
        return Entries(entries, notes, f"{sort} {last[0]!r} {last[1]}" if last else "", count)

    def facets(self, filter: "Filter", seconds: float, only: "Collection[str]" = ()) -> Facets:
        """Counts of what passes a filter, or some of them alone; zero without a store."""
        try:
            store = self._opened.reader()
        except StoreMissing:
            return Facets(0, {}, {}, {}, {}, 0)
        with store.reading():
            found, slow = store.overview.facets(filter, seconds, only)
            total = store.overview.count(filter)
        counts = {name: found.get(name, {}) for name in ("kinds", "states", "trusts", "modules")}
        waits = found.get("review", {}).get("waits", 0)
        return Facets(total, **counts, needs_review=waits, slow=tuple(slow))

    def activity(self, before: int, limit: int, by: str, *, everywhere: bool) -> Activity:
        """The last changes, or those before one, or by one person or agent; none without a store."""
        actors = (by, member(by), agent(by)) if by else ()
        self._reach.refuse_beyond(everywhere, "all_projects")
        try:
            store = self._opened.reader()
        except StoreMissing:
            return Activity()
        projects = self._reach.everywhere if everywhere else self._reach.seen
        with store.reading():
            gone = self._reach.bounds is None
            found = store.overview.events(projects, before or _END, limit + 1, gone=gone, by=actors)
        self._acting.show([trust for *_, trust in found if trust])
        events = [
            Done(
                one.seq,
                one.at,
                one.action,
                one.actor,
                one.reason,
                one.entry,
                one.operation,
                kind,
                summary,
                trust,
                *_linked(one),
            )
            for one, kind, summary, trust in found[:limit]
        ]
        return Activity(tuple(events), events[-1].seq if len(found) > limit else 0)

    def onboarding(self, limit: int) -> Entries:
        """The best of what everybody here sees, by confidence, pin and uses; none without a store."""
        from bowerbird.core.query import Filter
        from bowerbird.verbs.asking import Asking

        if not self._opened.exists():
            return Entries()
        shared = tuple(uid for uid in self._reach.seen if not whose(uid))
        filter = Filter(
            projects=shared,
            families=(MEMORY,),
            min_trust="normal",
            now=self._opened.clock(),
            needs_review=False,
        )
        lookup = Asking(self._config, self._opened, self._reach, self._acting).lookup()
        store = self._opened.reader()
        with store.reading():
            return Entries(lookup.rows(store.overview.page(filter, limit, 0, "best", None)[0]))

    def pulse(self) -> Pulse:
        """The last change, and what there is; zero without a store."""
        try:
            store = self._opened.reader()
        except StoreMissing:
            return Pulse(0)
        seen = self._reach.seen
        with store.reading():
            counts: dict[str, int] = {}
            for (uid, family, kind), count in store.entries.active().items():
                if family == MEMORY:
                    counts[uid] = counts.get(uid, 0) + (count if kind != DIGEST else 0)
            known = store.projects.all()
            waiting = store.overview.count(self._waiting(seen))
            change = store.overview.last_change()
        person = self._acting.who.person or USER
        shown = {uid: count for uid, count in counts.items() if whose(uid) in ("", person)}
        for uid in [uid for uid in shown if whose(uid)]:
            shown[beside(uid)] = shown.get(beside(uid), 0) + shown.pop(uid)
        projects = tuple((one.uid, one.name, shown[one.uid]) for one in known if one.uid in shown)
        return Pulse(change, sum(counts.get(uid, 0) for uid in seen), waiting, projects)

    def _waiting(self, projects: "tuple[str, ...] | None") -> "Filter":
        """What review asks about, in some projects or in all."""
        from bowerbird.core.query import Filter

        now = self._opened.clock()
        return Filter(projects, (MEMORY,), states=ALIVE, now=now, waiting=True)

    def to_review(self, *, everywhere: bool) -> int:
        """How many decisions wait: two memories that contradict each other are one."""
        self._reach.refuse_beyond(everywhere, "all_projects")
        store = self._opened.reader()
        with store.reading():
            projects = self._reach.everywhere if everywhere else self._reach.seen
            return store.overview.count(self._waiting(projects))

    def change(self) -> int:
        """The number of the last change; 0 without a store."""
        try:
            store = self._opened.reader()
        except StoreMissing:
            return 0
        with store.reading():
            return store.overview.last_change()

    def fading(self, limit: int) -> Faded:
        """How sure memories still are, and which go next; nothing without a store."""
        from bowerbird.verbs.fading import faded

        if limit < 1:
            raise BadInput(f"limit cannot be {limit}", "give it a whole number from 1")
        try:
            store = self._opened.reader()
        except StoreMissing:
            return Faded((0,) * 10)
        now, kinds = self._opened.clock(), self._opened.kinds()
        with store.reading():
            found, trusts = faded(store, self._reach.seen, now, kinds, limit)
        self._acting.show(trusts)
        return found

    def modules(self, limit: int) -> Modules:
        """What memory knows of each module; nothing without a store."""
        from bowerbird.verbs.anchors import strayed
        from bowerbird.verbs.covering import MOST_STRAYED, covered

        try:
            store = self._opened.reader()
        except StoreMissing:
            return Modules()
        with store.reading():
            stray = strayed(store, self._reach, self._reach.seen, MOST_STRAYED)
            found = covered(store, self._reach, stray)
        return Modules(tuple(found[:limit]), max(0, len(found) - limit))

    def module_names(self) -> "dict[str, str]":
        """The modules of this project, by the names that memories may give them; none without a store."""
        from bowerbird.verbs.covering import module_names

        try:
            store = self._opened.reader()
        except StoreMissing:
            return {}
        with store.reading():
            return module_names(store, self._reach)

    def score(self) -> "Score":
        """The score of this project's memory."""
        return self.health(0)[0]

    def helped(self) -> dict[str, bool]:
        """The sessions of the last days that were injected memories, each with whether it used one."""
        from bowerbird.verbs.reviewing import Reviewing
        from bowerbird.verbs.scoring import DAYS, helped

        reviewing = Reviewing(self._config, self._opened, self._reach)
        return helped(reviewing.outcomes(), self._opened.clock() - DAYS * DAY)

    def corrected(self) -> "Sequence[str]":
        """The memories injected in the last days that a person corrected since."""
        from bowerbird.verbs.reviewing import Reviewing
        from bowerbird.verbs.scoring import DAYS, corrected

        outcomes = Reviewing(self._config, self._opened, self._reach).outcomes()
        store = self._opened.reader()
        with store.reading():
            return [*corrected(store, outcomes, self._opened.clock() - DAYS * DAY)[1]]

    def health(self, limit: int) -> "tuple[Score, Modules]":
        """The score of this project's memory, and the modules that it judges."""
        from bowerbird.verbs.reviewing import Reviewing
        from bowerbird.verbs.scoring import scored

        reviewing = Reviewing(self._config, self._opened, self._reach)
        score, found = scored(self._opened, self._reach, self._acting, reviewing)
        return score, Modules(tuple(found[:limit]), max(0, len(found) - limit))

    def around(self, id: str, depth: int, limit: int) -> "Around":
        """What a memory hangs together with."""
        from bowerbird.verbs.surrounding import surroundings

        store = self._opened.reader()
        with store.reading():
            found = surroundings(store, self._reach, id, depth, limit)
        self._acting.show([one.trust for one in found.points if one.trust])
        return found

    def waiting(
        self, ids: "Sequence[str]", limit: int, offset: int, *, everywhere: bool
    ) -> "Waiting":
        """What waits for review, each with its reasons."""
        from bowerbird.verbs.asking import Asking
        from bowerbird.verbs.waiting import Cases

        self._reach.refuse_beyond(everywhere, "all_projects")
        asking = Asking(self._config, self._opened, self._reach, self._acting)
        cases = Cases(self._config, self._opened, self._reach, asking)
        return cases.named(ids) if ids else cases.some(limit, offset, everywhere=everywhere)

    def queue(self, *, everywhere: bool) -> "Sequence[str]":
        """The ids of what waits, in the order in which it is asked for."""
        self._reach.refuse_beyond(everywhere, "all_projects")
        from bowerbird.verbs.asking import Asking
        from bowerbird.verbs.waiting import Cases

        asking = Asking(self._config, self._opened, self._reach, self._acting)
        return Cases(self._config, self._opened, self._reach, asking).queue(everywhere=everywhere)

    def reasons(self, ids: "Sequence[str]") -> "Sequence[Case]":
        """Some of what waits, with why alone."""
        from bowerbird.verbs.asking import Asking
        from bowerbird.verbs.waiting import Cases

        asking = Asking(self._config, self._opened, self._reach, self._acting)
        return Cases(self._config, self._opened, self._reach, asking).reasons(ids)

    def settled(self, limit: int, *, everywhere: bool) -> "tuple[Settled, ...]":
        """What ceased to wait because of another statement, the latest first."""
        from bowerbird.verbs.asking import Asking
        from bowerbird.verbs.waiting import Cases

        self._reach.refuse_beyond(everywhere, "all_projects")
        asking = Asking(self._config, self._opened, self._reach, self._acting)
        found = Cases(self._config, self._opened, self._reach, asking).settled(
            limit, everywhere=everywhere
        )
        self._acting.show([one.trust for one in found])
        return found

    def said_before(self, words: "Sequence[str]", limit: int) -> Entries:
        """The memories of this project that said all of some words before, and do not now."""
        from bowerbird.verbs.asking import Asking

        wanted = [one.casefold() for one in words]

        def holds(text: str) -> bool:
            folded = text.casefold()
            return all(one in folded for one in wanted)

        store = self._opened.reader()
        # Once: each of a large store's memories would have found out again which these are.
        seen = self._reach.seen
        with store.reading():
            said = store.audit.texts(projects=seen)
            ids = sorted({memory for memory, text, _ in said if holds(text)})
            lookup = Asking(self._config, self._opened, self._reach, self._acting).lookup()
            found = [
                one
                for one in lookup.named(ids)
                if one.project in seen and (one.state != "active" or not holds(one.text))
            ]
        return Entries(found[:limit], total=len(found))

    def flag(self, id: str, wrong: str, session: str) -> Flagged:
        """Let a memory wait because somebody called it wrong."""
        from bowerbird.verbs.asking import Asking
        from bowerbird.verbs.keeping import Keeping
        from bowerbird.verbs.reviewing import Reviewing

        here = self._config, self._opened, self._reach, self._acting
        entry = Asking(*here).lookup().get(id)
        where = f" in session {session}" if session else ""
        why = f"called wrong{where}" + (f": {wrong}" if wrong else "")
        done = Keeping(*here).edit(entry.id, None, {"review": why}, why)
        reviewing = Reviewing(self._config, self._opened, self._reach)
        reviewing.judged(entry, FLAGGED, session=session)
        level = reviewing.level_state()
        flags = reviewing.flags(session)
        return Flagged(entry.id, done.review, session, flags, level.back, level.level)


def _linked(event: "Event") -> "tuple[str, str]":
    """The kind of relation that a change is about, and what is at its other end; empty of a version."""
    relation = event.relation
    if relation is None:
        return "", ""
    return relation.kind, relation.target if relation.source == event.entry else relation.source


def _place(after: str, sort: str) -> "tuple[float, int]":
    """The place in a list that `next` named. Raises BadInput."""
    by, _, rest = after.partition(" ")
    value, _, row = rest.partition(" ")
    try:
        if by == sort:
            return float(value) if sort not in {"newest", "oldest", "uses"} else int(value), int(
                row
            )
    except ValueError:
        pass
    raise BadInput(
        f"no list goes on after {after!r}", "give the `next` of a list in the same order"
    )
