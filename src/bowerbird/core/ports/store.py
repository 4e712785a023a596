"""Ports to a store as a whole, and to backends."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from bowerbird.core.clock import Clock
from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
from bowerbird.core.details import Details
from bowerbird.core.erased import Traces
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.health import Finding
from bowerbird.core.history import Moment, MomentRequest
from bowerbird.core.ports.files import Cached, Documents, Projects, Vectors
from bowerbird.core.ports.foreign import ForeignNames, Outside
from bowerbird.core.ports.memories import (
    Aging,
    AlikeMemories,
    Audit,
    Contextual,
    Erasing,
    Exchange,
    Memories,
    NearestMemories,
    Relations,
    Unjudged,
)
from bowerbird.core.ports.models import Embedder
from bowerbird.core.ports.overview import Overview
from bowerbird.core.ports.progress import Progress
from bowerbird.core.ports.reading import CandidateSource, Entries, Words
from bowerbird.core.ports.sessions import Digests, UnreadSessions
from bowerbird.core.ports.tables import Tables
from bowerbird.core.ports.team import Members
from bowerbird.core.query import Filter
from bowerbird.core.types import ModelIdentity
from bowerbird.core.value import Note


class Upkeep(Protocol):
    """Keeps a store's indexes current, and its files small and sound. Knows nothing of schedules."""

    def reword(self, progress: Progress | None = None) -> tuple[int, int]:
        """Rebuild the word indexes: the number of entries indexed, and of unreadable ones."""
        ...

    def finish_reword(self) -> None:
        """Finishes a rebuild of the word indexes that was killed, if there is one."""
        ...

    def purge_words(self) -> None:
        """Take what is left of deleted entries out of the word indexes, without rebuilding them."""
        ...

    def build_index(self, model: int, progress: Progress | None = None) -> int | None:
        """Build the HNSW index of a model's vectors; how many it contains. Raises MissingExtra."""
        ...

    def measured_recall(self, model: int) -> float | None:
        """The recall of vector search against the exact scan; None without vectors."""
        ...

    def spare_room(self, *, spare: bool) -> None:
        """Use less disk space while writing, at the cost of time."""
        ...

    def give_back(self, pages: int = ...) -> None:
        """Return freed pages to the file system."""
        ...

    def fold(self) -> None:
        """Fold temporary files, such as the write-ahead log, into the store."""
        ...

    def drop_index(self) -> tuple[str, ...]:
        """Delete the HNSW index that is a file of its own; the paths. It is built again when needed."""
        ...

    def statements_to_wipe(self) -> tuple[str, ...]:
        """What whoever runs the server has to run there so that no byte of deleted rows is left."""
        ...

    def examine(self) -> Iterator[Finding]:
        """Problems inside the store; damaged data end the examination."""
        ...


