"""Keeps the indexes of a tenant current; the server looks after its files itself."""

from bowerbird.core.health import PROBLEM, Finding
from bowerbird.core.text import searchable
from bowerbird.core.types import FORGOTTEN, STATES
from bowerbird.storage.postgres.file.dialect import SCHEMA
from bowerbird.storage.postgres.nouns.index import add, add_wholes
from bowerbird.storage.postgres.nouns.written import words_of
from bowerbird.storage.sqlite.care.upkeep import Upkeep
from bowerbird.storage.sqlite.nouns.registry import TABLES
from bowerbird.storage.sqlite.nouns.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.ports.progress import Progress
    from bowerbird.storage.postgres.file.connection import Connection
    from bowerbird.storage.sqlite.store import Store

# Entries indexed by one statement.
_BATCH = 1_000
# What SQLite keeps and this backend does not.
_NOT_HERE = frozenset(("word_index", "document_index", "tally", "migration", "seal"))
_KEPT = f"f.state <> {STATES.index(FORGOTTEN)}"
_EMPTY = (
    "DELETE FROM posting",
    "DELETE FROM word_index",
    "DELETE FROM document_index",
    "DELETE FROM word",
    "DELETE FROM meta WHERE key GLOB 'indexed_*'",
    "UPDATE meta SET value = '0' WHERE key IN ('entries', 'words')",
)


class PostgresUpkeep(Upkeep):
    """What is done to one tenant once in a while."""

    def __init__(self, store: "Store", server: "Connection") -> None:
        super().__init__(store, store.connection)
        self._server = server

    def reword(self, progress: "Progress | None" = None) -> tuple[int, int]:
        """Rebuild the word indexes in one transaction: others read the old ones until it is done."""
        with self._store.transaction():
            return self.index_all(progress), 0

    def index_all(self, progress: "Progress | None" = None) -> int:
        """Index every entry anew; how many. Inside a transaction."""
        ask: Any = self._connection.execute
        for sql in _EMPTY:
            ask(sql)
        total = int(next(ask(f"SELECT count(*) FROM facet f WHERE {_KEPT}"))[0])
        if progress is not None:
            progress.start("reindexed", total)
        after = -1
        while True:
            values = (after, _BATCH)
            rows = words_of(self._connection, f"e.id > ? AND {_KEPT} ORDER BY e.id LIMIT ?", values)
            if not rows:
                break
            after = rows[-1][0]
            add(self._connection, rows)
            texts = ask("SELECT text FROM entry WHERE id >= ? AND id <= ? AND id = ANY (?)",
                        (rows[0][0], after, [row[0] for row in rows]))  # fmt: skip
            count(self._connection, [str(text) for (text,) in texts])
            if progress is not None:
                progress.advance(len(rows))
        self._index_wholes()
        if progress is not None:
            progress.finish()
        return total

    def _index_wholes(self) -> None:
        found = self._connection.execute(
            "SELECT document FROM facet WHERE document IS NOT NULL GROUP BY document HAVING count(*) > 1"
        )
        for (document,) in found:
            texts = self._connection.execute(
                "SELECT e.text FROM facet f JOIN entry e ON e.id = f.id WHERE f.document = ?"
                " ORDER BY f.ordinal",
                (document,),
            )
            whole = "\n".join(searchable(text) for (text,) in texts)
            add_wholes(self._connection, [(document, whole)])

    def finish_reword(self) -> None:
        """A rebuild is one transaction, so that none is ever left unfinished."""

    def purge_words(self) -> None:
        """The words of an entry are rows that are deleted with it."""

    def build_index(self, model: int, progress: "Progress | None" = None) -> int | None:
        """Build the HNSW index for vectors of this model's length, of all tenants; how many it holds."""
        found = self._connection.execute("SELECT dims FROM model WHERE id = ?", (model,)).fetchone()
        if found is None:
            return None
        dims = int(found[0])
        if progress is not None:
            progress.start("indexing vectors", 1)
        # Not in a transaction: others read and write meanwhile.
        self._server.raw.execute(
            f"CREATE INDEX CONCURRENTLY IF NOT EXISTS vector_hnsw_{dims} ON {SCHEMA}.vector USING hnsw"
            f" ((int8::halfvec({dims})) halfvec_cosine_ops) WHERE vector_dims(int8) = {dims} AND norm > 0"
        )
        if progress is not None:
            progress.finish()
        held = self._connection.execute(
            "SELECT count(*) FROM vector WHERE model = ? AND norm > 0", (model,)
        )
        return int(next(held)[0])

    def spare_room(self, *, spare: bool) -> None:
        """The disk is the server's."""

    def give_back(self, pages: int = 1_000) -> None:
        """The server gives space back by its own autovacuum."""

    def fold(self) -> None:
        """No file of the store is written here."""

    def drop_index(self) -> tuple[str, ...]:
        """The server's index has no rows that are deleted."""
        return ()

    def statements_to_wipe(self) -> tuple[str, ...]:
        """They rewrite the tables, which keeps all tenants out, and what is known of their values."""
        names = self._server.raw.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1", (SCHEMA,)
        ).fetchall()
        tables = ", ".join(f"{SCHEMA}.{name}" for (name,) in names)
        own = ("VACUUM FULL pg_catalog.pg_statistic", "CHECKPOINT")
        nodes = [f"SELECT run_command_on_workers('{one}')" for one in own]
        more = nodes if self._server.cluster else ()
        return (f"VACUUM (FULL, ANALYZE) {tables}", *own, *more)

    def examine(self) -> "Iterator[Finding]":
        """Problems of the rows."""
        for table in TABLES:
            for told, orphaned in table.orphans.items():
                if table.name in _NOT_HERE:
                    continue
                found = self._connection.execute(
                    f"SELECT count(*) FROM {table.name} t WHERE {orphaned}"
                )
                number = int(next(found)[0])
                if number:
                    yield Finding(
                        "orphans", f"{number} {told}", PROBLEM, "report it, with this line"
                    )
        if not self._store.healthy():
            yield Finding(
                "words",
                "entries and word index differ",
                PROBLEM,
                "rebuild it: bower reindex --words",
            )
