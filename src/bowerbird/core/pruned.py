"""The values of automatic pruning: what decides whether a memory is pruned, and the result.

Times are UTC milliseconds.
"""

from bowerbird.core.value import Record, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.value import Note

# Memories of lower effective importance may be pruned after a long time without use.
THRESHOLD = 0.05
# Cached vectors unused for this number of days are removed; a text that is needed again is sent again.
CACHE_DAYS = 30
# The outcomes of pruning; the first two are states, and can be reverted.
DEPRECATED = "deprecated"
EXPIRED = "expired"
REMOVED = "removed"
# The outcomes that `status` counts.
OUTCOMES = (DEPRECATED, EXPIRED, REMOVED)


class Aged(Record):
    """The data of one memory that decides whether it is pruned.

    `updated` is when it was last written or changed, by anyone; if it is no longer active, `ended_by` and
    `ended_why` describe that change; `origin` is one of core.origins.TRUST_OF. `valid_to` is
    when what it says ends, or ended; `changes` are the days of the last year on which its files changed.
    """

    row: int
    id: str
    project: str
    kind: str
    state: str
    created: int
    accessed: int
    updated: int
    importance: float
    decay_rate: float
    half_life: float | None = None
    expires: int | None = None
    pinned: bool = False
    verified: bool = False
    needs_review: bool = False
    origin: str = ""
    ended_by: str = ""
    ended_why: str = ""
    valid_to: int | None = None
    changes: int = 0


class Leaving(Record):
    """A memory that is or was pruned: its outcome (one of OUTCOMES), and why."""

    id: str
    project: str
    kind: str
    summary: str
    becomes: str
    reason: str
    trust: str = "normal"
    TABLE = ("becomes", "id", "kind", "project", "reason", "summary", "trust")


class Pruned(Record):
    """A run of pruning: the memories that left, and how many remain active; with `dry_run` none has left.

    `unused_vectors` is the number of cached vectors removed with them: see `CACHE_DAYS`.
    """

    leaving: tuple[Leaving, ...] = ()
    remaining: int = 0
    threshold: float = THRESHOLD
    dry_run: bool = False
    took_ms: float = 0.0
    unused_vectors: int = 0
    notes: "tuple[Note, ...]" = ()
    TABLE = (
        ("pruned", "whole"),
        ("removed", "whole"),
        ("remaining", "whole"),
        ("unused_vectors", "whole"),
        ("dry_run", "flag"),
        ("threshold", "number"),
        ("memories", [Leaving], "leaving"),
        ("took_ms", "ms"),
        ("notes", "texts-"),
        ("remarks", [Remark], Remark.of),
    )

    @property
    def pruned(self) -> int:
        """How many were taken out of search; they can be restored."""
        return len(self.leaving) - self.removed

    @property
    def removed(self) -> int:
        """How many were deleted for good, a long time after they were pruned."""
        return sum(one.becomes == REMOVED for one in self.leaving)

    def counts(self) -> dict[str, int]:
        """The number of memories by outcome."""
        becoming = [one.becomes for one in self.leaving]
        return {name: becoming.count(name) for name in OUTCOMES}