class Store(Protocol):
    """One open store. Knows nothing of configuration or of callers."""

    path: str
    clock: Clock

    @property
    def sidecars(self) -> tuple[str, ...]:
        """Suffixes of the files that it keeps beside its path; one that ends in ``-`` begins a name."""
        ...

    @property
    def damaged(self) -> set[int]:
        """The unreadable rows that were left out since the last read snapshot began."""
        ...

    @property
    def candidates(self) -> CandidateSource:
        """Rows by signal."""
        ...

    @property
    def words(self) -> Words:
        """Counts by word."""
        ...

    @property
    def entries(self) -> Entries:
        """Whole entries."""
        ...

    @property
    def vectors(self) -> Vectors:
        """Vectors and their renewal."""
        ...

    @property
    def contextual(self) -> Contextual:
        """Vectors of the contextual model."""
        ...

    @property
    def nearest(self) -> NearestMemories:
        """The memories nearest to a text."""
        ...

    @property
    def alike(self) -> AlikeMemories:
        """The memories that are near to each other."""
        ...

    @property
    def documents(self) -> Documents:
        """Indexed files."""
        ...

    @property
    def memories(self) -> Memories:
        """Memories and their versions."""
        ...

    @property
    def outside(self) -> Outside:
        """What came from outside."""
        ...

    @property
    def foreign_names(self) -> ForeignNames:
        """The names that sessions first heard from others."""
        ...

    @property
    def digests(self) -> Digests:
        """What is kept of learned sessions."""
        ...

    @property
    def team(self) -> Members:
        """The people who share it."""
        ...

    @property
    def upkeep(self) -> Upkeep:
        """Its upkeep."""
        ...

    def as_of(self, moment: int, embedder: Callable[[], Embedder]) -> "Store":
        """What it held at a moment (UTC milliseconds), to be read only.

        The embedder reads texts that are worded otherwise by now.
        """
        ...

    def then(self, filter: Filter, bounds: tuple[str, ...] | None) -> Filter:
        """A filter of another day with what is otherwise since, within some projects (None: all)."""
        ...

    def details(self, rows: Sequence[int]) -> dict[int, Details]:
        """What only memories have, by row."""
        ...

    @property
    def unjudged(self) -> Unjudged:
        """Pairs of memories that wait for a judge."""
        ...

    @property
    def unread_sessions(self) -> UnreadSessions:
        """Sessions that a language model has yet to read."""
        ...

    def model_uses(self, at: int) -> list[dict[str, Any]]:
        """What models were asked since a time, a line each, as far as it is in the store."""
        ...

    @property
    def tables(self) -> Tables:
        """Its rows as they stand."""
        ...

    @property
    def exchange(self) -> Exchange:
        """What it gives to other stores and takes from them."""
        ...

    @property
    def erasing(self) -> Erasing:
        """What belongs to a part that is erased."""
        ...

    @property
    def relations(self) -> Relations:
        """Relations of memories."""
        ...

    @property
    def audit(self) -> Audit:
        """The audit of memories."""
        ...

    @property
    def overview(self) -> Overview:
        """Counts over memories."""
        ...

    @property
    def aging(self) -> Aging:
        """The aging of memories."""
        ...

    def transaction(
        self, ahead: "Callable[[], None] | None" = None
    ) -> AbstractContextManager[None]:
        """One write transaction.

        A writer that has to queue calls `ahead` when it is next, before it takes
        the lock: a snapshot read then is hardly older than the transaction.
        """
        ...

    def take_notes(self) -> None:
        """Take uses that were noted beside the store into it, if there are any."""
        ...

    def rehearsal(self) -> AbstractContextManager[None]:
        """A write transaction that is always rolled back."""
        ...

    def reading(self, *, once: bool = False) -> AbstractContextManager[None]:
        """One snapshot of the store for everything read inside; `once`: a single statement."""
        ...

    def apart(self, slow: Callable[[], None]) -> None:
        """Close the read snapshot while something slow runs, then open another one."""
        ...

    def may_look(self) -> bool:
        """Whether there may be memories, or passages that the contextual model has read."""
        ...

    def has_digests(self) -> bool:
        """Whether there may be digests of sessions."""
        ...

    def unchanged(self) -> bool:
        """Whether nothing was written between the read snapshots before and after `apart`."""
        ...

    @property
    def projects(self) -> Projects:
        """What entries belong to."""
        ...

    def ensure_model(self, identity: ModelIdentity) -> int:
        """The local number of a model, stored if new."""
        ...

    def model_row(self, identity: ModelIdentity) -> int | None:
        """The local number of a model, or None."""
        ...

    def generation(self) -> int:
        """The number of write transactions so far, of all processes."""
        ...

    def moment(self, asked: MomentRequest, since: int | None = None, most: int = 0) -> Moment:
        """The facts needed before a memory is written; with up to `most` changes after `since`."""
        ...

    def expired_between(self, then: int, now: int) -> bool:
        """Whether a memory expired in that time."""
        ...

    def meta(self, key: str) -> Any:
        """A fact about this file."""
        ...

    def tally(self, key: str) -> None:
        """Increment a counter."""
        ...

    def tallies(self, prefix: str) -> dict[str, int]:
        """The counters whose keys begin with a prefix, by the rest of the key."""
        ...

    def embeddings(self, most: int) -> Cached:
        """The cache of vectors from embedding servers, limited to a number of vectors."""
        ...

    def keep_resident(self) -> None:
        """Cache in memory what every query reads: for a long-running process."""
        ...

    def read_ahead(self) -> None:
        """Let the next query read what is cached in memory, if this process caches it."""
        ...

    def stale(self) -> bool:
        """Whether the store has to be reopened."""
        ...

    def close(self) -> None:
        """Close the store."""
        ...

    def size(self) -> int:
        """Its size on disk, in bytes."""
        ...

    def healthy(self) -> bool:
        """Whether the word index has as many rows as there are entries."""
        ...

    def remarks(self) -> list[Note]:
        """Unusual but harmless facts about this store."""
        ...


