"""Why memories wait for review, as data: reason, other side, evidence, and what a verdict does."""

from bowerbird.core.errors import StoreMissing
from bowerbird.core.life import DAY
from bowerbird.core.reviewed import CONFIRMED, Case, Effect, Settled, Waiting, quotes, waits
from bowerbird.core.types import SHORT_ID, STATES, TRUSTS
from bowerbird.core.word_difference import differing
from bowerbird.lifecycle.restate import retired_by
from bowerbird.sessions.levels import FLAGGED, HELD
from bowerbird.verbs.evidence import evidence
from bowerbird.verbs.reviewing import Reviewing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bowerbird.core.config import Config
    from bowerbird.core.history import Event
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry
    from bowerbird.verbs.asking import Asking
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

_CONTRADICTS = "contradicts"
# Changes of a memory by which it may cease to wait, though nobody decided on it.
_ENDS_WAITING = frozenset(("superseded", "reviewed"))
# Changes by which a memory came to be.
_STATED = frozenset(("created", "imported"))
# Days for which it is told that a contradiction was settled.
_LATELY = 30
# Memories that wait of which the order is told; and changes that are looked through for those settled.
_MOST = 1_000
_SAYS = {
    "keeps": "it holds, and waits no more",
    "retires": "it holds, and replaces the other one, which revert brings back",
    "releases": "it leaves quarantine, and holds",
    "pinned": "it holds; the other one is pinned, and waits until it is unpinned, confirmed or rejected",
    "forgets": "it leaves every search, and is not learned again; revert brings it back",
    "holds_back": "it is kept, and agents do not get it unasked",
}


class Cases:
    """The memories of a project that wait."""

    def __init__(
        self, config: "Config", opened: "Opened", reach: "Reach", asking: "Asking"
    ) -> None:
        self._config = config
        self._opened = opened
        self._asking = asking
        self._reach = reach
        self._reviewing = Reviewing(config, opened, reach)

    def some(self, limit: int, offset: int, *, everywhere: bool) -> Waiting:
        """Those that wait, the worthiest first, then those that a person left for later or held back.

        Two that contradict each other are one: the older is the other side of the newer.
        """
        try:
            store = self._opened.reader()
        except StoreMissing:
            return Waiting()
        lookup = self._asking.lookup()
        with store.reading():
            order = self._ordered(store, everywhere=everywhere)
            entries = lookup.rows([row for row, _ in order[offset : offset + limit]])
            total = (
                len(order) if len(order) < _MOST else store.overview.count(self._all(everywhere))
            )
            return Waiting(self._cases(store, entries), total)

    def queue(self, *, everywhere: bool) -> "list[str]":
        """The ids of those that wait, in the same order."""
        try:
            store = self._opened.reader()
        except StoreMissing:
            return []
        with store.reading():
            return [id for _, id in self._ordered(store, everywhere=everywhere)]

    def _ordered(self, store: "Store", *, everywhere: bool) -> "list[tuple[int, str]]":
        """Row and id of each, of the newest."""
        postponed = self._reviewing.postponed()
        known = store.overview.worths(self._all(everywhere), _MOST)
        known.sort(key=lambda one: (postponed.get(one[1], 0), -one[3], -one[2], one[0]))
        return [(row, id) for row, id, *_ in known]

    def _all(self, everywhere: bool) -> "Filter":
        return self._asking.filter({"waiting": True}, everywhere)

    def settled(self, limit: int, *, everywhere: bool) -> "tuple[Settled, ...]":
        """Those that ceased to wait because of another statement, not by a verdict; the latest first."""
        try:
            store = self._opened.reader()
        except StoreMissing:
            return ()
        with store.reading():
            projects = self._reach.everywhere if everywhere else self._reach.seen
            return settled(store, projects, self._opened.clock() - _LATELY * DAY, limit)

    def reasons(self, ids: "Sequence[str]") -> "tuple[Case, ...]":
        """Some that wait, with code and words of why alone: no effects, other side or evidence.

        For a list, for which all of it would take four times as long. Those that are gone are left out.
        """
        if not ids:
            return ()
        last = self._last({*ids})
        store = self._opened.reader()
        with store.reading():
            entries = self._asking.lookup().named(ids)
            opposed = {one.id for one in entries if self._against(store, one)}
        codes = (_code(one, last.get(one.id, ""), opposed=one.id in opposed) for one in entries)
        return tuple(
            Case(one, code, _says(one), ()) for one, code in zip(entries, codes, strict=True)
        )

    def named(self, ids: "Sequence[str]") -> Waiting:
        """Some memories, whether they wait or not. Raises NotFound and BadInput."""
        store = self._opened.reader()
        with store.reading():
            entries = [self._asking.lookup().get(id) for id in ids]
            return Waiting(self._cases(store, entries), sum(map(waits, entries)))

    def _cases(self, store: "Store", entries: "Iterable[Entry]") -> "tuple[Case, ...]":
        entries = [*entries]
        last = self._last({one.id for one in entries})
        return tuple(self._case(store, one, last.get(one.id, "")) for one in entries)

    def _last(self, ids: "set[str]") -> "dict[str, str]":
        """The last outcome of some memories, by id."""
        outcomes = self._reviewing.outcomes()
        return {one["id"]: one["what"] for one in outcomes if one.get("id") in ids}

    def _case(self, store: "Store", entry: "Entry", last: str) -> Case:
        other = self._opposed(store, entry)
        # Whoever confirms it is a person, whose word is trusted as much as any.
        retired = [one.id for one in retired_by(store, entry.replace(trust=TRUSTS[-1]))]
        code = _code(entry, last, opposed=other is not None)
        taught = evidence(self._config, store, entry) if _learned(entry) else None
        old, new = differing(other.text, entry.text) if other is not None else ((), ())
        says = _says(entry)
        if other is not None and not quotes(says, entry.text, other.text):
            says = f"it and {other.id[:SHORT_ID]} contradict each other"
        return Case(
            entry,
            code,
            says,
            _effects(entry, other, retires=bool(retired)),
            other,
            new,
            old,
            taught,
            also=tuple(id for id in retired if other is None or id != other.id),
            postponed=last == "later",
        )

    def _opposed(self, store: "Store", entry: "Entry") -> "Entry | None":
        """The memory that this one contradicts; of several the one that the reason names."""
        rows = self._against(store, entry)
        return self._asking.lookup().rows(rows)[0] if rows else None

    def _against(self, store: "Store", entry: "Entry") -> "list[int]":
        """Its row; empty if there is none."""
        ids = [
            one.target if one.source == entry.id else one.source
            for one in store.relations.of(entry.id)
            if one.kind == _CONTRADICTS
        ]
        for id in sorted(ids, key=lambda one: one[:SHORT_ID] not in entry.review):
            found = store.entries.get(id, self._reach.bounds)
            rows = [one.row for one in found if one.state == STATES[0]]
            if rows:
                return rows
        return []


