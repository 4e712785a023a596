"""Bringing a file to the schema of this program: one transaction a step, a backup before."""

import os
from contextlib import suppress

import apsw

from bowerbird.host.places import private_file
from bowerbird.storage.sqlite.file.connection import our_errors, transaction
from bowerbird.storage.sqlite.file.journal_mode import has_journal, set_journal
from bowerbird.storage.sqlite.file.schema import APPLICATION_ID, FORMER, VERSION, check
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.file.writer_queue import file_lock
from bowerbird.storage.sqlite.nouns.seals import reseal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Migrations = tuple[Callable[[apsw.Connection], None], ...]

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
    """Apply the missing steps and return their names.

    A file with content is backed up beside itself first. A step that fails, or is killed, leaves
    the file as it was before that step, and the next call continues from there.
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


def _backup_before(connection: apsw.Connection, path: str, step: str) -> None:
    """A copy from before a step; that of an interrupted upgrade is used if it exists.

    A backup of another moment, from before a downgrade, is kept.
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
    """What distinguishes two states of a store: its identity, its schema, its number of writes."""
    facts = connection.execute(
        "SELECT key, value FROM meta WHERE key IN ('replica', 'generation') ORDER BY key"
    )
    return (connection.pragma("user_version"), *facts)


def backup(connection: apsw.Connection, target: str, new_replica: str = "") -> None:
    """Copy the whole store to `target` through SQLite's backup, readable by its owner only.

    With `new_replica` the copy has that name, as it goes another way than the store it is of.

    `target` is complete or absent, whenever the process ends: an unfinished copy has another name, and
    the next call starts over.
    """
    unfinished = target + UNFINISHED
    remove_unfinished(unfinished)
    try:
        _copy(connection, unfinished, target, new_replica)
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


def _copy(connection: apsw.Connection, unfinished: str, target: str, new_replica: str) -> None:
    os.close(private_file(unfinished, os.O_RDWR | os.O_EXCL))
    with our_errors(target):
        copy = apsw.Connection(unfinished)
        try:
            with copy.backup("main", connection, "main") as progress:
                while not progress.done:
                    progress.step(1000)
            # It may have taken over the log's header; a lone file needs none beside it.
            copy.pragma("journal_mode", "delete")
            if new_replica:
                # What it wrote under the former name is no other copy's.
                copy.execute(
                    "INSERT OR REPLACE INTO meta (key, value) SELECT ? || name.value, last.value"
                    " FROM meta AS name, meta AS last WHERE name.key = 'replica' AND last.key = 'clock'",
                    (FORMER,),
                )
                copy.execute("UPDATE meta SET value = ? WHERE key = 'replica'", (new_replica,))
        finally:
            copy.close()


def sync_folder(folder: str) -> None:
    """Bring the names in a folder to the disk: the backup must be there before the upgrade is."""
    if os.name == "nt":  # it opens no folder
        return
    handle = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# A step cannot do so itself: it is frozen, and the data must match what today's code reads.
# The facts about the file by which `steps` asks, each with what builds it from the fact's value.
_ASKED = {"seals_anew": reseal}


def build_what_was_asked(connection: "apsw.Connection") -> None:
    """Rebuild it, in the transaction of the last step: no reader sees the current schema without it."""
    for key, build in _ASKED.items():
        asked = connection.execute(
            "DELETE FROM meta WHERE key = ? RETURNING value", (key,)
        ).fetchone()
        if asked is not None:
            build(connection, str(asked[0]))
