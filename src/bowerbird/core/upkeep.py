"""The seams of upkeep and of who acts, imported for type checking only, like those of `core.ports`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from bowerbird.core.history import Change, Event
from bowerbird.core.pruned import Aged
from bowerbird.core.query import Filter
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.core.who import Who


class Vectors(Protocol):
    """Finds entries without a vector of one model. Knows nothing of how vectors are made."""

    def unread(self, model: int, after: int = 0) -> int:
        """How many there are behind a place."""
        ...

    def before_newest(self, count: int) -> int:
        """The place behind which those stand that were written last, so many of them."""
        ...

    def next_unread(self, model: int, limit: int, after: int) -> tuple[Sequence[Any], int]:
        """Some behind a place with `text`, `context` and `speaker`, and where they end."""
        ...

    def write(self, read: Sequence[Any], vectors: Sequence[Vector], model: int) -> int:
        """Put the vectors of those that still say the same; how many those were."""
        ...

    def forget(self, model: int, limit: int) -> bool:
        """Forget some of this model's vectors; whether that was all."""
        ...

    def others(self, model: int) -> bool:
        """Whether the store knows any other model."""
        ...

    def drop_others(self, model: int, limit: int) -> bool:
        """Forget some of every other model's vectors; whether that was all."""
        ...


class Contextual(Protocol):
    """Vectors of memories by a model that reads sentences. Knows nothing of scores."""

    def state(self) -> tuple[int, int, str]:
        """How many memories were read, how many wait, and the identity of the model that reads."""
        ...

    def nearest(
        self, vector: Vector, filter: Filter, limit: int
    ) -> tuple[list[tuple[int, float]], float, int]:
        """Memories with cosines, best first; the mean cosine of all compared, and their number."""
        ...

    def cosines(self, vector: Vector, rows: Sequence[int]) -> dict[int, float]:
        """Cosines of given memories."""
        ...

    def next_unread(self, limit: int, after: int) -> list[tuple[int, str]]:
        """Some of them behind a row, with their texts."""
        ...

    def write(self, vectors: Mapping[int, Vector], identity: ModelIdentity) -> None:
        """Put the vectors of some memories, by row."""
        ...

    def row_of(self, id: str) -> int:
        """The row of a memory."""
        ...


class Aging(Protocol):
    """Knows what time did to memories. Knows nothing of who should go."""

    def aged(
        self, projects: Sequence[str] | None, rows: Sequence[int] | None = None
    ) -> Iterable[Aged]:
        """Memories in force or gone, as far as time has a say in them."""
        ...

    def remove(self, row: int, id: str, change: Change) -> None:
        """Take a memory out for good."""
        ...

    def note(self, now: int, projects: Sequence[str], left: dict[str, dict[str, int]]) -> None:
        """Write down what left some projects."""
        ...


class Cached(Protocol):
    """Kept vectors of texts that a model behind a server has read. Knows nothing of entries."""

    def prune(self, before: int) -> int:
        """Take out what was last used before a time in UTC milliseconds; how many those were."""
        ...


class Audit(Protocol):
    """Tells who did what. Knows nothing of what may be done."""

    def of(self, entry: str) -> tuple[Event, ...]:
        """What was done to an entry, oldest first."""
        ...

    def operation(self, operation: str) -> tuple[Event, ...]:
        """What was done in one go, oldest first."""
        ...

    def last_done(self, entry: str) -> str | None:
        """The last operation on an entry that still stands."""
        ...

    def last(self) -> int:
        """The number of the last change of any memory."""
        ...

    def changed_since(self, seen: int, most: int) -> list[str]:
        """The memories that were changed behind that number, the latest first."""
        ...


class Acting(Protocol):
    """Whoever acts on the store. Knows nothing of doors."""

    who: Who

    def actor(self, told: str) -> str:
        """Their name for the audit."""
        ...

    def show(self, trusts: Iterable[str]) -> str:
        """They are handed texts that are believed so far."""
        ...
