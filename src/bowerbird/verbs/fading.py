"""How sure memories still are, and which of them pruning takes next, by its own rules looked ahead."""

from bisect import insort

from bowerbird.core.life import DAY
from bowerbird.core.overview import SOON, Faded, FadingKind, FadingMemory
from bowerbird.core.pruned import THRESHOLD
from bowerbird.lifecycle.prune import HALF_LIVES, QUIET_DAYS, USERS_QUIET_DAYS, judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.kinds import Kinds
    from bowerbird.core.ports.store import Store
    from bowerbird.core.pruned import Aged

_TENTHS = 10
# Candidates looked at, 30 µs each: of 87,860 memories 35,258 may go within a month, a second of work.
_AHEAD = 2_000
# How far ahead a day is searched for.
_FARTHEST_DAYS = 3 * 365


def faded(
    store: "Store", projects: "Sequence[str]", now: int, kinds: "Kinds", limit: int
) -> "tuple[Faded, list[str]]":
    """The counts of some projects' memories, the next to be pruned if unused, and their trust."""
    tenths = [0] * _TENTHS
    lives: dict[tuple[str, float], int] = {}
    for kind, half_life, tenth, count in store.overview.fading(projects, now):
        tenths[tenth] += count
        if half_life:
            lives[kind, half_life] = lives.get((kind, half_life), 0) + count
    until = now + SOON * DAY
    rows = store.overview.soonest(
        projects, HALF_LIVES, QUIET_DAYS, USERS_QUIET_DAYS, THRESHOLD, until, max(_AHEAD, limit)
    )
    earliest = {row: max(day, now) for row, day in rows}
    due: list[Aged] = []
    later: list[Aged] = []
    for one in store.aging.aged(projects, ("active",), list(earliest)):
        goes = judged(one, until, THRESHOLD, kinds) is not None
        (due if goes else later).append(one)
    more = len(rows) == max(_AHEAD, limit) and rows[-1][1] <= until
    some = due if len(due) >= limit else [*due, *later]
    some.sort(key=lambda one: (earliest[one.row], one.id))
    found: list[tuple[int, str, str, Aged]] = []
    for one in some:
        # To find a day costs ten times as much as to tell whether it is soon.
        if len(found) >= limit and found[limit - 1][0] <= earliest[one.row]:
            break
        day = _day(one, now, kinds)
        if day is not None:
            insort(found, (day[0], one.id, day[1], one))
    entries = store.entries.load([one.row for *_, one in found[:limit]])
    leaving = tuple(
        FadingMemory(one.id, one.kind, entries[one.row].summary or entries[one.row].text, at, why)
        for at, _, why, one in found[:limit]
        if one.row in entries
    )
    listed = (FadingKind(*key, count) for key, count in sorted(lives.items()))
    trusts = [entry.trust for entry in entries.values()]
    return Faded(tuple(tenths), tuple(listed), leaving, len(due), more), trusts


def _day(one: "Aged", now: int, kinds: "Kinds") -> "tuple[int, str] | None":
    """The first day when pruning would take a memory, and why; None if there is none soon.

    Nothing that takes it once lets go of it later, so the day is found by halving.
    """
    last = judged(one, now + _FARTHEST_DAYS * DAY, THRESHOLD, kinds)
    if last is None:
        return None
    early, late = 0, _FARTHEST_DAYS
    while early < late:
        middle = (early + late) // 2
        if judged(one, now + middle * DAY, THRESHOLD, kinds) is not None:
            late = middle
        else:
            early = middle + 1
    at = now + late * DAY
    found = judged(one, at, THRESHOLD, kinds)
    return (at, found[1]) if found is not None else None
