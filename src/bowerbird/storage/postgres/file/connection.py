"""A connection that takes the statements of the nouns, as SQLite's does, for one tenant of a server."""

import json
import os
import re
import struct
from array import array
from collections import deque
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, lru_cache
from itertools import islice

import apsw
import psycopg
from psycopg import errors
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format, TransactionStatus
from psycopg.types.numeric import Int8Dumper, NumericBinaryLoader
from psycopg.types.string import StrDumper

from bowerbird.core.errors import (
    BowerbirdError,
    NotAStore,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
)
from bowerbird.storage.postgres.file import dialect
from bowerbird.storage.postgres.file.cluster import IS_ONE, set_on_nodes
from bowerbird.storage.postgres.file.dialect import FUNCTIONS, SCHEMA, Dialect, Statement
from bowerbird.storage.postgres.file.location import address, parts, shown
from bowerbird.storage.postgres.file.schema import shapes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from types import TracebackType
    from typing import Any, Self

    Row = tuple[Any, ...]
    # By number or by name.
    Bindings = Any

# Said in words alone, as no connection is there that could have a code.
_FULL = re.compile("too many (?:clients|connections)|connection slots")
# As long as a writer waits for the lock of a file.
LOCK_TIMEOUT_S = 30
_CONNECT_S = 10
_LEAST_VECTOR = (0, 8)
# Candidates that a vector index visits: of 100,000 vectors it gave .997 of the exact ten, at 100 .986.
EF_SEARCH = 200
# Generic plans know neither the tenant nor the length of a list: 76 ms instead of 20 for a question.
# Orders of joins are weighed for so many tables at once: of eight, as by default, the widest statement
# takes 41 ms to plan, of four 14, and all orders that help are found as the nouns write joins in theirs.
_PLANNED = {"join_collapse_limit": "4", "jit": "off"}
_NEAREST = {"hnsw.iterative_scan": "relaxed_order", "hnsw.ef_search": str(EF_SEARCH)}
_SETTINGS = {
    "lock_timeout": f"'{LOCK_TIMEOUT_S}s'",
    "plan_cache_mode": "force_custom_plan",
    "max_parallel_workers_per_gather": "0",
    "search_path": f"{FUNCTIONS}, public",
}
_SESSION = "; ".join(
    f"SET {name} = {value}" for name, value in (_SETTINGS | _PLANNED | _NEAREST).items()
)
_BEGIN = {
    "BEGIN": ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",),
    # One writer of a tenant at a time, as for a file; what it reads after that is committed.
    "BEGIN IMMEDIATE": (
        "BEGIN",
        "SELECT pg_advisory_xact_lock(hashtextextended('bowerbird {tenant}', 0))",
    ),
}


# What a server has to load before it plans a first statement takes longer than most statements: 60 ms of
# its CPU for a question. So a process keeps so many connections to an address, with what they know.
MOST_KEPT = 4
_KEPT: "dict[tuple[int, str], deque[psycopg.Connection[Row]]]" = {}


class _Raw(psycopg.Connection):
    # The process that connected: one that was forked from it must not end its session.
    of = 0

    def __del__(self, __warn: "Any" = None, /) -> None:
        """Whoever leaves a store open has it closed quietly, as with a file."""
        if self.of == os.getpid():
            self.pgconn.finish()


class Rows:
    """What a statement returned."""

    def __init__(self, rows: "list[Row]") -> None:
        self._rows = iter(rows)

    def __iter__(self) -> "Iterator[Any]":
        return self._rows

    def __next__(self) -> "Any":
        return next(self._rows)

    def fetchone(self) -> "Any":
        """The next row, or None."""
        return next(self._rows, None)

    def fetchall(self) -> "list[Any]":
        """The rows that are left."""
        return list(self._rows)


