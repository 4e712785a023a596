"""The open resources of one store: connections, models, and cached answers."""

import os
from contextlib import contextmanager, suppress

from bowerbird.core.clock import system_clock
from bowerbird.core.errors import (
    BadConfig,
    ModelError,
    StoreError,
    StoreFull,
    StoreOutdated,
    UnknownName,
)
from bowerbird.core.life import used
from bowerbird.core.part import part
from bowerbird.storage.registry import backend
from bowerbird.wiring.settings import settled
from bowerbird.wiring.verb_lock import VerbLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from bowerbird.core.clock import Clock
    from bowerbird.core.config import Config
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.ports.models import Embedder, Reader, Vocabulary
    from bowerbird.core.ports.store import Backend, Store
    from bowerbird.core.ports.thinking import Reranker, Thinking
    from bowerbird.models.rerank.plugged import PluggedReranker
    from bowerbird.models.rerank.scored import ScoringReranker, Unusable
    from bowerbird.retrieval.cache import ResultCache
    from bowerbird.storage.foreign_files import ForeignFiles
    from bowerbird.storage.outcomes import Outcomes
    from bowerbird.storage.question_vectors import QuestionVectors
    from bowerbird.storage.shown import Handed, Shown
    from bowerbird.wiring.language import Language
    from bowerbird.wiring.othermodel import OtherModel
    from bowerbird.wiring.sentence_vectors import SentenceVectors
    from bowerbird.wiring.settings import Faults

    Done = TypeVar("Done")

# The settings that name an embedder.
EMBEDDER = ("embed.provider", "embed.model", "embed.dims")
# Pages returned to the filesystem at a time on a full disk: each page that moves is first written to the
# log.
_FEW_PAGES = 16


