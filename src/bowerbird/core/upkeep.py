"""The seams of looking after a store, imported for type checking only, like those of `core.ports`."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from bowerbird.core.history import Change
from bowerbird.core.pruned import Aged
from bowerbird.core.types import Vector


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

    def others(self, model: int) -> bool:
        """Whether the store knows any other model."""
        ...

    def drop_others(self, model: int, limit: int) -> bool:
        """Forget some of every other model's vectors; whether that was all."""
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

    def shrink(self) -> None:
        """Give back the room."""
        ...


class Cached(Protocol):
    """Kept vectors of texts that a model behind a server has read. Knows nothing of entries."""

    def prune(self, before: int) -> int:
        """Take out what was last used before a time in UTC milliseconds; how many those were."""
        ...
