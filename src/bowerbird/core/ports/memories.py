"""Memories, what they are to each other, who did what to them, and what time does."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from bowerbird.core.history import Change, Event, Relation, Version
from bowerbird.core.memories import Belief, Details, Fields
from bowerbird.core.pruned import Aged
from bowerbird.core.query import Filter
from bowerbird.core.types import Entry, ModelIdentity, Vector


class Memories(Protocol):
    """Keeps beliefs and their versions. Knows nothing of how a draft was judged."""

    def add(
        self,
        project: int,
        belief: Belief,
        vector: Vector,
        model: int | None,
        change: Change,
        understood: Vector | None = None,
    ) -> str:
        """Write a new memory; its id. Where no model has read it (None), it waits to be read."""
        ...

    def revise(
        self,
        of: str | Version,
        fields: Fields | Callable[[Fields], Fields | None],
        change: Change,
        text: str | None = None,
        hash: bytes = b"",
    ) -> Version:
        """Give a memory other fields, and with a text that too, as a new version; by its id or its head.

        A function makes the fields of those that stand, or says by None that they stay.
        """
        ...

    def believe(self, id: str, trust: str) -> None:
        """Let a memory be believed so far."""
        ...

    def touch(self, id: str) -> None:
        """Note that a memory was told again."""
        ...

    def head(self, id: str) -> Version:
        """The version that a memory stands at."""
        ...

    def contradicted(self, head: Version) -> bool:
        """Whether a relation says that another memory and one that stands at a head contradict."""
        ...

    def together(self) -> AbstractContextManager[None]:
        """Versions that are made inside are written at once behind it; nothing inside reads them."""
        ...

    def version(self, version: str) -> Version | None:
        """One version."""
        ...

    def versions(self, id: str) -> tuple[Version, ...]:
        """All versions of a memory, oldest first."""
        ...

    def details(self, rows: Sequence[int]) -> dict[int, Details]:
        """What only memories have, by row."""
        ...


class Relations(Protocol):
    """Keeps how memories hang together. Knows nothing of what they say."""

    def get(self, source: str, target: str, kind: str) -> Relation | None:
        """One relation."""
        ...

    def of(self, id: str) -> tuple[Relation, ...]:
        """The relations from and to a memory."""
        ...

    def among(self, projects: Sequence[str]) -> list[tuple[str, str, str, float, bool]]:
        """Relations of memories in force: source, target, kind, strength, whether a rule drew it."""
        ...

    def tied(self, projects: Sequence[str]) -> list[tuple[str, str, str, str]]:
        """What memories in force of some projects are about: id, path, symbol and project."""
        ...

    def about(self, paths: Sequence[str], name: str, projects: Sequence[str]) -> list[int]:
        """The memories in force that are tied to a file by one of its paths, and to a symbol."""
        ...

    def parse(self, text: str | None) -> Relation | None:
        """A relation as the audit kept it."""
        ...

    def put(self, relation: Relation, change: Change) -> None:
        """Write a relation."""
        ...

    def begin(self, drawn: Sequence[tuple[Relation, Change]]) -> None:
        """Write the first relations of memories that were just made."""
        ...

    def remove(self, relation: Relation, change: Change) -> None:
        """Take a relation away."""
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

    def begun(self) -> tuple[int | None, int | None]:
        """When pruning was last begun, and since when it waits."""
        ...

    def begin(self, now: int, *, waits: bool) -> None:
        """Write down that pruning is begun, or that it is to wait from now on."""
        ...


class NearestMemories(Protocol):
    """Compares memories with a text that may become one. Knows nothing of what is decided by that."""

    def find(
        self,
        vector: Vector | None,
        model: int | None,
        understood: Vector | None,
        filter: Filter,
        limit: int,
        also: Sequence[int],
        size: int,
    ) -> list[tuple[Entry, float, float]]:
        """The nearest that pass a filter by either vector, and `also`, with both cosines."""
        ...


class Contextual(Protocol):
    """Vectors of memories by a model that reads sentences. Knows nothing of scores."""

    def state(self) -> tuple[int, int, str]:
        """How many memories were read, how many wait, and the identity of the model that reads."""
        ...

    def nearest(
        self, vector: Vector, filter: Filter, limit: int
    ) -> tuple[list[tuple[int, float]], int]:
        """Memories with cosines, best first, and how many were compared."""
        ...

    def cosines(self, vector: Vector, rows: Sequence[int]) -> dict[int, float]:
        """Cosines of given entries."""
        ...

    def words(self, rows: Sequence[int]) -> dict[int, bytes]:
        """What the model made of the words of given memories."""
        ...

    def next_unread(self, limit: int, after: int) -> list[tuple[int, str]]:
        """Some of them behind a row, with their texts."""
        ...

    def write(self, read: Mapping[int, tuple[str, Vector]], identity: ModelIdentity) -> None:
        """Put what the model made of some texts of memories, by row."""
        ...

    def holds_any(self, rows: Sequence[int]) -> bool:
        """Whether any of some entries was read."""
        ...

    def unread_passages(self, limit: int) -> list[tuple[int, str]]:
        """The newest passages that wait, each with its text."""
        ...

    def write_passages(self, read: Mapping[int, tuple[str, Vector]], model: str) -> None:
        """Put what the model made of some texts of passages, by row."""
        ...

    def row_of(self, id: str) -> int:
        """The row of a memory."""
        ...