class Connection:
    """Implements as much of `apsw.Connection` as the nouns use."""

    def __init__(
        self, raw: "psycopg.Connection[Row]", url: str, tenant: str, made: str, *, cluster: bool
    ) -> None:
        """`made` is what the tables say of themselves; empty where there are none."""
        self.raw = raw
        self._url = url
        self.made = made
        self.tenant = tenant
        self.cluster = cluster
        of_tenant = {"bowerbird.tenant": f"'{tenant}'"}
        self._on_nodes = set_on_nodes(of_tenant | _PLANNED | _NEAREST) if cluster else ()
        self._changes = 0
        self._inserted = 0
        self._depth = 0

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; none is on a connection that was lost."""
        return self.raw.info.transaction_status in (
            TransactionStatus.ACTIVE,
            TransactionStatus.INTRANS,
            TransactionStatus.INERROR,
        )

    @property
    def lost(self) -> bool:
        """Whether the server, or the way to it, is gone."""
        return self.raw.closed

    def execute(self, sql: str, bindings: "Bindings" = ()) -> Rows:
        """Run one statement of SQLite's dialect."""
        if sql in _BEGIN:
            self._begin(*(one.format(tenant=self.tenant) for one in _BEGIN[sql]))
            return Rows([])
        # A query with operators becomes a part of its statement.
        operators = "MATCH ?" in sql
        statement = _dialect().statement(sql, bindings) if operators else _translated(sql)
        with _sqlites_errors(), self._transaction():
            cursor = self.raw.execute(
                statement.of(self.tenant), _bound(statement, bindings), binary=True
            )
        self._changes = cursor.rowcount
        rows = cursor.fetchall() if cursor.description else []
        if statement.numbers and rows:
            self._inserted = rows[-1][0]
        return Rows(rows)

    def execute_together(self, parts: "Sequence[str]", bindings: "Bindings") -> None:
        """Run statements that write, as one: on a cluster each, as there one inserts into one table."""
        *others, last = parts
        if self.cluster:
            for one in parts:
                self.execute(one, bindings)
        else:
            beside = ", ".join(f"part_{at} AS ({one})" for at, one in enumerate(others))
            self.execute(f"WITH {beside} {last}", bindings)

    def executemany(self, sql: str, bindings: "Iterable[Bindings]") -> None:
        """Run one statement for each of some rows, without waiting for one before the next is sent."""
        statement = _translated(sql)
        sent = iter(bindings)
        with _sqlites_errors(), self._transaction(), self.raw.cursor() as cursor:
            while some := [_bound(statement, one) for one in islice(sent, 1_000)]:
                cursor.executemany(statement.of(self.tenant), some)

    def _begin(self, *sql: str) -> None:
        if not self._on_nodes:
            self.raw.execute("; ".join(sql))
            return
        # One by one, as all that is sent at once is passed on to a node; none is waited for.
        with self.raw.pipeline():
            for one in (*sql, *self._on_nodes):
                self.raw.execute(one)

    def _transaction(self) -> "AbstractContextManager[None]":
        """One of its own for a statement outside of any, where nodes have to be told what is set."""
        return self._alone() if self._on_nodes and not self.in_transaction else nullcontext()

    @contextmanager
    def _alone(self) -> "Iterator[None]":
        self._begin("BEGIN")
        try:
            yield
            self.raw.execute("COMMIT")
        except BaseException:
            if self.in_transaction:
                self.raw.execute("ROLLBACK")
            raise

    def changes(self) -> int:
        """How many rows the last statement changed."""
        return self._changes

    def last_insert_rowid(self) -> int:
        """The number of the row that was inserted last."""
        return self._inserted

    def __enter__(self) -> "Self":
        """A part of a transaction, taken back alone where something is raised in it."""
        self._depth += 1
        self.raw.execute(f"SAVEPOINT part_{self._depth}")
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        raised: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        back = f"ROLLBACK TO part_{self._depth};" if raised else ""
        if not self.lost:
            self.raw.execute(f"{back} RELEASE part_{self._depth}")
        self._depth -= 1

    def close(self) -> None:
        """End it, or keep it for whoever asks for one to this address next."""
        if self.raw.info.transaction_status == TransactionStatus.IDLE:
            kept = _kept(self._url)
            if len(kept) < MOST_KEPT and self.raw not in kept:
                kept.append(self.raw)
                return
        if self.raw not in _kept(self._url):
            self.raw.close()


