"""What to inject again after a compaction: the last messages, and entries still valid."""

from bowerbird.core.errors import NotFound
from bowerbird.core.injected import COMPACTION, Injection
from bowerbird.sessions.inject.selection import (
    BUDGET,
    ENVELOPE,
    RULES,
    fitting,
    line_cost,
    within,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from bowerbird.core.injected import Line
    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry
    from bowerbird.sessions.inject.selection import Sure

# The budget after a compaction is twice as large.
_COMPACTED = 2 * BUDGET
_SAID = 450
# More short rules than the budget holds.
_MOST_AGAIN = 24


def after_compaction(
    memory: "Recall",
    said: "Sequence[Line]",
    given: "Sequence[str]",
    files: "Collection[str]",
    sure: "Sure",
) -> Injection:
    """Return what to inject again after a compaction: the last messages, and entries still valid.

    Those are rules, and entries about `files`, the files of the last steps, relative to the project. The
    newest come first.
    """
    room = _COMPACTED - ENVELOPE
    lines = tuple(within(said, _SAID))
    room -= sum(map(line_cost, lines))
    known = (one for one in _again(memory, given) if one.kind in RULES or _is_of(one, files))
    found = fitting(filter(sure, known), (), room, _MOST_AGAIN, bare=True)
    reasons = {one.id: "injected before the compaction" for one in found}
    about = "What was said and known before this conversation was compacted."
    return Injection(COMPACTION, about, found, lines, reasons)


def _is_of(entry: "Entry", files: "Collection[str]") -> bool:
    return any(one.path in files for one in entry.anchors)


def _again(memory: "Recall", ids: "Sequence[str]") -> "Iterator[Entry]":
    for id in ids:
        try:
            yield memory.get(id)
        except NotFound:
            continue  # pruned or deleted meanwhile
