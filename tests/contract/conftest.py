"""What the contracts of memories share: a store of one project, and a clock that is moved by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from tests.postgres import CLUSTER, WHOLE, look_at_plans, served

from bowerbird import Bowerbird
from bowerbird.core.ids import new_id
from bowerbird.core.life import DAY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.postgres import Tenants

_OF_POSTGRES = 3
START = 1_767_225_600_000


class Hands:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def days(self, count: float) -> None:
        self.now += round(count * DAY)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test of a store runs over every backend, unless its module reaches into SQLite."""
    if "store_path" in metafunc.fixturenames:
        some = ("file",) if _of_sqlite(metafunc.module) else ("file", "postgresql")
        backends = getattr(metafunc.module, "BACKENDS", some)
        if backends != ("file",):
            metafunc.parametrize("backend", backends, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the tests over PostgreSQL every third runs, or all with POSTGRES=all (`make postgres`).

    All take longer than the rest of the contracts, which ask the same of a file.
    """
    if WHOLE:
        return
    left = [
        one
        for one in items
        if "postgresql" in one.name and crc32(one.nodeid.encode()) % _OF_POSTGRES
    ]
    config.hook.pytest_deselected(items=left)
    out = {id(one) for one in left}
    items[:] = [one for one in items if id(one) not in out]


def _of_sqlite(module: object) -> bool:
    return any("sqlite" in getattr(one, "__module__", "") or getattr(one, "__name__", "") == "apsw"
               for one in vars(module).values())  # fmt: skip


@pytest.fixture(scope="session")
def backend() -> str:
    """Where a test's store is: in a file, unless it is told otherwise."""
    return "file"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Tenants]:
    """The server of a run of tests."""
    yield from served()


@pytest.fixture(scope="session")
def plans() -> dict[str, str]:
    """The plans of all statements of tenants that ran over a cluster, by their text."""
    return {}


@pytest.fixture(autouse=True)
def one_task(plans: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Over a cluster each statement of a tenant is one task on one node: raises where one is not."""
    if CLUSTER:
        look_at_plans(plans, monkeypatch)
    return plans


@pytest.fixture
def store_path(tmp_path: Path, backend: str, request: pytest.FixtureRequest) -> str:
    """Where a test's store may be made; nothing is there yet."""
    if backend == "file":
        return str(tmp_path / "memory.db")
    server: Tenants = request.getfixturevalue("postgres")
    return server.tenant(new_id(START))


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def bird(store_path: str, hands: Hands) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop", clock=hands) as opened:
        yield opened
