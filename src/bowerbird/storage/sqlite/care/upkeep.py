"""The upkeep of a store's file: its indexes, its size and its soundness. Each part is loaded on use."""

from bowerbird.storage.sqlite.file import connection as sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from bowerbird.core.health import Finding
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store


class Upkeep:
    """What is done to one open store once in a while."""

    def __init__(self, store: "Store", connection: "apsw.Connection") -> None:
        self._store = store
        self._connection = connection

    def reword(self, progress: "Progress | None" = None) -> tuple[int, int]:
        """Rebuild the word indexes; returns the entries indexed, and those whose text is unreadable."""
        from bowerbird.storage.sqlite.care.rewording import reword

        return reword(self._connection, self._store.transaction, self._store.documents, progress)

    def finish_reword(self) -> None:
        """Finish a rebuild of the word indexes that was killed, if there is one."""
        from bowerbird.storage.sqlite.care.rewording import finish

        finish(self._connection, self._store.transaction, self._store.documents)

    def purge_words(self) -> None:
        """Take what is left of deleted entries out of the word indexes, by merging all their segments.

        Twice, since a merge that had begun before a deletion carries over what it had read; mostly the
        second finds nothing to do. Others may write between two steps.
        """
        for _ in range(2):
            begin = more = True
            while more:
                with self._store.transaction():
                    more = self._store.documents.merge(begin=begin)
                begin = False

    def build_index(self, model: int, progress: "Progress | None" = None) -> int | None:
        """Build the HNSW index of a model's vectors; how many it holds. Raises MissingExtra."""
        from bowerbird.storage.sqlite.resident.hnsw import Building

        return Building(self._store.path).now(model, progress)

    def measured_recall(self, model: int) -> float | None:
        """What share of the exact hundred the current tier finds."""
        from bowerbird.storage.sqlite.search.measure import measured_recall

        entries = self._store.words.totals()[0]
        return measured_recall(self._connection, self._store.candidates, model, entries)

    def spare_room(self, *, spare: bool) -> None:
        """Fold the log back after each write instead of now and then: it takes less room."""
        self._connection.pragma("wal_autocheckpoint", 1 if spare else sqlite.FOLDED_AT)

    def give_back(self, pages: int = 1_000) -> None:
        """Give the pages that were freed back to the disk, some at a time.

        Between two times others write. Raises the store errors of `core.errors`.
        """
        from bowerbird.storage.sqlite.file.free_pages import give_back

        give_back(self._connection, self._store.transaction, pages)

    def fold(self) -> None:
        """Checkpoint the log into the file, and release its disk space.

        If another process reads from it, it stays: the last one to close then checkpoints it.
        """
        if sqlite.journal_of(self._connection) == "wal":
            with sqlite.our_errors(self._store.path):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def drop_index(self) -> tuple[str, ...]:
        """Delete the HNSW index, which holds the vectors of deleted rows; the paths."""
        from bowerbird.storage.sqlite.resident.hnsw import drop

        return drop(self._store.path)

    def statements_to_wipe(self) -> tuple[str, ...]:
        """None: SQLite overwrites what is deleted."""
        return ()

    def examine(self) -> "Iterator[Finding]":
        """Findings about the content; if the file is damaged, the checks stop there."""
        from bowerbird.storage.sqlite.care.doctor import examine

        return examine(self._connection, sqlite.journal_of(self._connection))
