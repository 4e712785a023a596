"""Bringing a file to the schema of this program: one transaction a step, a backup before."""

import os

import apsw

from bowerbird.core.errors import NotAStore, StoreError, StoreNewer, StoreOutdated
from bowerbird.storage.sqlite.connection import (
    APPLICATION_ID,
    file_lock,
    our_errors,
    set_journal,
    transaction,
)
from bowerbird.storage.sqlite.schema import MIGRATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Migrations = tuple[Callable[[apsw.Connection], None], ...]

_RECORD = """
CREATE TABLE IF NOT EXISTS migration (
    name TEXT PRIMARY KEY,
    applied INTEGER NOT NULL
) WITHOUT ROWID
"""


def check(connection: apsw.Connection, path: str) -> int:
    """The schema version of an open file: the number of migrations it has had.

    Raises NotAStore for another program's database and StoreNewer for a schema of tomorrow.
    """
    with our_errors(path):
        version = int(connection.pragma("user_version"))
        application = int(connection.pragma("application_id"))
        if (
            application != APPLICATION_ID
            and connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        ):
            raise NotAStore(
                f"{path} is a database of another program",
                "name another file with --store, or set BOWER_STORE",
            )
    if version > len(MIGRATIONS):
        raise StoreNewer(
            f"{path} was written by a newer Bowerbird (schema {version}, this one reads "
            f"{len(MIGRATIONS)})",
            "upgrade with: pip install --upgrade bowerbird",
        )
    return version


def require_current(connection: apsw.Connection, path: str) -> None:
    """For readers, which never migrate: raise StoreOutdated unless the schema is today's."""
    if check(connection, path) < len(MIGRATIONS):
        raise StoreOutdated(
            f"{path} has an older schema",
            "upgrade it by any writing command, such as: bower index; a backup is made first",
        )


def migrate(
    connection: apsw.Connection,
    path: str,
    now: int,
    new_replica: str,
    migrations: "Migrations" = MIGRATIONS,
) -> list[str]:
    """Apply what the file lacks and return the names of the steps taken.

    A file with content is backed up beside itself first. A step that fails leaves the file as it
    was before that step.
    """
    if check(connection, path) == len(migrations) and _has_journal(connection, path):
        return []
    taken = []
    with file_lock(path), our_errors(path):
        version = check(connection, path)
        if version == 0:
            connection.pragma("auto_vacuum", 2)
        set_journal(connection, path)
        if 0 < version < len(migrations):
            backup(connection, f"{path}.before-{migrations[version].__name__}.bak")
        for step in migrations[version:]:
            with transaction(connection, path):
                connection.execute(_RECORD)
                step(connection)
                version += 1
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


def _has_journal(connection: apsw.Connection, path: str) -> bool:
    """Whether the journal mode is the one that `set_journal` would choose."""
    with our_errors(path):
        return connection.pragma("journal_mode") in ("wal", "delete")


def backup(connection: apsw.Connection, target: str) -> None:
    """Copy the whole store to `target` through SQLite's backup, readable by its owner only.

    Raises StoreError when the target stands there already.
    """
    try:
        os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as error:
        raise StoreError(
            f"the backup {target} exists already", "move it elsewhere and run the command again"
        ) from error
    with our_errors(target):
        copy = apsw.Connection(target)
        try:
            with copy.backup("main", connection, "main") as progress:
                while not progress.done:
                    progress.step(1000)
        finally:
            copy.close()
