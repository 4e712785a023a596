"""The store as one object: a connection, its tables as implementations of the ports, and transactions."""

import os
from contextlib import contextmanager, suppress

from bowerbird.core.errors import StoreError, StoreOutdated
from bowerbird.core.part import part
from bowerbird.core.types import ModelIdentity
from bowerbird.storage.sqlite.file import connection as sqlite
from bowerbird.storage.sqlite.file.location import (
    FOLDED_COPIES,
    NOTED,
    RESTORED,
    SIDECARS,
    log_size,
    size_of,
)
from bowerbird.storage.sqlite.file.schema import VERSION, check, require_current
from bowerbird.storage.sqlite.nouns.entries import Entries
from bowerbird.storage.sqlite.nouns.filters import expired_between
from bowerbird.storage.sqlite.nouns.projects import (
    CONTEXTUAL_MODEL,
    Projects,
    ensure_model,
    model_row,
    tallies,
    tally,
)
from bowerbird.storage.sqlite.nouns.words import (
    BEING_REBUILT,
    NOT_MOVED,
    Snapshot,
    Words,
    index_is_whole,
    lack_entries,
)
from bowerbird.storage.sqlite.search.candidates import CandidateSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.clock import Clock
    from bowerbird.core.details import Details
    from bowerbird.core.history import Moment, MomentRequest
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.query import Filter
    from bowerbird.core.value import Note
    from bowerbird.storage.sqlite.care.tables import Tables
    from bowerbird.storage.sqlite.care.upkeep import Upkeep
    from bowerbird.storage.sqlite.nouns.aging import Aging
    from bowerbird.storage.sqlite.nouns.audit import Audit
    from bowerbird.storage.sqlite.nouns.digests import Digests
    from bowerbird.storage.sqlite.nouns.documents import Documents
    from bowerbird.storage.sqlite.nouns.embeddings import Embeddings
    from bowerbird.storage.sqlite.nouns.erasing import Erasing
    from bowerbird.storage.sqlite.nouns.exchange import Exchange
    from bowerbird.storage.sqlite.nouns.folding import Folding
    from bowerbird.storage.sqlite.nouns.foreign_names import ForeignNames
    from bowerbird.storage.sqlite.nouns.members import Members
    from bowerbird.storage.sqlite.nouns.memories import Memories
    from bowerbird.storage.sqlite.nouns.outside import Outside
    from bowerbird.storage.sqlite.nouns.overview import Overview
    from bowerbird.storage.sqlite.nouns.queues import Unjudged, UnreadSessions
    from bowerbird.storage.sqlite.nouns.relations import Relations
    from bowerbird.storage.sqlite.nouns.stamps import Stamps
    from bowerbird.storage.sqlite.nouns.usage import Usage, Use
    from bowerbird.storage.sqlite.nouns.vectors import Vectors
    from bowerbird.storage.sqlite.past import Past
    from bowerbird.storage.sqlite.resident.hnsw import Building
    from bowerbird.storage.sqlite.resident.residence import Residence
    from bowerbird.storage.sqlite.search.alike import AlikeMemories
    from bowerbird.storage.sqlite.search.contextual import Contextual
    from bowerbird.storage.sqlite.search.memory_vectors import Alike
    from bowerbird.storage.sqlite.search.nearest import NearestMemories


