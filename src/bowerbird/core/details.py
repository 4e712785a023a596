"""What only memories have, as `get` and `list` show it.

Times are UTC milliseconds.
"""

from bowerbird.core.anchors import BY_HAND
from bowerbird.core.life import current_confidence, effective_importance
from bowerbird.core.memories import Fields, Plain
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


# The order of stored fields in answers: before what has faded, then after it with other plain ones.
_FIRST = (
    "confidence",
    "expires",
    "valid_from",
    "valid_to",
    "scope",
    "audience",
    "files",
    "modules",
    "keywords",
    "payload",
    "metadata",
)
_LATER = ("priority", "pinned", "verified", "citation", "commit", "work_unit")


def _stored(name: str) -> "tuple[str, str, str]":
    return name, Fields.DECLARED[name].shape, f"fields.{name}"


class Details(Record):
    """The fields that only memories have.

    `reason` is that of its last change; `previous` the version before. `effective_importance` and
    `current_confidence` are the values after fading; 0 until `faded` computes them. `changes` are the
    days of the last year on which its files changed. `arrived` says how it, or its last
    change from elsewhere, came: imported or synced; empty if all of it was written here. `worded_by` is
    who first wrote its text as it is now; interfaces do not tell it.
    """

    fields: "Fields"
    version: str
    importance: float
    decay_rate: float
    half_life: float | None
    updated: int
    accessed: int
    access_count: int
    origin: str
    source: str
    agent: str
    tainted: bool
    reason: str = ""
    effective_importance: float = 0.0
    current_confidence: float = 0.0
    previous: str = ""
    changes: int = 0
    arrived: str = ""
    worded_by: str = ""
    TABLE = (
        *map(_stored, _FIRST),
        ("current_confidence", "score"),
        ("effective_importance", "score"),
        ("reason", "text"),
        *map(_stored, _LATER),
        *(_stored(name) for name in Plain.DECLARED if name not in {*_FIRST, *_LATER}),
        *map(_stored, ("needs_review", "review")),
        ("origin", "text"),
        ("source", "text"),
        ("agent", "text"),
        ("arrived", "text"),
        ("updated", "moment"),
        ("accessed", "moment"),
        ("access_count", "whole"),
        ("version", "text"),
        ("previous", "text"),
        ("importance", "score"),
        ("decay_rate", "number"),
        ("file_changes", "whole", "changes"),
        ("half_life", "number?", "fading"),
        ("tainted", "flag"),
        ("stale_at", "moment?"),
        ("deprecated_at", "moment?"),
    )

    @property
    def fading(self) -> float | None:
        """The half-life in days as interfaces return it: 0 for never, None if not set."""
        return self.half_life or self.fields.half_life

    @property
    def stale_at(self) -> int | None:
        """When it was marked as stale by hand, if it is."""
        return next((one[4] for one in self.fields.anchors if one[0] == BY_HAND), None)

    @property
    def deprecated_at(self) -> int | None:
        """When it became out of date, if it is deprecated."""
        if self.fields.state != "deprecated":
            return None
        return self.updated if self.fields.valid_to is None else self.fields.valid_to

    def faded(self, created: int, now: int) -> "Self":
        """The same with importance and confidence as of `now`; pinned memories do not fade."""
        fading = None if self.fields.pinned else self.half_life
        return self.replace(
            effective_importance=effective_importance(
                self.importance, self.decay_rate, self.accessed, created, now, self.changes
            ),
            current_confidence=current_confidence(
                self.fields.confidence, fading, self.accessed, now
            ),
        )
