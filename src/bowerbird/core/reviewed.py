"""What waits until somebody has looked at it, or what was decided of it."""

from bowerbird.core.answers import Entries
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Reviewed(Value):
    """Memories that wait, or that were decided on, with how often each verdict was given.

    `left` counts what was looked at and waits on. `level` says how sure memory has to be to speak unasked
    in this project, and why (agent.levels.Standing).
    """

    __slots__ = ("entries", "left", "level", "verdicts")
    TABLE = (
        *(("entries", ["entry"]), ("count", "whole"), ("verdicts", "counts")),
        *(("left", "whole"), ("level", "data")),
    )

    def __init__(
        self,
        entries: Entries,
        level: "dict[str, Any]",
        verdicts: "dict[str, int] | None" = None,
        left: int = 0,
    ) -> None:
        self.entries = entries
        self.level = level
        self.verdicts = verdicts or {}
        self.left = left

    @property
    def count(self) -> int:
        """How many."""
        return len(self.entries)
