"""Memories that await review, or the decisions on them."""

from bowerbird.core.answers import Entries
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.types import Entry

# The states in which a memory can wait.
WAITING = ("active", "quarantined")


class Reviewed(Value):
    """Memories that await review or were reviewed, with the number of each verdict.

    `left` counts those that were skipped and still wait, `more` those that wait beyond the listed ones.
    `level` is the confidence required for unasked
    injection in this project, and why (agent.levels.LevelState).
    """

    __slots__ = ("entries", "left", "level", "more", "verdicts")
    TABLE = (
        ("entries", ["entry"]),
        ("count", "whole"),
        ("verdicts", "counts"),
        ("left", "whole"),
        ("more", "whole"),
        ("level", "data"),
    )

    def __init__(
        self,
        entries: Entries,
        level: "dict[str, Any]",
        verdicts: "dict[str, int] | None" = None,
        left: int = 0,
        more: int = 0,
    ) -> None:
        self.more = more
        self.entries = entries
        self.level = level
        self.verdicts = verdicts or {}
        self.left = left

    @property
    def count(self) -> int:
        """The number of memories."""
        return len(self.entries)


def waits(entry: "Entry") -> bool:
    """Return whether a memory awaits review."""
    return entry.state in WAITING and (entry.state != "active" or bool(entry.review))
