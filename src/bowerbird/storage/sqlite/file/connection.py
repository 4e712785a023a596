"""Opens the database file: pragmas, locks, permissions, and translation of SQLite's errors.

Only apsw touches the database file, and only through connections: opening it by path a second time in one
process, even just to read, drops SQLite's locks and loses other processes' writes.
"""

import os
import sys
from contextlib import contextmanager, nullcontext
from time import monotonic, sleep

import apsw

from bowerbird.core.errors import (
    BowerbirdError,
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreReplaced,
)
from bowerbird.core.text import searchable
from bowerbird.core.value import Advice, Do
from bowerbird.storage.sqlite.file import location
from bowerbird.storage.sqlite.file.vectors import define

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from apsw import SQLiteValue

# Of sixteen writers with full synchronisation on two busy cores one waited 2.3 s with a queue, and 24 s
# without.
BUSY_TIMEOUT_MS = 30_000
# Interval at which a writer retries the lock. SQLite's own interval grows to a tenth of a second, so that
# the newest writer retries most often.
LOOK_S = 0.002
# Page cache: one-shot commands stay below 60 MB with 8 MB and no memory mapping. Mapped pages counted 80
# MB at 100,000 entries and saved no time.
CACHE_KIB = 8_192
# Pages of the log after which a commit checkpoints it: SQLite's default.
FOLDED_AT = 1_000
FULL = 2
_DAMAGED = Advice("see what is damaged, and what repairs it: ", Do("verify"))
_NO_ROOM = apsw.SQLITE_IOERR_SHMSIZE


def translate(error: Exception, path: str) -> BowerbirdError:
    """Translates an SQLite error, with its remedy."""
    if isinstance(error, apsw.NotADBError):
        return NotAStore(
            f"{path} is not a Bowerbird store",
            "name another file with --store, or move this one out of the way",
        )
    # A full disk under the shared-memory file is reported by another code.
    if isinstance(error, apsw.FullError) or getattr(error, "extendedresult", 0) == _NO_ROOM:
        return StoreFull(
            f"the disk that holds {path} is full",
            "free some space and run the command again; what was acknowledged before is safe",
        )
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return StoreBusy(
            f"{path} was locked by another process for {BUSY_TIMEOUT_MS // 1000} s",
            "wait for the other command to end, then run this one again",
        )
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_READONLY_DBMOVED:
        return location.changed(path)
    if isinstance(error, (apsw.ReadOnlyError, apsw.PermissionsError)):
        return StoreReadOnly(
            f"{path} cannot be written",
            "check the permissions of the file and of its folder, or name another with --store",
        )
    if isinstance(error, apsw.CantOpenError):
        return location.not_opened(path)
    if isinstance(error, apsw.CorruptError):
        return StoreDamaged(f"{path} is damaged: {error}", _DAMAGED)
    if isinstance(error, apsw.IOError):
        return StoreError(
            f"the disk failed under {path}: {error}",
            "check the disk and its quota; what was acknowledged before is safe",
        )
    return StoreError(f"{path}: {error}", "run the command again; if it stays, report it")


@contextmanager
def our_errors(path: str) -> "Iterator[None]":
    """Translates the exceptions that apsw raises inside."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreDamaged(f"a text in {path} is damaged: {error.reason}", _DAMAGED) from error
    except apsw.Error as error:
        raise translate(error, path) from error


def load_vector_functions(connection: apsw.Connection) -> None:
    """Load sqlite-vec by its path (importing it pulls in numpy); without it, the same in Python."""
    for folder in sys.path:
        stem = os.path.join(folder, "sqlite_vec", "vec0")
        if any(os.path.exists(stem + suffix) for suffix in (".so", ".dylib", ".dll")):
            connection.enable_load_extension(True)
            connection.load_extension(stem)
            connection.enable_load_extension(False)
            return
    define(connection)


def connect(path: str, *, write: bool) -> "StoreConnection":
    """A connection to an existing store, with every pragma set and verified.

    A reader uses the write-ahead log if permissions allow; only if it cannot, and there is no log, does
    it read the file as one `AtRest`.

    Raises StoreMissing if there is no file, NotAStore, StoreLinked and StoreReplaced if it is not a
    single store with its own log, and the errors of `translate`.
    """
    with our_errors(path):
        connection = _open(path, write=write)
        try:
            configure(connection, path, write=write)
        except BaseException:
            connection.close()
            raise
    return connection


def _open(path: str, *, write: bool) -> "StoreConnection":
    # WAL readers need the shared-memory file, which only a writable connection can create.
    may_write = os.access(path, os.W_OK) and os.access(os.path.dirname(path) or ".", os.W_OK)
    flags = apsw.SQLITE_OPEN_READWRITE if write or may_write else apsw.SQLITE_OPEN_READONLY
    connection = StoreConnection(path, flags)
    if write:
        return connection
    try:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.pragma("query_only", True)
        connection.pragma("schema_version")
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError) as error:
        # No file can be created beside it: no permission, a read-only disk, or a full one.
        connection.close()
        if not location.log_size(path):
            return AtRest(path)
        if not isinstance(error, (apsw.CantOpenError, apsw.ReadOnlyError)):
            raise
        # Otherwise the answers would lack what is in the log.
        raise StoreReadOnly(
            f"{path} has a write-ahead log, which cannot be read without writing beside it",
            Advice(
                "let its owner run: ", Do("status"), "; or copy both files to a folder of your own"
            ),
        ) from error
    return connection


class StoreConnection(apsw.Connection):
    """A connection that checks whether its path still leads to the file that it has open.

    SQLite continues to write to a file that was deleted or replaced; those writes would be lost.
    """

    def __init__(self, path: str, flags: int, *, name: str = "") -> None:
        self._path = path
        self._identity = location.identify(path)
        # Whether the file was found replaced, which is final.
        self.lost = False
        # Raises StoreReplaced if the log beside the file is not its own; set by a caller that has just
        # checked it.
        self.own_log: Callable[[str], None] | None = None
        # The time and size of the file at the last check.
        self._vouched = (0, 0)
        super().__init__(name or path, flags=flags)
        try:
            self.require_same()  # the file may have been replaced in between
        except BaseException:
            self.close()
            raise

    def require_same(self) -> None:
        """Raises StoreReplaced unless the path leads to the open file. Usually one call of stat.

        A file that was written to since, for instance by a checkpoint, may have been replaced by another
        one: then it is compared with its log. Raises StoreLinked if it has a second name now.
        """
        try:
            found = os.stat(self._path)
        except OSError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != self._identity:
            self.lost = True
            raise location.changed(self._path)
        if found.st_nlink > 1:
            raise location.not_ours(self._path, found)
        written = (found.st_mtime_ns, found.st_size)
        if written != self._vouched:
            self._require_own_log()
            self._vouched = written

    def _require_own_log(self) -> None:
        if self.own_log is None or not location.log_size(self._path):
            return
        try:
            self.own_log(self._path)
        except StoreReplaced:
            self.lost = True
            raise

    def close(self, force: bool = False) -> None:
        """Closes it; a log that is not this file's is left there and not played into it."""
        try:
            self.require_same()
        except BowerbirdError:
            self.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        super().close(force)


