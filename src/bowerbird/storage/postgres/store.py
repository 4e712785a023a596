"""A tenant of a PostgreSQL server as a store: SQLite's nouns over another connection."""

from typing import cast

import psycopg

from bowerbird.core.errors import StoreMissing, StoreOutdated
from bowerbird.core.ids import new_id
from bowerbird.core.part import part
from bowerbird.core.value import Advice, Do, Note
from bowerbird.storage.postgres.file import cluster
from bowerbird.storage.postgres.file.connection import Connection, adapt, connect, translate
from bowerbird.storage.postgres.file.dialect import SCHEMA
from bowerbird.storage.postgres.file.location import address, shown
from bowerbird.storage.postgres.file.schema import is_current, upgrade
from bowerbird.storage.postgres.nouns.words import PostgresWords
from bowerbird.storage.postgres.search.candidates import PostgresSource
from bowerbird.storage.sqlite.search.candidates import CandidateSource
from bowerbird.storage.sqlite.store import PastStore, Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import apsw

    from bowerbird.core.clock import Clock
    from bowerbird.core.ports.models import Embedder
    from bowerbird.storage.postgres.care.tables import PostgresTables
    from bowerbird.storage.postgres.care.upkeep import PostgresUpkeep
    from bowerbird.storage.postgres.nouns.overview import PostgresOverview
    from bowerbird.storage.postgres.nouns.written import PostgresDocuments, PostgresMemories
    from bowerbird.storage.sqlite.nouns.usage import Use

# One process makes or upgrades the tables at a time.
_LOCK = f"SELECT pg_advisory_xact_lock(hashtextextended('{SCHEMA} schema', 0))"

_MADE = f"SELECT coalesce(obj_description(to_regnamespace('{SCHEMA}')::oid, 'pg_namespace'), '')"

_SIZE = (
    "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c"
    " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'"
)


class PostgresStore(Store):
    """One open tenant. Not for several threads at once; open one a thread."""

    documents: "PostgresDocuments" = part("storage.postgres.nouns.written", "connection", "clock")
    memories: "PostgresMemories" = part("storage.postgres.nouns.written", "connection", "_stamps")
    tables: "PostgresTables" = part("storage.postgres.care.tables", "connection")
    overview: "PostgresOverview" = part("storage.postgres.nouns.overview", "connection")

    def __init__(
        self, server: Connection, path: str, clock: "Clock", use: "Use | None" = None
    ) -> None:
        # The nouns use of a connection what both have.
        super().__init__(cast("apsw.Connection", server), path, clock, use)
        self.server = server
        self.words = PostgresWords(self.connection, self._snapshot)

    @classmethod
    def open(
        cls, path: str, clock: "Clock", *, write: bool, use: "Use | None" = None
    ) -> "PostgresStore":
        """Connect; a writer makes the tables and the tenant, a reader does neither."""
        connection = connect(path)
        where = shown(address(path))
        try:
            if not is_current(connection.made, where, cluster=connection.cluster):
                _require_writer(connection, where, write=write)
                with connection.raw.transaction():
                    connection.raw.execute(_LOCK)
                    # Another process may have made them meanwhile, and others read them already.
                    ((made,),) = connection.raw.execute(_MADE)
                    if not is_current(str(made), where, cluster=connection.cluster):
                        upgrade(connection.raw, cluster=connection.cluster)
                    found = connection.raw.execute("SELECT 'halfvec'::regtype::oid").fetchone()
                adapt(connection.raw, found[0] if found else None)
            if connection.execute("SELECT 1 FROM meta WHERE key = 'replica'").fetchone() is None:
                _require_writer(connection, where, write=write, known=False)
                _begin(connection, clock)
            return cls(connection, path, clock, use)
        except BaseException as error:
            connection.close()
            if isinstance(error, psycopg.Error):
                raise translate(error, path) from error
            raise

    def keep_resident(self) -> None:
        """Keep entries in memory: what a question compares stays on the server."""
        from bowerbird.storage.sqlite.resident.entry_cache import KeptEntries  # start-up: few stay

        self.entries = KeptEntries(self.connection, self.generation)

    def read_ahead(self) -> None:
        """Nothing: no question reads ahead."""

    @property
    def candidates(self) -> CandidateSource:
        """The current candidates: to be requested once per question."""
        known = self._snapshot.conditions if self._snapshot.reads else None
        return PostgresSource(self.connection, self.entries.damaged, known)

    def stale(self) -> bool:
        """Whether the connection was lost."""
        return self.server.lost

    @property
    def upkeep(self) -> "PostgresUpkeep":
        """What keeps the indexes current."""
        from bowerbird.storage.postgres.care.upkeep import (
            PostgresUpkeep,  # start-up: once in a while
        )

        return PostgresUpkeep(self, self.server)

    def as_of(self, moment: int, embedder: "Callable[[], Embedder]") -> Store:
        """What it held at a moment (UTC milliseconds), over the same connection."""
        from bowerbird.storage.postgres.past import PostgresPast  # start-up: few ask

        held = PostgresPast(self.connection, self._snapshot, moment, embedder)
        return _PastStore(self, held, moment)

    def meta(self, key: str) -> "Any":
        """A fact about this tenant, or None."""
        return _number(super().meta(key))

    def tallies(self, prefix: str) -> "dict[str, Any]":
        """What was counted under keys that begin so, by the rest of the key."""
        return {key: _number(value) for key, value in super().tallies(prefix).items()}

    def size(self) -> int:
        """The bytes of the tables of all tenants, with their indexes."""
        sql = cluster.SIZE if self.server.cluster else _SIZE
        found = self.server.raw.execute(sql, (SCHEMA,)).fetchone()
        return int(found[0]) if found else 0

    def remarks(self) -> list[Note]:
        """Where this store is."""
        where = shown(address(self.path))
        return [Note("server", f"{where}, tenant {self.server.tenant}; the size is of all tenants")]


class _PastStore(PastStore, PostgresStore):
    """A tenant as of a moment, to be read only."""


def _number(value: "Any") -> "Any":
    """What SQLite keeps as an integer is a text here."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def _begin(connection: Connection, clock: "Clock") -> None:
    """Make the tenant: what the first step of SQLite's schema inserts."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("SELECT 1 FROM meta WHERE key = 'replica'").fetchone() is None:
            connection.execute(
                "INSERT INTO project (id, uid, name, root) VALUES (0, '', 'global', NULL)"
            )
            connection.executemany(
                "INSERT INTO meta (key, value) VALUES (?, ?)",
                [
                    ("generation", "0"),
                    ("entries", "0"),
                    ("words", "0"),
                    ("replica", new_id(clock())),
                ],
            )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _require_writer(connection: Connection, where: str, *, write: bool, known: bool = True) -> None:
    """Readers make no tables and no tenant: raises StoreMissing, or StoreOutdated for older tables."""
    if write:
        return
    if not (connection.made and known):
        raise StoreMissing(
            f"there is no store at {where} yet",
            Advice(
                "make one with: ",
                Do("index", "PATH"),
                ", or: ",
                Do("curate", "'something worth keeping'"),
            ),
        )
    raise StoreOutdated(
        f"{where} has an older schema",
        Advice("upgrade it by any writing command, such as: ", Do("index")),
    )
