"""A table of a PostgreSQL server through which copies of a store reach each other.

It is not a store: what stands in it is sealed, and the server needs no pgvector. A copy in a file and one
that is a tenant of the same server use it alike.
"""

from contextlib import contextmanager

import psycopg

from bowerbird.core.errors import BadInput
from bowerbird.storage.postgres.file.connection import session
from bowerbird.storage.postgres.file.location import parts, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_TABLE = "bowerbird_sync.file"
# Several devices may set it up at once, and making a schema twice at once fails.
_MADE = f"""
SELECT pg_advisory_xact_lock(hashtextextended('{_TABLE}', 0));
CREATE SCHEMA IF NOT EXISTS bowerbird_sync;
CREATE TABLE IF NOT EXISTS {_TABLE} (
    tenant text NOT NULL, replica text NOT NULL, name text NOT NULL, data bytea NOT NULL,
    PRIMARY KEY (tenant, replica, name)
)
"""
# The header is of no replica.
_HEADER = ("", "header")
_FILE = "tenant = $1 AND replica = $2 AND name = $3"


class SharedTable:
    """Files of several replicas, a row each, of one tenant."""

    def __init__(self, url: str) -> None:
        """Raises BadConfig for an address that is none."""
        self.path = shown(url)
        self._url, self._tenant = parts(url)
        self._session: psycopg.Connection[tuple[Any, ...]] | None = None

    def header(self) -> bytes | None:
        """The header; None if nothing was set up. Raises BadInput."""
        try:
            return self.read(*_HEADER)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadInput(
                f"{self.path} cannot be read: {error}",
                "start the server, or see to the address and the rights of its user",
            ) from error

    def set_up(self, header: bytes) -> None:
        """Make the table and write the header. Raises BadInput."""
        try:
            with self._asked() as asked:
                asked.execute(_MADE)
                made = asked.execute(
                    f"INSERT INTO {_TABLE} VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                    (self._tenant, *_HEADER, header),
                ).rowcount
        except OSError as error:
            raise BadInput(
                f"{self.path} cannot be written: {error}",
                "let its user create a schema in the database",
            ) from error
        if not made:
            raise BadInput(f"{self.path} was set up by another device", "try again")

    def replicas(self) -> list[str]:
        """The names of all replicas that wrote here."""
        found = self._rows(
            f"SELECT DISTINCT replica FROM {_TABLE} WHERE tenant = $1 AND replica <> ''"
        )
        return sorted(found)

    def files(self, replica: str) -> list[str]:
        """The names of a replica's files, in order."""
        return sorted(
            self._rows(f"SELECT name FROM {_TABLE} WHERE tenant = $1 AND replica = $2", replica)
        )

    def read(self, replica: str, name: str) -> bytes:
        """A file's bytes. Raises OSError."""
        try:
            found = self._rows(f"SELECT data FROM {_TABLE} WHERE {_FILE}", replica, name)
        except OSError as error:
            if isinstance(error.__cause__, psycopg.errors.UndefinedTable):
                raise FileNotFoundError(name) from error
            raise
        if not found:
            raise FileNotFoundError(name)
        return bytes(found[0])

    def write(self, replica: str, name: str, data: bytes) -> None:
        """Write a file. Raises OSError."""
        with self._asked() as asked:
            asked.execute(
                f"INSERT INTO {_TABLE} VALUES ($1, $2, $3, $4)"
                " ON CONFLICT (tenant, replica, name) DO UPDATE SET data = excluded.data",
                (self._tenant, replica, name, data),
            )

    def remove(self, replica: str, name: str) -> None:
        """Remove a file, if it is there. Raises OSError."""
        with self._asked() as asked:
            asked.execute(f"DELETE FROM {_TABLE} WHERE {_FILE}", (self._tenant, replica, name))

    def _rows(self, sql: str, *values: str) -> "list[Any]":
        """The first column of what a statement of this tenant selects."""
        with self._asked() as asked:
            rows = asked.execute(sql, (self._tenant, *values), binary=True).fetchall()
        return [one for (one,) in rows]

    @contextmanager
    def _asked(self) -> "Iterator[psycopg.Connection[tuple[Any, ...]]]":
        """The server, connected to. Raises OSError."""
        try:
            if self._session is None or self._session.closed:
                self._session = session(self._url)
            yield self._session
        except psycopg.Error as error:
            raise OSError(str(error).strip().partition("\n")[0]) from error
