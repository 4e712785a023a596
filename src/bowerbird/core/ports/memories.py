"""Ports to memories: versions, relations, audit, aging, and vectors; and to who changes them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from bowerbird.core.consolidated import Alike
from bowerbird.core.erased import Part
from bowerbird.core.exchange import Held, Row
from bowerbird.core.history import Change, Event, Relation, Version
from bowerbird.core.memories import Belief, Fields
from bowerbird.core.pruned import Aged
from bowerbird.core.query import Filter
from bowerbird.core.types import Entry, ModelIdentity, Vector
from bowerbird.core.who import Who


class Memories(Protocol):
    """Stores memories and their versions. Knows nothing of how a draft was judged."""

    def add(
        self,
        project: int,
        belief: Belief,
        vector: Vector,
        model: int | None,
        change: Change,
        understood: Vector | None = None,
    ) -> str:
        """Write a new memory and return its id. Without a `model` (None) it waits to be embedded."""
        ...

    def revise(
        self,
        of: str | Version,
        fields: Fields | Callable[[Fields], Fields | None],
        change: Change,
        text: str | None = None,
        hash: bytes = b"",
    ) -> Version:
        """Write a new version of a memory, given by id or head: new fields and optionally a new text.

        A function computes the fields from the current ones, or returns None to keep them.
        """
        ...

    def receive(
        self, taken: Sequence[tuple[Held, Belief, int, Vector]], model: int | None, arrival: Change
    ) -> None:
        """Write memories as another copy of the store holds them, in place of those with their ids.

        The audit gets a line of each, by `arrival`.
        """
        ...

    def move(self, id: str, project: int) -> None:
        """Put a memory into another project. Inside a transaction."""
        ...

    def personal(self, projects: Sequence[str]) -> list[str]:
        """The memories in some projects that are personal by their audience."""
        ...

    def set_trust(self, id: str, trust: str) -> None:
        """Set a memory's trust."""
        ...

    def touch(self, id: str) -> None:
        """Record that the same memory was written again."""
        ...

    def head(self, id: str) -> Version:
        """The current version of a memory."""
        ...

    def heads(self, ids: Sequence[str]) -> list[Version]:
        """The current versions of memories, in the order of their ids."""
        ...

    def set_state(self, heads: Sequence[tuple[int, Version, Change]], state: str) -> None:
        """Write a version with another state of each memory: rows with their heads, and why."""
        ...

    def contradicted(self, head: Version) -> bool:
        """Whether a relation says that a memory, given by its head, and another one contradict."""
        ...

    def together(self) -> AbstractContextManager[None]:
        """Buffer the versions created inside, and write them together at its end; none is read inside."""
        ...


class Exchange(Protocol):
    """Reads and writes what stores give each other. Knows nothing of how two copies are merged."""

    def held(self, ids: Sequence[str] | None = None) -> list[Held]:
        """The memories with these ids (None: all), by id; unknown ids are left out."""
        ...

    def replica(self) -> str:
        """The name of this copy of the store."""
        ...

    def names(self) -> dict[str, str]:
        """All names of this copy, each with the last stamp that may be its own under that name.

        Before it was moved or restored it had another one.
        """
        ...

    def marks(self, ids: Sequence[str] | None = None) -> dict[str, str]:
        """A mark of each of these memories (None: of all), another one when what `held` gives changed."""
        ...

    def ids(self) -> set[str]:
        """The ids of all memories."""
        ...

    def saying(self, hashes: Sequence[bytes]) -> list[str]:
        """The ids of memories with one of these normal forms."""
        ...

    def births(self) -> Iterator[tuple[str, str, str, int]]:
        """Each memory's id and project, its first text, and when that was written."""
        ...

    def versions(self, ids: Iterable[str]) -> set[str]:
        """Those of some ids of versions that are here."""
        ...

    def drop_relations(self, keys: Iterable[Row]) -> None:
        """Delete relations, by their ends and kinds, as if they had never been. Inside a transaction."""
        ...

    def rows(self, sort: str) -> list[Row]:
        """The rows of a sort (core.exchange.SORTS)."""
        ...

    def put(self, sort: str, rows: Iterable[Row]) -> None:
        """Write rows of a sort in place of those with their keys. Inside a transaction."""
        ...

    def put_events(self, events: Sequence[Row], kept: int) -> None:
        """Make these the audit; the first `kept` ones stand there already. Inside a transaction."""
        ...

    def remove(self, id: str) -> None:
        """Delete a memory, without a trace of its own. Inside a transaction."""
        ...