class Opened:
    """One store's connections and caches, shared by all projects.

    With `resident`, for long-lived processes, answers and vectors are cached in memory.
    """

    # What stands beside the store, for which it need not be open.
    shown: "Shown" = part("storage.shown", "path")
    handed: "Handed" = part("storage.shown", "path")
    foreign_files: "ForeignFiles" = part("storage.foreign_files", "path")
    outcomes: "Outcomes" = part("storage.outcomes", "path")
    asked: "QuestionVectors" = part("storage.question_vectors", "path")

    def __init__(
        self,
        path: str,
        state_folder: str,
        clock: "Clock",
        config: "Config",
        backend: "Backend",
        kinds: "Kinds | None" = None,
        *,
        resident: bool,
    ) -> None:
        """`kinds` is set if the user declares additional kinds."""
        self.backend = backend
        self._config = config
        self._kinds = kinds
        # Whether the kinds of the configured methodology have been added.
        self._of_methodology = False
        self._embedder: Embedder | None = None
        self._contextual: Reader | None = None
        self._vocabulary: Vocabulary | None = None
        # Set only if an embedder other than the built-in one is configured.
        self._other: OtherModel | None = None
        # Set only if the settings say `auto`: the settings of the model that it took, and why.
        self._automatic: tuple[Config, str] | None = None
        self._reranker: ScoringReranker | PluggedReranker | Unusable | None = None
        self._language: Language | None = None
        self.path = path
        self.state_folder = state_folder
        self.clock = clock
        self.resident = resident
        self.turn = VerbLock(path, backend)
        self._reader: Store | None = None
        self._writer: Store | None = None
        self._results: ResultCache | None = None

    def reader(self) -> "Store":
        """The store for reading. Raises StoreMissing."""
        self._drop_stale()
        if self._writer is not None:
            return self._writer
        if self._reader is None:
            self._reader = self._open(write=False)
        return self._reader

    @contextmanager
    def reading(self, *, once: bool = False) -> "Iterator[Store]":
        """A read transaction; with `once`, for a single statement.

        Raises StoreMissing, and SQLite's errors as StoreError.
        """
        store = self.reader()
        with store.reading(once=once):
            yield store

    def writer(self) -> "Store":
        """The store for writing, created and upgraded as needed."""
        self._drop_stale()
        if self._writer is None:
            self._writer = self._open(write=True)
            # The writer also reads; a second connection would double the caches.
            if self._reader is not None:
                self._reader.close()
                self._reader = None
        return self._writer

    def _drop_stale(self) -> None:
        """Closes connections to a file that was replaced since, and drops cached answers."""
        if self._reader is not None and self._reader.stale():
            self._reader.close()
            self._reader = self._results = None
        if self._writer is not None and self._writer.stale():
            self._writer.close()
            self._writer = self._results = None

    def freeing(self, do: "Callable[[], Done]") -> "Done":
        """Runs a deletion; if the disk is full, releases the reserved space for it first.

        Raises StoreFull if that is not enough.
        """
        if not self.exists():
            return do()
        if self.backend.cramped(self.path):
            return self._on_a_full_disk(do)
        try:
            return do()
        except StoreFull:  # a quota, or the disk filled up just now
            return self._on_a_full_disk(do)

    def _on_a_full_disk(self, do: "Callable[[], Done]") -> "Done":
        self.backend.make_room(self.path)
        writer = self.writer()
        writer.upkeep.spare_room(spare=True)
        try:
            done = do()
            writer.upkeep.give_back(_FEW_PAGES)
        finally:
            writer.upkeep.spare_room(spare=False)
            writer.upkeep.fold()
            self.backend.keep_room(self.path)
        return done

    def exists(self) -> bool:
        """Whether there is a store."""
        known = self._reader is not None or self._writer is not None
        return known or self.backend.exists(self.path)

    def other(self, location: str) -> "tuple[Backend, str]":
        """The backend of another store, and the file that it is or that stands for it."""
        from bowerbird.storage.registry import place

        path = place(location, self.state_folder)
        return backend(path), path

    def at(self, path: str, config: "Config | None" = None) -> "Opened":
        """A copy of the store, with the same settings or others; whoever asks for it closes it."""
        return Opened(
            path,
            self.state_folder,
            self.clock,
            config or self._config,
            self.backend,
            self._kinds,
            resident=False,
        )

    def require(self) -> None:
        """Raises StoreMissing if there is no store file; its schema version does not matter."""
        with suppress(StoreOutdated):
            self.reader()

    def _open(self, *, write: bool) -> "Store":
        store = self.backend.open(self.path, self.clock, write=write, use=used)
        if self.resident:
            store.keep_resident()
        return store

    def embedder(self) -> "Embedder":
        """The configured embedder; one that cannot be made reports that whenever it is used."""
        if self._embedder is None:
            try:
                self._embedder = self.embedder_of(self.embedding())
            except (BadConfig, UnknownName, ModelError) as error:
                from bowerbird.models.embed.unreadable import Unreadable

                self._embedder = Unreadable(ModelError(error.message, error.remedy))
        return self._embedder

    def embedder_of(self, config: "Config", *, anew: bool = False) -> "Embedder":
        """The embedder that settings name, for this store; `anew` as in `OtherModel`.

        Raises BadConfig, UnknownName, ModelError.
        """
        if config["embed.provider"] in ("builtin", "contextual"):
            from bowerbird.models.registry import embedder

            return embedder(config)
        from bowerbird.wiring.othermodel import OtherModel

        if self._other is not None:
            self._other.close()
        self._other = OtherModel(
            config,
            self.reader,
            lambda: self._writer,
            self.asked,
            self._counting("embed", config),
            anew=anew,
        )
        return self._other.embedder

    def embedding(self) -> "Config":
        """The settings of the embedder; of `auto`, those of the model that it takes.

        Raises ModelError.
        """
        if self._config["embed.provider"] != "auto":
            return self._config
        if self._automatic is None:
            from bowerbird.wiring.available_models import automatic

            stamp = None
            with suppress(StoreError), self.reading() as store:
                stamp = store.vectors.stamp()
            self._automatic = automatic(self._config, stamp)
        return self._automatic[0]

    def is_outdated(self) -> bool:
        """Whether the settings name another embedder by now than when this was opened."""
        given = {key for key, _, where in self._config.rows() if where == "flag"}
        now, *_ = settled({}, [])
        return any(self._config[key] != now[key] for key in EMBEDDER if key not in given)

    def why(self) -> str:
        """Why `auto` has taken its model; empty if the settings name one."""
        return "" if self._automatic is None else self._automatic[1]

    def contextual(self) -> "Reader":
        """The contextual model of the package, which takes a second look at what any embedder finds.

        Without it another embedder finds less than the built-in one does: `docs/models.md`. Raises
        ModelError.
        """
        if self._contextual is None:
            from bowerbird.models.registry import contextual

            # The command line sets this variable before numpy is loaded; other programs may use several
            # threads.
            self._contextual = contextual(single=os.environ.get("OPENBLAS_NUM_THREADS") == "1")
        return self._contextual

    def manner(self, beside: str, *, keep: bool) -> "SentenceVectors":
        """How the sentences of a session are said, by the contextual model: kept beside a file.

        Raises ModelError.
        """
        from bowerbird.storage.question_vectors import QuestionVectors
        from bowerbird.wiring.sentence_vectors import MOST_BYTES, SentenceVectors

        return SentenceVectors(self.contextual(), QuestionVectors(beside, MOST_BYTES), keep=keep)

    def reranker(self) -> "Reranker | None":
        """The configured reranker; None if there is none. Raises BadConfig."""
        if self._config["rerank.provider"] and self._reranker is None:
            from bowerbird.models.registry import reranker

            counted = self._counting("rerank", self._config)
            thinker = self.thinker() if self._config["rerank.provider"] == "llm" else None
            self._reranker = reranker(self._config, self.asked, counted, thinker)
        return self._reranker

    def _counting(self, role: str, config: "Config") -> "Callable[[int, float, str], None]":
        from bowerbird.wiring.counting import counting

        return counting(role, config, self.language().uses(), self.clock)

    def language(self) -> "Language":
        """What language models do, as far as they are configured."""
        if self._language is None:
            from bowerbird.wiring.language import Language

            self._language = Language(self._config, self.path, self.reader, self.clock)
        return self._language

    def thinker(self, task: str = "") -> "Thinking | None":
        """The configured language models; None if there are none, or they are not to do a task unasked.

        Raises BadConfig and UnknownName if no task is named.
        """
        return self.language().thinker(task) if self._config["llm.provider"] else None

    def is_word(self, word: str) -> bool:
        """Whether a folded word is among the frequent ones of the built-in vocabulary."""
        known = self._words()
        return known is not None and known.knows(word)

    def in_vocabulary(self, word: str) -> bool:
        """Whether the built-in vocabulary has a folded word as a whole, however rare it is."""
        known = self._words()
        return known is not None and known.holds(word)

    def _words(self) -> "Vocabulary | None":
        """The built-in vocabulary, whichever embedder is configured; None if its file is missing."""
        if self._vocabulary is None:
            from bowerbird.models.registry import vocabulary

            try:
                self._vocabulary = vocabulary()
            except ModelError:
                return None
        return self._vocabulary

    def understanding(self) -> "Reader | None":
        """The contextual model for writers, or None; vectors that it cannot compute now stay missing."""
        try:
            return self.contextual()
        except ModelError:
            return None

    def ask_ahead(self, text: str) -> None:
        """Computes the vector of a query with a slow model before the store is opened."""
        self.embedder()
        if self._other is not None:
            self._other.ask_ahead(text)

    def results(self) -> "ResultCache | None":
        """The cache of answers; None in short-lived processes."""
        if self.resident and self._results is None:
            from bowerbird.retrieval.cache import ResultCache

            self._results = ResultCache(self.clock)
        return self._results

    def kinds(self) -> "Kinds":
        """The known kinds of memory."""
        if self._kinds is None:
            from bowerbird.core.kinds import Kinds

            self._kinds = Kinds()
        if not self._of_methodology and self._config["agent.methodology"] != "native":
            from bowerbird.wiring.methodologies import methodology_or_native

            for one in methodology_or_native(self._config).kinds:
                self._kinds.register(one)
        self._of_methodology = True
        return self._kinds

    @property
    def drops(self) -> str:
        """Path of the file that counts usage records which could not be saved.

        Beside a read-only store it cannot be.
        """
        from binascii import crc32

        return os.path.join(self.state_folder, f"usage-dropped-{crc32(self.path.encode()):08x}")

    @property
    def thinking_lock(self) -> str:
        """Path of the file that is locked while a process works off what waits for the model."""
        from binascii import crc32

        return os.path.join(self.state_folder, f"thinking-{crc32(self.path.encode()):08x}")

    @property
    def change_file(self) -> str:
        """Path of the file that is locked while a process embeds this store with another model."""
        from binascii import crc32

        return os.path.join(self.state_folder, f"model-change-{crc32(self.path.encode()):08x}")

    def close(self) -> None:
        """Closes everything; the next use opens it again."""
        for store in (self._reader, self._writer):
            if store is not None:
                store.close()
        if self._other is not None:
            self._other.close()
        if self._reranker is not None:
            self._reranker.close()
        if self._language is not None:
            self._language.close()
        self._reader = self._writer = self._results = None


def opened(
    flags: "dict[str, Any]",
    clock: "Clock | None" = None,
    *,
    resident: bool = False,
    faults: "Faults" = None,
) -> "tuple[Config, Opened]":
    """All settings, resolved, and the store that they name. Opens nothing; `faults`: see `settled`."""
    config, state, path, kinds = settled(flags, faults)
    store = Opened(
        path, state, clock or system_clock, config, backend(path), kinds, resident=resident
    )
    return config, store
