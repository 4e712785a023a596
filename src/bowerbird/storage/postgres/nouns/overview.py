"""Counts over memories, of which a statement that lasts too long is ended by the server."""

from time import perf_counter

from psycopg import errors

from bowerbird.storage.sqlite.nouns.overview import Overview

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class PostgresOverview(Overview):
    """Counts over the memories of some projects, on one connection, inside a transaction."""

    def _until(self, until: float, sql: str, values: "Sequence[Any]") -> "list[Any] | None":
        left = max(round((until - perf_counter()) * 1_000), 1)
        try:
            with self._connection:
                self._connection.execute(f"SET LOCAL statement_timeout = {left}")
                rows = list(self._connection.execute(sql, values))
                self._connection.execute("SET LOCAL statement_timeout = 0")
        except errors.QueryCanceled:
            return None
        return rows
