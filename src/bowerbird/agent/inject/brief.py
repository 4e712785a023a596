"""The brief at a session's start: rules, traps, and what the last session left open."""

from bowerbird.agent.inject.selection import (
    BUDGET,
    ENVELOPE,
    RULES,
    cost,
    fitting,
    line_cost,
    waits_for_trigger,
    within,
)
from bowerbird.core.injected import START, Injection
from bowerbird.core.text import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bowerbird.agent.inject.selection import Sure
    from bowerbird.core.injected import Line
    from bowerbird.core.packs import Item
    from bowerbird.core.ports.recall import Recall

# A known error is injected when a call fails with it. Injected at each start, the cures of one linter
# took 430 tokens in each of 156 sessions.
_TRAPS_AT_START = ("gotcha", "dead_end")
_STATES = ("work_state",)
# Entries that are examined for the brief, and the maximum of each kind.
_LISTED = 40
_MOST_RULES, _MOST_TRAPS, _MOST_STATES = 8, 4, 2


def brief(
    memory: "Recall",
    seen: "Collection[str]",
    open: "Sequence[Line]",
    sure: "Sure",
    note: str = "",
) -> Injection:
    """Return the brief at a session's start: rules, traps, and what the last session left open."""
    room = BUDGET - ENVELOPE - count_tokens(note)
    lines = tuple(within(open, room // 3))
    room -= sum(map(line_cost, lines))
    items: list[Item] = []
    reasons: dict[str, str] = {}
    sections = (
        (RULES, _MOST_RULES, "holds in this project"),
        (_STATES, _MOST_STATES, "left open"),
        (_TRAPS_AT_START, _MOST_TRAPS, "a trap of this project"),
    )
    for kinds, most, reason in sections:
        listed = memory.list(kinds=kinds, memories_only=True, min_trust="normal", limit=_LISTED)
        waits = kinds == _TRAPS_AT_START
        listed = [one for one in listed if not (waits and waits_for_trigger(one))]
        best = sorted(listed, key=lambda one: (one.pinned, one.importance or 0.0), reverse=True)
        found = fitting(filter(sure, best), {*seen, *reasons}, room, most)
        room -= sum(map(cost, found))
        reasons |= {one.id: reason for one in found}
        items += found
    about = "What this project's memory holds, as a session begins."
    return Injection(START, about, tuple(items), lines, reasons, note)