def _code(entry: "Entry", last: str, *, opposed: bool) -> str:
    """Why a memory waits, by its last outcome and whether another one contradicts it."""
    details = entry.details
    if entry.disputed:
        return "disputed"
    if last in (HELD, FLAGGED):
        return "held" if last == HELD else "flagged"
    if opposed:
        return _CONTRADICTS
    if details is not None and (details.tainted or entry.trust in {"low", "imported"}):
        return "unverified"
    return "learned" if _learned(entry) else "asked"


def _learned(entry: "Entry") -> bool:
    return entry.details is not None and "learned" in entry.details.fields.metadata


def _says(entry: "Entry") -> str:
    """The same in words, as they were noted."""
    return entry.review or (entry.details.reason if entry.details is not None else "")


def settled(
    store: "Store", projects: "Sequence[str] | None", since: int, limit: int
) -> "tuple[Settled, ...]":
    """The last memories that a later statement took out of review, from the changes since a moment."""
    found: dict[str, Settled] = {}
    changes = store.overview.changes(projects, _MOST)
    undone = {undoes for *_, undoes in changes}
    stated = {
        operation: (seq, entry)
        for seq, _, operation, action, entry, *_ in changes
        if action in _STATED
    }
    for seq, at, operation, action, entry, before, _ in changes:
        if len(found) == limit:
            break
        if action not in _ENDS_WAITING or at < since or operation in undone or entry in found:
            continue
        told, by = stated.get(operation, (0, entry))
        if by == entry:
            continue
        version = store.audit.version(before or "")
        if version is None or not version.fields.needs_review:
            continue
        state = store.memories.head(entry).fields
        if not state.needs_review:
            event, _, summary, trust = _event(store, projects, seq)
            says = _event(store, projects, told)[2]
            found[entry] = Settled(entry, summary, state.state, by, says, at, event.reason, trust)
    return (*found.values(),)


def _event(
    store: "Store", projects: "Sequence[str] | None", number: int
) -> "tuple[Event, str, str, str]":
    """A change by its number, as `Overview.events` tells of it."""
    return store.overview.events(projects, number + 1, 1)[0]


def _effects(entry: "Entry", other: "Entry | None", *, retires: bool) -> "tuple[Effect, ...]":
    open_still = (
        other is not None
        and other.pinned
        and other.project == entry.project
        and entry.id[:SHORT_ID] in other.review
    )
    stated = entry.details.fields.confidence if entry.details is not None else 0.0
    sure = max(stated, CONFIRMED)
    confirmed = "retires" if retires else "pinned" if open_still else "keeps"
    if confirmed == "keeps" and entry.state == "quarantined":
        confirmed = "releases"
    codes = (
        ("confirm", confirmed, sure),
        ("edit", confirmed, sure),
        ("reject", "forgets", None),
        ("hold", "holds_back", None),
    )
    return tuple(Effect(verdict, code, _SAYS[code], to) for verdict, code, to in codes)