@cache
def _dialect() -> Dialect:
    return Dialect(shapes())


@lru_cache(4_096)
def _translated(sql: str) -> Statement:
    return _dialect().statement(sql)


class _sqlites_errors:  # noqa: N801 a context manager, as a function that yields is slower
    """What the rows themselves are refused for: the nouns know it by SQLite's name."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        raised: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        if isinstance(raised, (psycopg.DataError, psycopg.IntegrityError)):
            raise apsw.ConstraintError(str(raised)) from raised


def connect(path: str) -> Connection:
    """Connect to the server that a file names. Raises StoreError, NotAStore, BadConfig."""
    url, tenant = parts(address(path))
    kept = _kept(url)
    while kept:
        raw = kept.pop()
        with suppress(psycopg.OperationalError):
            return _begun(raw, path, url, tenant)
        raw.close()
    try:
        raw = session(url)
        raw.execute(_SESSION)
        return _begun(raw, path, url, tenant)
    except psycopg.Error as error:
        raise translate(error, path) from error


def session(url: str) -> "psycopg.Connection[Row]":
    """A session with a server, which ends with what holds it. Raises psycopg.Error."""
    raw = _Raw.connect(
        url,
        autocommit=True,
        cursor_factory=psycopg.RawCursor,
        connect_timeout=_CONNECT_S,
        application_name="bowerbird",
    )
    raw.of = os.getpid()
    return raw


def _kept(url: str) -> "deque[psycopg.Connection[Row]]":
    """The connections of this process to an address that nobody uses."""
    return _KEPT.setdefault((os.getpid(), url), deque())


def _begun(raw: "psycopg.Connection[Row]", path: str, url: str, tenant: str) -> Connection:
    """A connection for one tenant. Raises NotAStore, and what psycopg raises."""
    try:
        found = raw.execute(
            "SELECT current_setting('server_version_num')::int, pg_encoding_to_char(encoding),"
            " coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'),"
            " (SELECT default_version FROM pg_available_extensions WHERE name = 'vector'), ''),"
            " coalesce((SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace"
            " WHERE nspname = $2), ''),"
            " to_regtype('halfvec')::oid, set_config('bowerbird.tenant', $1, false),"
            f" {IS_ONE}"
            " FROM pg_database WHERE datname = current_database()",
            (tenant, SCHEMA),
        ).fetchone()
        server, encoding, vector, made, halves, _, spread = found or (
            0,
            "",
            "",
            "",
            None,
            "",
            False,
        )
        _require_fit(path, server, encoding, vector)
        adapt(raw, halves)
        return Connection(raw, url, tenant, made, cluster=spread)
    except BaseException:
        raw.close()
        raise


def _require_fit(path: str, server: int, encoding: str, vector: str) -> None:
    where = shown(address(path))
    if server < 150_000:  # noqa: PLR2004 as PostgreSQL numbers its version 15
        raise NotAStore(f"{where} is PostgreSQL {server // 10_000}", "use PostgreSQL 15 or newer")
    if encoding != "UTF8":
        raise NotAStore(
            f"{where} is a database in {encoding}", "create one with: createdb -E UTF8 NAME"
        )
    if not vector:
        raise NotAStore(
            f"{where} has no pgvector",
            "install pgvector 0.8 or newer on the server of the database",
        )
    if tuple(int(part) for part in vector.split(".")[:2]) < _LEAST_VECTOR:
        raise NotAStore(
            f"{where} has pgvector {vector}",
            "upgrade it to 0.8, then: ALTER EXTENSION vector UPDATE",
        )


def translate(error: Exception, path: str) -> BowerbirdError:
    """An error of the server with its remedy."""
    where = shown(address(path))
    said = str(error).strip().partition("\n")[0]
    if isinstance(error, (errors.LockNotAvailable, errors.QueryCanceled)):
        return StoreBusy(
            f"{where} was locked by another writer for {LOCK_TIMEOUT_S} s",
            "wait for the other command to end, then run this one again",
        )
    if isinstance(error, (errors.DeadlockDetected, errors.SerializationFailure)):
        return StoreBusy(
            f"{where} was changed by another process at the same moment: {said}",
            "run this command again",
        )
    if isinstance(error, errors.DiskFull):
        return StoreFull(
            f"the disk of {where} is full",
            "free some space there and run the command again; what was acknowledged before is safe",
        )
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return StoreReadOnly(f"{where} only reads: {said}", "name the server that takes writes")
    if isinstance(error, errors.InsufficientPrivilege):
        return StoreReadOnly(
            f"{where} refuses it: {said}",
            "let an owner of the database run a command once, and grant this user its tables",
        )
    if isinstance(error, (errors.UndefinedTable, errors.InvalidSchemaName)):
        return StoreMissing(
            f"{where} holds no store: {said}", "remember something, or run: bower index"
        )
    if isinstance(error, psycopg.OperationalError) and _FULL.search(said):
        return StoreBusy(
            f"{where} has no connection left: {said}",
            "wait until others close theirs and run the command again, or raise its max_connections",
        )
    if isinstance(error, psycopg.OperationalError):
        return StoreError(
            f"{where} does not answer: {said}",
            "start the server or check the address, then run the command again; what was acknowledged"
            " before is safe",
        )
    return StoreError(f"{where}: {said}", "run the command again; if it stays, report it")


def _bound(statement: Statement, bindings: "Bindings") -> "list[Any]":
    return [_as(bindings[key], how) for key, how in statement.given]


def _as(value: "Any", how: str) -> "Any":
    """A value as the server takes it."""
    if how == dialect.PLAIN:
        if type(value) is bool:
            return int(value)
        if isinstance(value, str):
            # A text holds none here; those of entries never do.
            return value.replace("\0", "\ufffd") if "\0" in value else str(value)
        return value
    if how in (dialect.NUMBERS, dialect.TEXTS):
        return json.loads(value)
    if how == dialect.VECTOR:
        return None if value is None else Halves(value)
    if how == dialect.NONE:
        return value is None
    if how == dialect.GLOB:
        return dialect.regex(value)
    return value


class Halves(bytes):
    """A vector of small whole numbers, a byte each, that is stored in half precision."""

    __slots__ = ()


class _HalvesDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Halves) -> Buffer:
        return struct.pack(f">HH{len(obj)}e", len(obj), 0, *memoryview(obj).cast("b"))


class _HalvesLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        count = int.from_bytes(bytes(data[:2]), "big")
        return array("b", map(int, struct.unpack_from(f">{count}e", data, 4))).tobytes()


class _IntegerLoader(NumericBinaryLoader):
    """Sums of whole numbers come as decimals."""

    def load(self, data: Buffer) -> "Any":
        found = super().load(data)
        return int(found) if found == found.to_integral_value() else float(found)


class _Int(Int8Dumper):
    """All integers alike, so that a statement has one type whatever their size."""


class _Text(StrDumper):
    """A text is a text, wherever it stands."""


def adapt(raw: "psycopg.Connection[Row]", halves: int | None) -> None:
    """Make a connection know our types; `halves` is the number of that of vectors, if there is one."""
    if halves is not None:
        _HalvesDumper.oid = halves
        raw.adapters.register_dumper(Halves, _HalvesDumper)
        raw.adapters.register_loader(halves, _HalvesLoader)
    raw.adapters.register_dumper(int, _Int)
    raw.adapters.register_dumper(str, _Text)
    raw.adapters.register_loader("numeric", _IntegerLoader)