class Erasing(Protocol):
    """Selects what a part of a store holds, and deletes rows of no memory. Knows nothing of files."""

    def memories(self, part: Part) -> list[str]:
        """The ids of the memories of a part."""
        ...

    def derived(self, ids: Sequence[str]) -> list[str]:
        """These memories, and all that were derived from them, in whatever number of steps."""
        ...

    def summing_up(self, ids: Sequence[str]) -> list[str]:
        """These memories in this order, and the patterns that they are examples of."""
        ...

    def documents(self, part: Part) -> list[tuple[int, str]]:
        """Project and path of the documents of a part; of an origin, if any passage has it."""
        ...

    def sessions(self, part: Part) -> list[str]:
        """The sessions that memories or documents of a project or session name."""
        ...

    def known_sessions(self) -> list[str]:
        """Every session that a memory, a document or a digest names."""
        ...

    def note_turns(self, turns: Iterable[tuple[str, str, int]]) -> None:
        """Note turns of transcripts that are not indexed any more: session, file name, first line.

        Inside a transaction.
        """
        ...

    def noted_turns(self) -> frozenset[tuple[str, str, int]]:
        """The turns that are not indexed any more."""
        ...

    def note_sessions(self, sessions: Iterable[str], at: int) -> None:
        """Note that sessions were erased: what they said until then stays away. Inside a transaction."""
        ...

    def noted_sessions(self) -> dict[str, int]:
        """The sessions that were erased, each with the time of that."""
        ...

    def drop_sessions(self, sessions: Iterable[str]) -> None:
        """Delete what was noted of sessions, their digests apart. Inside a transaction."""
        ...

    def drop_project(self, uid: str) -> None:
        """Delete a project that has neither memories nor documents. Inside a transaction."""
        ...

    def drop_vectors(self, hashes: Iterable[bytes]) -> None:
        """Delete the cached vectors of texts, by the hashes of those. Inside a transaction."""
        ...

    def reasons(self) -> list[tuple[int, str]]:
        """The reasons of all changes that have one, by number."""
        ...

    def unquote(self, ids: Sequence[str]) -> None:
        """Take quotations out of the reasons for what others became by these or beside them.

        Inside a transaction.
        """
        ...

    def put_fields(
        self, id: str, versions: Sequence[tuple[str, Fields]], tags: Iterable[str]
    ) -> None:
        """Put other fields into versions of a memory as they stand, and forget tags it had.

        Inside a transaction.
        """
        ...

    def blank_reasons(self, operations: Iterable[int]) -> None:
        """Take the reasons out of changes, by their numbers. Inside a transaction."""
        ...


class Relations(Protocol):
    """Stores relations of memories. Knows nothing of their texts."""

    def get(self, source: str, target: str, kind: str) -> Relation | None:
        """One relation."""
        ...

    def of(self, id: str) -> tuple[Relation, ...]:
        """The relations from and to a memory."""
        ...

    def among(self, projects: Sequence[str]) -> list[tuple[str, str, str, float, bool]]:
        """Relations of active memories: source, target, kind, strength, whether a rule created it."""
        ...

    def tied_together(self, ids: Sequence[str], kinds: Sequence[str]) -> set[str]:
        """Those of some memories that have a relation of some kinds, from either end."""
        ...

    def tied(self, projects: Sequence[str]) -> list[tuple[str, str, str, str]]:
        """The anchors of active memories of some projects: id, path, symbol and project."""
        ...

    def about(self, paths: Sequence[str], name: str, projects: Sequence[str]) -> list[int]:
        """The active memories anchored to a file, given by its paths, and to a symbol."""
        ...

    def parse(self, text: str | None) -> Relation | None:
        """A relation from its form in the audit."""
        ...

    def put(self, relation: Relation, change: Change) -> None:
        """Write a relation."""
        ...

    def begin(self, drawn: Sequence[tuple[Relation, Change]]) -> None:
        """Write the first relations of memories that were just created."""
        ...

    def remove(self, relation: Relation, change: Change) -> None:
        """Delete a relation."""
        ...


class Audit(Protocol):
    """Reads who changed what. Knows nothing of permissions."""

    def of(self, entry: str) -> tuple[Event, ...]:
        """The changes of an entry, oldest first."""
        ...

    def operation(self, operation: str) -> tuple[Event, ...]:
        """The changes of one operation, oldest first."""
        ...

    def last_done(self, entry: str) -> str | None:
        """The last operation on an entry that was not reverted."""
        ...

    def note(self, change: Change, entry: str) -> None:
        """Add a line that changes nothing of its entry. Inside a transaction."""
        ...

    def blank(self, entry: str) -> None:
        """Take the reasons out of an entry's events, which may quote it. Inside a transaction."""
        ...

    def version(self, version: str) -> Version | None:
        """One version."""
        ...

    def versions(self, id: str) -> tuple[Version, ...]:
        """All versions of a memory, oldest first."""
        ...

    def texts(
        self, fields: Sequence[str] = (), projects: Sequence[str] | None = None
    ) -> Iterator[tuple[str, str, str]]:
        """Memory, text, and the values of some fields as a JSON list of every version, in no order.

        An empty list where the fields cannot be read. With `projects`, of what is there in these alone.
        """
        ...