class Store:
    """One open store file. Not for several threads at once; open one a thread."""

    sidecars = SIDECARS

    # Each port says what its part is; what is made with every store, or out of the ordinary, is below.
    vectors: "Vectors" = part("storage.sqlite.nouns.vectors", "connection")
    alike: "AlikeMemories" = part("storage.sqlite.search.alike", "connection")
    documents: "Documents" = part("storage.sqlite.nouns.documents", "connection", "clock")
    memories: "Memories" = part("storage.sqlite.nouns.memories", "connection", "_stamps")
    unjudged: "Unjudged" = part("storage.sqlite.nouns.queues", "connection")
    unread_sessions: "UnreadSessions" = part("storage.sqlite.nouns.queues", "connection")
    relations: "Relations" = part("storage.sqlite.nouns.relations", "connection", "_stamps")
    audit: "Audit" = part("storage.sqlite.nouns.audit", "connection", "_stamps")
    overview: "Overview" = part("storage.sqlite.nouns.overview", "connection")
    tables: "Tables" = part("storage.sqlite.care.tables", "connection")
    exchange: "Exchange" = part("storage.sqlite.nouns.exchange", "connection", "_stamps", "path")
    erasing: "Erasing" = part("storage.sqlite.nouns.erasing", "connection", "path")
    aging: "Aging" = part("storage.sqlite.nouns.aging", "connection", "_stamps")
    outside: "Outside" = part("storage.sqlite.nouns.outside", "connection", "path")
    foreign_names: "ForeignNames" = part("storage.sqlite.nouns.foreign_names", "connection")
    digests: "Digests" = part("storage.sqlite.nouns.digests", "connection")
    team: "Members" = part("storage.sqlite.nouns.members", "connection")

    def __init__(
        self, connection: "apsw.Connection", path: str, clock: "Clock", use: "Use | None" = None
    ) -> None:
        self.connection = connection
        self.path = path
        self.clock = clock
        self._use = use or _unchanged
        self._snapshot = Snapshot()
        self.words = Words(connection, self._snapshot)
        self.entries = Entries(connection)
        self.projects = Projects(connection)
        self._residence: Residence | None = None
        self._building: Building | None = None
        self._nearest: NearestMemories | None = None
        self._stamping: Stamps | None = None

    @classmethod
    def open(cls, path: str, clock: "Clock", *, write: bool, use: "Use | None" = None) -> "Store":
        """Open the file; a writer creates and upgrades it, a reader does neither.

        `use` computes a memory's importance and rate of decay after a use; None: no change. Raises
        the store errors of `core.errors`, each with its remedy.
        """
        # A reader finishes a restore that was killed between its renames, as a writer does.
        if not os.path.lexists(path) and (write or os.path.lexists(path + RESTORED)):
            from bowerbird.core.ids import new_id  # start-up: made once
            from bowerbird.storage.sqlite.care.creation import create

            create(path, clock(), new_id(clock()))
        if log_size(path):
            _require_own_log(path)
        if not write:
            cls._finish_what_was_killed(path, clock)
        connection = sqlite.connect(path, write=write)
        connection.own_log = _require_own_log
        try:
            if write:
                _ready_to_write(connection, path, clock)
            else:
                try:
                    require_current(connection, path)
                except StoreOutdated:
                    from bowerbird.storage.sqlite.file.writer_queue import wait_for_upgrade  # rare

                    wait_for_upgrade(path)
                    require_current(connection, path)
            sqlite.load_vector_functions(connection)
            with sqlite.our_errors(path):
                store = cls(connection, path, clock, use)
                # A copy of the file alone says it in its answers, with the command that finishes it.
                if write and os.path.exists(path + BEING_REBUILT) and lack_entries(connection):
                    store.upkeep.finish_reword()
                return store
        except BaseException:
            connection.close()
            raise

    @classmethod
    def _finish_what_was_killed(cls, path: str, clock: "Clock") -> None:
        """Let a writer finish a killed rebuild of the words; one that still runs is left alone.

        Where nobody may write, the answers say what is missing.
        """
        if os.path.exists(path + BEING_REBUILT):
            with suppress(StoreError):
                cls.open(path, clock, write=True).close()

    def as_of(self, moment: int, embedder: "Callable[[], Embedder]") -> "Store":
        """What it held at a moment (UTC milliseconds), over the same connection."""
        from bowerbird.storage.sqlite.past import Past  # start-up: few ask

        held = Past(self.connection, self._snapshot, moment, embedder)
        return PastStore(self, held, moment)

    def then(self, filter: "Filter", bounds: "tuple[str, ...] | None") -> "Filter":
        """A filter of another day with what is otherwise since, within some projects (None: all)."""
        from bowerbird.storage.sqlite.past import as_it_was  # start-up: few ask

        return as_it_was(self.connection, filter, bounds)

    def keep_resident(self) -> None:
        """Keep in memory what every question reads: for a process that stays."""
        from bowerbird.storage.sqlite.resident.entry_cache import KeptEntries
        from bowerbird.storage.sqlite.resident.hnsw import Building  # start-up: few stay
        from bowerbird.storage.sqlite.resident.residence import Residence

        self.entries = KeptEntries(self.connection, self.generation)
        self._building = Building(self.path)
        kept = (self._building, self.entries.damaged)
        self._residence = Residence(self.connection, self.generation, *kept)

    def read_ahead(self) -> None:
        """The next question reads what is kept in memory, if this process keeps it."""
        if self._residence is not None:
            self._residence.read_ahead()

    @property
    def candidates(self) -> CandidateSource:
        """The current candidates: to be requested once per question."""
        if self._residence is not None:
            return self._residence.candidates()
        known = self._snapshot.conditions if self._snapshot.reads else None
        return CandidateSource(self.connection, self.entries.damaged, known)

    @property
    def damaged(self) -> set[int]:
        """The rows that could not be read since the last reading began, and were left out."""
        return self.entries.damaged

    def stale(self) -> bool:
        """Whether it has to be opened again: the file was replaced, or written to while at rest."""
        if isinstance(self.connection, sqlite.StoreConnection) and self.connection.lost:
            return True
        return isinstance(self.connection, sqlite.AtRest) and not self.connection.still()

    def close(self) -> None:
        """Close the file; the last writer out folds the log back into it."""
        if self._building is not None:
            self._building.close()
        self.connection.close()

    @property
    def contextual(self) -> "Contextual":
        """What the contextual model read of memories and passages."""
        from bowerbird.storage.sqlite.search.contextual import Contextual  # start-up: not each look

        nominate = self._residence.understood if self._residence is not None else None
        return Contextual(self.connection, self._snapshot, nominate)

    def embeddings(self, most: int) -> "Embeddings":
        """Cached vectors of models behind a server, up to a number of vectors."""
        from bowerbird.storage.sqlite.nouns.embeddings import (
            Embeddings,  # start-up: ours is not kept
        )

        return Embeddings(self.connection, self.clock, most)

    @property
    def nearest(self) -> "NearestMemories":
        """The memories that are nearest to a text."""
        if self._nearest is None:
            from bowerbird.storage.sqlite.search.nearest import (
                NearestMemories,  # start-up: who writes
            )

            asked = (self.entries, self._keep, lambda: self.contextual)
            self._nearest = NearestMemories(self.connection, *asked)
        return self._nearest

    def _keep(self, model: int | None) -> "Alike":
        from bowerbird.storage.sqlite.search.memory_vectors import (
            Alike,  # start-up: for who keeps many
        )

        return Alike(self.connection, model)

    def details(self, rows: "Sequence[int]") -> "dict[int, Details]":
        """What only memories have, by row; other rows are left out."""
        from bowerbird.storage.sqlite.nouns.details import (
            MemoryDetails,  # start-up: few answers show it
        )

        return MemoryDetails(self.connection).load(rows)

    def model_uses(self, at: int) -> "list[dict[str, Any]]":
        """What models were asked since a time, a line each, without what is not folded yet."""
        from bowerbird.storage.sqlite.nouns.model_use import (
            uses_since,  # start-up: only with a model that is asked
        )

        return uses_since(self.connection, at)

    @property
    def upkeep(self) -> "Upkeep":
        """What keeps the file small, sound and quick."""
        from bowerbird.storage.sqlite.care.upkeep import Upkeep  # start-up: done once in a while

        return Upkeep(self, self.connection)

    @property
    def _stamps(self) -> "Stamps":
        if self._stamping is None:
            from bowerbird.storage.sqlite.nouns.stamps import (
                Stamps,  # start-up: readers stamp nothing
            )

            self._stamping = Stamps(self.connection, self.clock)
        return self._stamping

    @contextmanager
    def transaction(self, ahead: "Callable[[], None] | None" = None) -> "Iterator[None]":
        """One writing transaction; the generation counter moves with it.

        `ahead` is called before the lock is taken, by a writer that had to wait in line.
        Raises StoreOutdated when another process upgraded the schema since this one opened it.
        """
        from bowerbird.storage.sqlite.file.writer_queue import (
            in_turn,  # start-up: readers take no turns
        )

        locked = sqlite.transaction(self.connection, self.path, in_turn(self.path, ahead))
        with self._forgetting(), locked, self._stamps.within(self.path):
            if any(os.path.exists(self.path + suffix) for suffix in (".usage", ".usage.taken")):
                self._usage().fold()
            lacks_copy = self._stamps.noted and not all(
                os.path.exists(self.path + suffix) for suffix in FOLDED_COPIES
            )
            if lacks_copy or any(os.path.exists(self.path + suffix) for suffix in NOTED):
                self._folding().fold()
            yield

    def take_notes(self) -> None:
        """Takes what was noted beside the store into it, if there is anything."""
        # The first transaction may find what one that failed had left, and leave the rest to the next.
        for _ in range(2):
            if any(os.path.exists(self.path + suffix) for suffix in (".usage", ".noted")):
                with self.transaction():
                    pass

    @contextmanager
    def rehearsal(self) -> "Iterator[None]":
        """A writing transaction that is never kept; uses that were noted count in it, as in any.

        Raises as `transaction` does.
        """
        from bowerbird.storage.sqlite.file.writer_queue import in_turn  # start-up: as above

        locked = sqlite.transaction(self.connection, self.path, in_turn(self.path), keep=False)
        with self._forgetting(kept=False), locked, self._stamps.within(self.path):
            self._usage().foresee()
            yield

    @contextmanager
    def _forgetting(self, *, kept: bool = True) -> "Iterator[None]":
        """Drops the cached vectors if a transaction is rolled back: some may be of what never was."""
        try:
            yield
        except BaseException:
            kept = False
            raise
        finally:
            if not kept:
                self._nearest = None

    @contextmanager
    def reading(self, *, once: bool = False) -> "Iterator[None]":
        """All that is read inside is of one moment (`once`: one statement); errors come as ours."""
        within = self.connection.in_transaction
        with sqlite.reading(self.connection, self.path, once=once):
            if within:
                with sqlite.our_errors(self.path):
                    yield
                return
            self._snapshot.begin(reads=True)
            self.damaged.clear()
            try:
                yield
            finally:
                self._snapshot.begin(reads=False)

    def apart(self, slow: "Callable[[], None]") -> None:
        """Do what is slow with no reading open; a writing transaction stays.

        What was read before holds only if the store is `unchanged`.
        """
        if not self._snapshot.reads:
            slow()
            return
        self.generation()
        sqlite.apart(self.connection, slow)
        self._snapshot.moved_to = None

    def may_look(self) -> bool:
        """Whether there may be memories, or passages that the contextual model has read."""
        facts = self._snapshot.facts
        return facts.get("memories") != 0 or CONTEXTUAL_MODEL in facts

    def has_digests(self) -> bool:
        """Whether there may be digests of sessions."""
        return self._snapshot.facts.get("digests") != 0

    def unchanged(self) -> bool:
        """Whether nothing was written while something ran `apart`."""
        snapshot = self._snapshot
        if snapshot.moved_to is None:
            snapshot.moved_to = self._read_generation()
        return snapshot.moved_to in (NOT_MOVED, snapshot.facts.get("generation"))

    def _usage(self) -> "Usage":
        from bowerbird.storage.sqlite.nouns.usage import Usage  # start-up: mostly nothing was used

        return Usage(self.connection, self.path, str(self.meta("replica")), self.clock(), self._use)

    def _folding(self) -> "Folding":
        from bowerbird.storage.sqlite.nouns.folding import (
            Folding,  # start-up: mostly nothing was noted
        )

        return Folding(self.connection, self.path, self.outside)

    def meta(self, key: str) -> "Any":
        """A fact about this file, or None."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def tally(self, key: str) -> None:
        """Count one more of something among the facts about this file. Inside a transaction."""
        tally(self.connection, key)

    def tallies(self, prefix: str) -> dict[str, int]:
        """What was counted under keys that begin so, by the rest of the key."""
        return tallies(self.connection, prefix)

    def generation(self) -> int:
        """Counts writing transactions: what resident caches are keyed on."""
        snapshot = self._snapshot
        if "generation" not in snapshot.facts:
            generation = self._read_generation()
            if not snapshot.reads:
                return generation
            snapshot.facts["generation"] = generation
        return int(snapshot.facts["generation"])

    def _read_generation(self) -> int:
        return int(self.meta("generation"))

    def moment(self, asked: "MomentRequest", since: int | None = None, most: int = 0) -> "Moment":
        """What admission reads before a memory is written; at most `most` of the changes `since`."""
        from bowerbird.storage.sqlite.nouns.audit import moment  # start-up: as above

        self._stamps.flush()
        return moment(self.connection, asked, since, most)

    def expired_between(self, then: int, now: int) -> bool:
        """Whether any memory's day came in that time."""
        return expired_between(self.connection, then, now)

    def size(self) -> int:
        """The bytes of the file and of its write-ahead log."""
        return size_of(self.path)

    def remarks(self) -> "list[Note]":
        """What is unusual about this store and harms nothing."""
        from bowerbird.storage.sqlite.nouns.usage import remarks  # start-up: status asks

        return remarks(self.path, sqlite.journal_of(self.connection))

    def healthy(self) -> bool:
        """Whether the word index is complete: no rebuild runs or was killed, and no row is missing."""
        return not lack_entries(self.connection) and index_is_whole(self.connection)

    def model_row(self, identity: ModelIdentity) -> int | None:
        """The local number of a model, or None if no vector of it was ever stored."""
        if self._snapshot.models is not None:
            return self._snapshot.models.get(str(identity))
        return model_row(self.connection, identity)

    def ensure_model(self, identity: ModelIdentity) -> int:
        """The local number of a model, written down when it is new. Inside a transaction."""
        return ensure_model(self.connection, identity)


