"""Bringing a file to the schema of this program: one transaction a step, a backup before."""

import fcntl
import os
from contextlib import contextmanager, suppress

import apsw

from bowerbird.core.errors import StoreBusy, StoreError, StoreReadOnly
from bowerbird.storage.sqlite.connection import our_errors, patient, transaction
from bowerbird.storage.sqlite.filesystem import network_filesystem
from bowerbird.storage.sqlite.rebuilt import build_what_was_asked
from bowerbird.storage.sqlite.schema import APPLICATION_ID, VERSION, check
from bowerbird.storage.sqlite.steps import MIGRATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Migrations = tuple[Callable[[apsw.Connection], None], ...]

WAL, DELETE = "wal", "delete"
# What a file is called until it is whole.
UNFINISHED = ".unfinished"
_RECORD = """
CREATE TABLE IF NOT EXISTS migration (
    name TEXT PRIMARY KEY,
    applied INTEGER NOT NULL
) WITHOUT ROWID
"""


def migrate(
    connection: apsw.Connection,
    path: str,
    now: int,
    new_replica: str,
    migrations: "Migrations" = MIGRATIONS,
) -> list[str]:
    """Apply what the file lacks and return the names of the steps taken.

    A file with content is backed up beside itself first. A step that fails, or is killed, leaves
    the file as it was before that step, and the next call goes on from there.
    """
    if check(connection, path) == len(migrations) and has_journal(connection, path):
        return []
    with file_lock(path), our_errors(path):
        version = check(connection, path)
        if version == 0:
            connection.pragma("auto_vacuum", 2)
        set_journal(connection, path)
        if 0 < version < len(migrations):
            _backup_before(connection, path, migrations[version].__name__)
        return take_steps(connection, path, version, now, new_replica, migrations)


def take_steps(
    connection: apsw.Connection,
    path: str,
    version: int,
    now: int,
    new_replica: str,
    migrations: "Migrations" = MIGRATIONS,
) -> list[str]:
    """Take the steps from a version on, each as one transaction; their names."""
    taken = []
    for step in migrations[version:]:
        with transaction(connection, path):
            connection.execute(_RECORD)
            step(connection)
            version += 1
            if version == VERSION:
                build_what_was_asked(connection)
            connection.execute(
                "INSERT INTO migration (name, applied) VALUES (?, ?)", (step.__name__, now)
            )
            connection.execute(
                "INSERT OR IGNORE INTO meta (key, value) VALUES ('replica', ?)", (new_replica,)
            )
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", version)
        taken.append(step.__name__)
    return taken


def set_journal(connection: apsw.Connection, path: str) -> None:
    """Write-ahead log on local disks, rollback journal on network filesystems.

    Two processes that switch a new file at once fail despite their timeouts, so the caller holds
    the file lock.
    """
    if has_journal(connection, path):
        return
    wanted = journal_for(path)
    mode = connection.pragma("journal_mode", wanted)
    if mode == wanted:
        return
    if wanted == WAL:
        raise StoreError(f"{path}: no write-ahead log ({mode})", "use a local disk")
    raise StoreBusy(
        f"{path} has a write-ahead log, which does not hold on a network, and others use it",
        "end the other processes that use it, then run this command again",
    )


def journal_for(path: str) -> str:
    """The journal that a store at this path is to have."""
    return DELETE if network_filesystem(path) else WAL


def has_journal(connection: apsw.Connection, path: str) -> bool:
    """Whether a store has the journal that its place asks for."""
    with our_errors(path):
        return bool(connection.pragma("journal_mode") == journal_for(path))


@contextmanager
def file_lock(path: str) -> "Iterator[None]":
    """Hold `path`.lock exclusively: first open and migrations happen one process at a time.

    Raises StoreReadOnly where no such file can be made or locked.
    """
    handle = -1
    try:
        handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError as error:
        if handle >= 0:
            os.close(handle)
        raise StoreReadOnly(
            f"{path}.lock cannot be locked: {error.strerror}",
            "keep the store on a local disk, in a folder that you may write to: --store PATH",
        ) from error
    try:
        yield
    finally:
        os.close(handle)


def wait_for_upgrade(path: str) -> None:
    """Wait, for so long as a writer waits, while another process makes or upgrades the store.

    Nothing where nobody does, and where that cannot be known. Raises StoreBusy.
    """
    try:
        handle = os.open(path + ".lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        again = patient()
        times = 0
        while not _taken(handle, fcntl.LOCK_SH):
            if not again(times):
                raise StoreBusy(
                    f"{path} is being upgraded by another process",
                    "run this again when that has ended",
                )
            times += 1
    finally:
        os.close(handle)


@contextmanager
def in_turn(path: str) -> "Iterator[None]":
    """Stand in line for the write lock: one waits for it, the others wait for that one's place.

    Who has just let go of the lock would else take it again before anybody looks. Nobody is refused
    for want of a line: without the file, or on a disk without such locks, it is each for himself.
    Raises BusyError.
    """
    try:
        handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        again = patient()
        times = 0
        while not _taken(handle):
            if not again(times):
                raise apsw.BusyError("nobody moved in the line")
            times += 1
        yield
    finally:
        os.close(handle)


def _taken(handle: int, lock: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(handle, lock | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # such a disk has no line to stand in
    return True


def _backup_before(connection: apsw.Connection, path: str, step: str) -> None:
    """A copy from before a step; one that an interrupted upgrade has made already will do.

    A backup of another moment, from before somebody went back to an older version, is left alone.
    """
    number = 1
    while True:
        target = f"{path}.before-{step}{f'-{number}' if number > 1 else ''}.bak"
        if not os.path.exists(target):
            return backup(connection, target)
        if _moment(target) == _moment_of(connection):
            return None
        number += 1


def _moment(backup: str) -> "tuple[object, ...] | None":
    """What `_moment_of` says of a file; None where it cannot be read."""
    try:
        copy = apsw.Connection(backup, flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return _moment_of(copy)
        finally:
            copy.close()
    except apsw.Error:
        return None


def _moment_of(connection: apsw.Connection) -> "tuple[object, ...]":
    """What tells one moment of a store from another: whose it is, its schema, its writes so far."""
    facts = connection.execute(
        "SELECT key, value FROM meta WHERE key IN ('replica', 'generation') ORDER BY key"
    )
    return (connection.pragma("user_version"), *facts)


def backup(connection: apsw.Connection, target: str) -> None:
    """Copy the whole store to `target` through SQLite's backup, readable by its owner only.

    `target` is there whole or not at all, whenever the process ends: what is unfinished stands
    under another name, and the next call begins anew.
    """
    unfinished = target + UNFINISHED
    remove_unfinished(unfinished)
    try:
        _copy(connection, unfinished, target)
        os.rename(unfinished, target)
    except BaseException:
        remove_unfinished(unfinished)  # it may be what filled the disk
        raise
    sync_folder(os.path.dirname(target))


def remove_unfinished(unfinished: str) -> None:
    """With its journals: SQLite would play an old one back into the new file."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(unfinished + suffix)


def _copy(connection: apsw.Connection, unfinished: str, target: str) -> None:
    os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with our_errors(target):
        copy = apsw.Connection(unfinished)
        try:
            with copy.backup("main", connection, "main") as progress:
                while not progress.done:
                    progress.step(1000)
            # It may have taken over the log's header; a lone file needs none beside it.
            copy.pragma("journal_mode", "delete")
        finally:
            copy.close()


def sync_folder(folder: str) -> None:
    """Bring the names in a folder to the disk: the backup must be there before the upgrade is."""
    handle = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
