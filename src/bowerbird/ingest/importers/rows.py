"""Reads another tool's SQLite file, which that tool may be writing to."""

from contextlib import closing

import apsw

from bowerbird.core.errors import BadInput
from bowerbird.host.foreign import head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SQLITE = b"SQLite format 3\0"
_PATIENCE_MS = 5_000


def has_table(path: str, table: str, columns: "tuple[str, ...]") -> bool:
    """Whether a file is a database with such a table."""
    try:
        if head(path, len(_SQLITE)) != _SQLITE:
            return False
        with closing(_opened(path)) as connection:
            return set(columns) <= set(_columns(connection, table))
    except (OSError, apsw.Error):
        return False


def rows(path: str, table: str, order: str) -> "list[dict[str, Any]]":
    """The rows of a table by their columns, whichever it has; empty without it. Raises BadInput."""
    try:
        with closing(_opened(path)) as connection:
            names = _columns(connection, table)
            if not names:
                return []
            listed = ", ".join(f'"{name}"' for name in names)
            by = f'"{order}"' if order in names else "rowid"
            found = connection.execute(f"SELECT {listed} FROM {table} ORDER BY {by}")  # noqa: S608 of ours and its schema
            return [dict(zip(names, row, strict=True)) for row in found]
    except apsw.Error as error:
        raise BadInput(
            f"{path} cannot be read: {error}", "close the tool that writes it"
        ) from error


def _opened(path: str) -> apsw.Connection:
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(_PATIENCE_MS)
    return connection


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    found = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return [str(name) for (name,) in found]