def _ready_to_write(connection: "apsw.Connection", path: str, clock: "Clock") -> None:
    """Upgrade a file and what stands beside it, as its first writer after a release or a restore."""
    from bowerbird.storage.sqlite.file.journal_mode import (
        has_journal,  # start-up: writers
    )
    from bowerbird.storage.sqlite.nouns.seals import keep_seals  # start-up: as above

    if check(connection, path) != VERSION or not has_journal(connection, path):
        from bowerbird.core.ids import new_id  # start-up: once a release
        from bowerbird.storage.sqlite.care.migrations import (
            migrate,  # start-up: as above
        )

        migrate(connection, path, clock(), new_id(clock()))
    if os.path.lexists(path + RESTORED):
        from bowerbird.storage.sqlite.care.creation import remove_unused_copy  # rare

        remove_unused_copy(path)
    if not os.path.exists(path + ".reserve"):
        from bowerbird.storage.sqlite.file.reserve import keep_early

        keep_early(path)
    with sqlite.our_errors(path):
        keep_seals(connection)


class PastStore(Store):
    """A store as of a moment, to be read only."""

    def __init__(self, store: Store, held: "Past", moment: int) -> None:
        """Over all that the store of today has open."""
        vars(self).update(vars(store))
        self.held = held
        self.entries, self.words = held.entries, held.words
        self.clock = lambda: moment

    @property
    def candidates(self) -> CandidateSource:
        """The candidates of then."""
        return self.held.candidates

    @property
    def contextual(self) -> "Contextual":
        """The vectors of texts that are worded as they were then."""
        return self.held.contextual

    def details(self, rows: "Sequence[int]") -> "dict[int, Details]":
        """What only memories have, with the fields of then."""
        return self.held.details(rows)


def _unchanged(importance: float, decay_rate: float) -> tuple[float, float]:
    return importance, decay_rate


def _require_own_log(path: str) -> None:
    from bowerbird.storage.sqlite.file.log import require_own_log  # start-up: where a log is left

    require_own_log(path)
