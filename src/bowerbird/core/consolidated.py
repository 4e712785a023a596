"""What consolidation made of several memories."""

from bowerbird.core.value import Record, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.value import Note


class Alike(Record):
    """A memory that others may say the like of."""

    id: str
    project: str
    trust: str
    text: str


class Pattern(Record):
    """A memory that sums up others, which it leads to as its `examples`; without an id in a dry run.

    It is trusted as the least trusted of them; one that is worded `by_model` at most as an agent is.
    """

    id: str
    text: str
    project: str
    examples: tuple[str, ...]
    trust: str = "normal"
    by_model: bool = False
    TABLE = ("id", "text", "project", "examples", "trust")


class Consolidated(Record):
    """A run of consolidation: the patterns that it made, or with `dry_run` would make."""

    patterns: tuple[Pattern, ...] = ()
    dry_run: bool = False
    took_ms: float = 0.0
    notes: "tuple[Note, ...]" = ()
    TABLE = (
        ("compressed", "whole"),
        "*",
        ("took_ms", "ms"),
        ("notes", "texts-"),
        ("remarks", [Remark], Remark.of),
    )

    @property
    def compressed(self) -> int:
        """How many memories became examples."""
        return sum(len(one.examples) for one in self.patterns)
