"""What is open: the store, its model, and the answers that are kept while nothing changes."""

from contextlib import contextmanager, suppress

from bowerbird.core.errors import StoreOutdated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.clock import Clock
    from bowerbird.core.config import Config
    from bowerbird.core.ports import Embedder
    from bowerbird.retrieval.cache import ResultCache
    from bowerbird.storage.sqlite.store import Store
    from bowerbird.wiring.reading import Reading


class Opened:
    """One store's connections and caches, whatever project is asked about.

    A resident one belongs to a process that stays: it keeps answers and vectors in memory.
    """

    def __init__(self, path: str, clock: "Clock", config: "Config", *, resident: bool) -> None:
        self._config = config
        self._embedder: Embedder | None = None
        # Only where another model than the built-in one reads.
        self._reading: Reading | None = None
        self.path = path
        self.clock = clock
        self.resident = resident
        self._reader: Store | None = None
        self._writer: Store | None = None
        self._results: ResultCache | None = None

    def reader(self) -> "Store":
        """The store for reading. Raises StoreMissing where there is none."""
        if self._writer is not None:
            return self._writer
        if self._reader is not None and self._reader.stale():
            self._reader.close()
            self._reader = None
        if self._reader is None:
            self._reader = self._open(write=False)
        return self._reader

    @contextmanager
    def reading(self) -> "Iterator[Store]":
        """The store for reading, at one moment. Raises StoreMissing, and SQLite's errors as ours."""
        store = self.reader()
        with store.reading():
            yield store

    def writer(self) -> "Store":
        """The store for writing, made and upgraded as needed."""
        if self._writer is None:
            self._writer = self._open(write=True)
            # It reads too; two would keep everything twice.
            if self._reader is not None:
                self._reader.close()
                self._reader = None
        return self._writer

    def require(self) -> None:
        """Raise StoreMissing where there is no store, of whatever age: none is to be made."""
        with suppress(StoreOutdated):
            self.reader()

    def _open(self, *, write: bool) -> "Store":
        from bowerbird.storage.registry import backend

        store = backend("sqlite").open(self.path, self.clock, write=write)
        if self.resident:
            store.keep_resident()
        return store

    def embedder(self) -> "Embedder":
        """The model that reads questions and texts. Raises BadConfig, UnknownName, ModelError."""
        if self._embedder is None:
            if self._config["embed.provider"] == "builtin":
                from bowerbird.models.registry import embedder

                self._embedder = embedder(self._config)
            else:
                from bowerbird.wiring.reading import Reading

                self._reading = Reading(self._config, self.reader, lambda: self._writer)
                self._embedder = self._reading.embedder
        return self._embedder

    def ask_ahead(self, text: str) -> None:
        """Let a slow model read a question now, before anything waits for it with the store open."""
        self.embedder()
        if self._reading is not None:
            self._reading.ask_ahead(text)

    def results(self) -> "ResultCache | None":
        """The answers that are kept; None where the process does not stay."""
        if self.resident and self._results is None:
            from bowerbird.retrieval.cache import ResultCache

            self._results = ResultCache(self.clock)
        return self._results

    def close(self) -> None:
        """Close whatever was opened; what is asked for next opens it again."""
        for store in (self._reader, self._writer):
            if store is not None:
                store.close()
        if self._reading is not None:
            self._reading.close()
        self._reader = self._writer = self._results = None
