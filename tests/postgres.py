"""A PostgreSQL server with pgvector for tests: that of BOWER_TEST_POSTGRES, or one of a package."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
from postgres_server import Cluster, Server, Unavailable

NAMED = os.environ.get("BOWER_TEST_POSTGRES", "")
# Over a cluster with the extension Citus (`make citus`).
CLUSTER = os.environ.get("POSTGRES", "") == "citus"
# All tests over PostgreSQL, not every third.
WHOLE = os.environ.get("POSTGRES", "") in ("all", "citus")


class Tenants:
    """One server, of which every store has a tenant."""

    def __init__(self, url: str, server: Server | None = None) -> None:
        self.url = url
        self._server = server

    def tenant(self, name: str) -> str:
        """The location of a store."""
        return f"{self.url}{'&' if '?' in self.url else '?'}tenant={name}"

    @property
    def server(self) -> Server:
        """What may be stopped and started. Skips the test if it is another's."""
        if self._server is None:
            pytest.skip("the server that BOWER_TEST_POSTGRES names is not stopped")
        return self._server


def served() -> Iterator[Tenants]:
    """A server for one run of tests. Skips where there is none."""
    pytest.importorskip("psycopg")
    if NAMED:
        yield Tenants(NAMED)
        return
    try:
        server = Cluster() if CLUSTER else Server()
    except Unavailable as error:
        pytest.skip(f"{error}, or set BOWER_TEST_POSTGRES")
    with server:
        yield Tenants(server.url, server)


_TENANT = re.compile(r"(tenant = |SELECT |VALUES \()'[^']+'")
_TASKS = re.compile(r"Task Count: (\d+)")
_NODES = re.compile(r"Node: (host=\S+ port=\d+)")
# What takes rows to the coordinator on their way.
_FETCHED = re.compile("to coordinator|Distributed Subplan|repartition")


def look_at_plans(seen: dict[str, str], patch: pytest.MonkeyPatch) -> None:
    """Have each statement over tables of tenants explained before it runs for the first time.

    Raises AssertionError unless it is one task on one node.
    """
    import psycopg

    execute, many = psycopg.Connection.execute, psycopg.Cursor.executemany

    def explain(connection: Any, sql: str, values: Any) -> None:
        kind = _TENANT.sub(r"\1?", sql)
        if not sql.startswith(("WITH", "SELECT", "INSERT", "UPDATE", "DELETE")) or kind in seen:
            return
        if "bowerbird." not in sql or ("tenant = '" not in sql and not sql.startswith("INSERT")):
            return
        rows = execute(connection, f"EXPLAIN (COSTS OFF) {sql}", values)
        plan = seen[kind] = "\n".join(str(line) for (line,) in rows)
        assert _TASKS.findall(plan) == ["1"], f"{sql}\n{plan}"
        assert len({*_NODES.findall(plan)}) == 1, f"{sql}\n{plan}"
        assert not _FETCHED.search(plan), f"{sql}\n{plan}"

    def asked(self: Any, sql: Any, values: Any = None, **named: Any) -> Any:
        explain(self, sql, values)
        return execute(self, sql, values, **named)

    def asked_many(self: Any, sql: Any, values: Any, **named: Any) -> None:
        if values and self.connection.info.pipeline_status == 0:
            explain(self.connection, sql, values[0])
        many(self, sql, values, **named)

    patch.setattr(psycopg.Connection, "execute", asked)
    patch.setattr(psycopg.Cursor, "executemany", asked_many)