class Backend(Protocol):
    """A kind of storage for stores, each with a location. Knows nothing of queries."""

    def open(
        self,
        location: str,
        clock: Clock,
        *,
        write: bool,
        use: Callable[[float, float], tuple[float, float]],
    ) -> Store:
        """Open a store; a writer creates and upgrades it, a reader does neither.

        `use` maps a memory's importance and decay rate to those after one more use. Raises the store
        errors of `core.errors`.
        """
        ...

    def exists(self, location: str) -> bool:
        """Whether there is a store at a location. Raises the store errors of `core.errors`."""
        ...

    def ours(self, raised: Exception, location: str) -> BowerbirdError | None:
        """The translation of a backend's own exception; None for any other exception."""
        ...

    def note_usage(
        self, location: str, ids: Sequence[str], session: str, now: int, drops: str
    ) -> bool:
        """Record without blocking which entries were used; a failure is counted in the file `drops`."""
        ...

    def about(self) -> Iterator[Finding]:
        """Problems of the storage engine itself."""
        ...

    def surroundings(self, location: str) -> Iterator[Finding]:
        """Problems of a store's location, whether it exists or not."""
        ...

    def cramped(self, location: str) -> bool:
        """Whether too little disk space is left there even to delete entries."""
        ...

    def make_room(self, location: str) -> None:
        """Release the disk space that is reserved for deleting."""
        ...

    def keep_room(self, location: str) -> None:
        """Reserve it again, if there is enough."""
        ...

    def verify(self, location: str, sample: int | None, progress: Progress | None) -> Verified:
        """Check everything, or a sample of entries, for damage."""
        ...

    def copies(self, location: str) -> Sequence[str]:
        """The known copies of a store: its backups, and former files that were moved aside."""
        ...

    def note_copy(self, location: str, goal: str) -> None:
        """Note that what a store holds was written to a path, for erasing. Raises OSError."""
        ...

    def copy_holds(self, copy: str, traces: Traces) -> bool:
        """Whether a copy of a store holds what is erased; True if that cannot be told, or it is none."""
        ...

    def remove_copy(self, copy: str) -> bool:
        """Delete a copy of a store; False if the file is none. Raises OSError."""
        ...

    def remove(self, location: str) -> Sequence[str]:
        """Delete a store and the files beside it, not its copies; return those. Raises StoreBusy."""
        ...

    def back_up(
        self,
        location: str,
        target: str | None,
        now: int,
        keep: int | None,
        progress: Progress | None,
    ) -> BackedUp:
        """Copy a consistent snapshot of a store."""
        ...

    def restore(
        self,
        location: str,
        source: str,
        now: int,
        progress: Progress | None,
        agreed: Callable[[], None] | None,
        prepare: Callable[[str], None] | None,
    ) -> Restored:
        """Replace a store by a backup that has passed its check, unless `agreed` raises.

        `prepare` gets the path of the copy before it takes the store's place, and may change it.
        """
        ...

    def recover(
        self, location: str, into: str, clock: Clock, progress: Progress | None
    ) -> Recovered:
        """Copy the readable part of a store into a new one."""
        ...
