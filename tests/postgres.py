"""A PostgreSQL server with pgvector for tests: that of BOWER_TEST_POSTGRES, or one of a package."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
from postgres_server import Server, Unavailable

NAMED = os.environ.get("BOWER_TEST_POSTGRES", "")
# All tests over PostgreSQL, not every third.
WHOLE = os.environ.get("POSTGRES", "") == "all"


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
        server = Server()
    except Unavailable as error:
        pytest.skip(f"{error}, or set BOWER_TEST_POSTGRES")
    with server:
        yield Tenants(server.url, server)