class Aging(Protocol):
    """Reads the facts by which memories age. Knows nothing of what should be pruned."""

    def aged(
        self,
        projects: Sequence[str] | None,
        states: Sequence[str],
        rows: Sequence[int] | None = None,
    ) -> Iterable[Aged]:
        """Memories in some states, of some projects (None: all), or of those the given rows."""
        ...

    def overdue(
        self,
        projects: Sequence[str] | None,
        states: Sequence[str],
        now: int,
        half_lives: float,
        quiet: int,
    ) -> list[int]:
        """The rows of memories that have ended, whose day passed, or untouched for half-lives or days."""
        ...

    def tied(self, project: str) -> list[tuple[int, str, int]]:
        """The active memories of a project that are about files: row, a path, and the noted changes."""
        ...

    def note_changes(self, days: Mapping[int, int]) -> None:
        """Record on how many days the files of memories changed, by row. Inside a transaction."""
        ...

    def remove(self, gone: Sequence[tuple[int, str, int, Change]]) -> None:
        """Delete memories permanently: rows with their ids, until when each was wanted, and why."""
        ...

    def begun(self) -> tuple[int | None, int | None]:
        """When pruning last started, and since when it is postponed."""
        ...

    def begin(self, now: int, *, waits: bool) -> None:
        """Record that pruning starts, or that it is postponed from now on."""
        ...


class Unjudged(Protocol):
    """Keeps pairs of memories until a judge has compared them. Knows nothing of judges."""

    def put(self, memory: str, others: Sequence[str]) -> None:
        """Add pairs of a new memory with stored ones. Inside a transaction."""
        ...

    def next(self, limit: int) -> list[tuple[str, str]]:
        """The pairs to judge next: a new memory and a stored one; those that failed least first."""
        ...

    def failed(self, memory: str, other: str, most: int) -> None:
        """Count a judgement that failed, and drop the pair after so many. Inside a transaction."""
        ...

    def take(self, memory: str, other: str) -> bool:
        """Remove a pair; whether it was still there. Inside a transaction."""
        ...


class NearestMemories(Protocol):
    """Compares memories with the text of a draft. Knows nothing of decisions based on that."""

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
        """The nearest by either vector that pass a filter, and the rows `also`, with both cosines."""
        ...


class AlikeMemories(Protocol):
    """Compares memories with each other. Knows nothing of what becomes of those that are alike."""

    def pairs(
        self,
        model: int,
        projects: Sequence[str] | None,
        without: Sequence[str],
        least: float,
        *,
        again: bool,
    ) -> Iterator[tuple[int, int, float]]:
        """Pairs of rows with at least a cosine of active memories that may be summed up.

        Of some projects (None: all) and without some kinds; both are of one project, kind, trust, scope
        and audience, personal ones of one author. Neither is pinned, verified, structured, dated or waits
        for review, nor without `again` taken out of a pattern by a revert and not changed since.
        """
        ...

    def stated(
        self, model: int | None, without: Sequence[str], now: int
    ) -> list[tuple[str, int, bytes | None]]:
        """Active memories that hold now and for no limited time, without some kinds.

        The id, project and vector by a model (None: not read by it) of each.
        """
        ...

    def said(self, rows: Sequence[int]) -> dict[int, Alike]:
        """What is compared of some memories, by row."""
        ...


class Contextual(Protocol):
    """Vectors of the contextual model. Knows nothing of scores."""

    def state(self) -> tuple[int, int, str]:
        """How many memories have a vector, how many wait for one, and the identity of the model."""
        ...

    def model(self) -> tuple[bool, str]:
        """Whether there are memories, and the identity of the model that read any."""
        ...

    def nearest(self, vector: Vector, filter: Filter, limit: int) -> list[int]:
        """The nearest memories, best first."""
        ...

    def compared(
        self, vector: Vector, filter: Filter, limit: int, passages: Sequence[int]
    ) -> tuple[dict[int, tuple[float, bytes]], int, int, dict[int, float]]:
        """The nearest memories, best first, with cosines and the vectors of their words.

        And how many were compared, how many wait for a vector, and the cosines of some passages.
        """
        ...

    def cosines(self, vector: Vector, rows: Sequence[int]) -> dict[int, float]:
        """Cosines of given entries."""
        ...

    def next_unread(self, limit: int, after: int) -> list[tuple[int, str]]:
        """Some memories without a vector after a row, with their texts."""
        ...

    def unread_of(self, rows: Sequence[int]) -> list[tuple[int, str]]:
        """Those of some memories without a vector, with their texts."""
        ...

    def write(self, read: Mapping[int, tuple[str, Vector]], identity: ModelIdentity) -> None:
        """Store vectors of memories, by row, each with the text that was read."""
        ...

    def has_any(self, rows: Sequence[int]) -> bool:
        """Whether any of some entries has a vector."""
        ...

    def unread_passages(self, limit: int, *, notes: bool = False) -> list[tuple[int, str]]:
        """The newest passages without a vector, each with its text."""
        ...

    def write_passages(self, read: Mapping[int, tuple[str, Vector]], model: str) -> None:
        """Store vectors of passages, by row, each with the text that was read."""
        ...

    def row_of(self, id: str) -> int:
        """The row of a memory."""
        ...


class Acting(Protocol):
    """The caller of an operation on the store. Knows nothing of interfaces."""

    who: Who

    def actor(self, name: str) -> str:
        """The caller's name for the audit; `name` is what a program of the owner's calls itself."""
        ...

    def show(self, trusts: Iterable[str]) -> str:
        """Record that the caller is shown texts of these trust levels; a remark if that failed."""
        ...