class AtRest(StoreConnection):
    """A file that is not written, read without locks: no permission, or a read-only or full disk.

    SQLite calls such a file immutable and relies on it. A process with more permissions may still write
    it, so readers check before and after whether the file is `still` the same.
    """

    def __init__(self, path: str) -> None:
        self._was = self._stamp(path)
        name = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        super().__init__(path, flags, name=f"file:{name}?immutable=1")

    def still(self) -> bool:
        """Whether the file is unchanged since it was opened."""
        try:
            return self._stamp(self._path) == self._was
        except OSError:
            return False  # it was deleted

    @staticmethod
    def _stamp(path: str) -> tuple[int, ...]:
        found = os.stat(path)
        stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        return (*stamp, location.log_size(path))


def journal_of(connection: apsw.Connection) -> str:
    """The journal that a store is written with; empty if it is read at rest."""
    at_rest = isinstance(connection, AtRest)
    return "" if at_rest else str(connection.pragma("journal_mode"))


def configure(connection: apsw.Connection, path: str, *, write: bool) -> None:
    """Sets every pragma, and reads back those that durability depends on."""
    if write:
        connection.set_busy_handler(patient())
    else:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.create_scalar_function("searchable", _searchable, deterministic=True)
    # One pragma a call: apsw stops a multi-statement string at its first row.
    connection.pragma("foreign_keys", True)
    connection.pragma("temp_store", 2)
    connection.pragma("cache_size", -CACHE_KIB)
    if not write:
        return
    connection.pragma("synchronous", FULL)
    connection.pragma("secure_delete", True)
    if connection.pragma("synchronous") != FULL:
        raise StoreError(f"{path}: full synchronisation was refused", "use a local disk")


def _searchable(*arguments: "SQLiteValue") -> "SQLiteValue":
    """`core.text.searchable` for the triggers of the schema, which pass it one text."""
    return searchable(str(arguments[0]))


def patient() -> "Callable[[int], bool]":
    """SQLite's busy handler: called whenever a lock is taken, returns whether to retry."""
    began = 0.0

    def again(times: int) -> bool:
        nonlocal began
        if not times:
            began = monotonic()
        sleep(LOOK_S)
        return monotonic() < began + BUSY_TIMEOUT_MS / 1000

    return again


@contextmanager
def transaction(
    connection: apsw.Connection,
    path: str,
    turn: "AbstractContextManager[None] | None" = None,
    *,
    keep: bool = True,
) -> "Iterator[None]":
    """A write transaction: BEGIN IMMEDIATE, commit at the end, rollback on any error.

    `turn` is held until the transaction has begun. Without `keep` it is always rolled back. Raises
    StoreReplaced if the file was deleted or replaced, before anything is acknowledged.
    """
    with our_errors(path):
        _require_same(connection)
        with turn or nullcontext():
            connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            _require_same(connection)
            # A commit may fail, and then SQLite leaves the transaction open.
            connection.execute("COMMIT" if keep else "ROLLBACK")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextmanager
def reading(connection: apsw.Connection, path: str, *, once: bool = False) -> "Iterator[None]":
    """One snapshot of the store for all reads inside, while others may write.

    `once`: a single statement, which needs no transaction. Inside a transaction or another snapshot it
    joins that one. It leaves no read transaction open, which would block checkpoints of the log.
    """
    if connection.in_transaction:
        yield
        return
    _require_same(connection)
    _ensure_still(connection, path)
    try:
        with our_errors(path):
            if not once:
                connection.execute("BEGIN")
            try:
                yield
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
    finally:
        _ensure_still(connection, path)


def apart(connection: apsw.Connection, slow: "Callable[[], None]") -> None:
    """Ends the snapshot while something slow runs; what follows reads a new one."""
    connection.execute("ROLLBACK")
    try:
        slow()
    finally:
        connection.execute("BEGIN")


def _require_same(connection: apsw.Connection) -> None:
    if isinstance(connection, StoreConnection):
        connection.require_same()


def _ensure_still(connection: apsw.Connection, path: str) -> None:
    if isinstance(connection, AtRest) and not connection.still():
        raise StoreBusy(
            f"{path} was written to while it was read, which is seen by chance without its locks",
            "run the command again; a reader with write permission never meets this",
        )
