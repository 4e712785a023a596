"""What every test may count on: no configuration, store or project but its own, and a clock."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from tests.forked import Forks

from bowerbird.agents.index import SESSIONS, VARIABLES
from bowerbird.surfaces.cli.caller import NAMING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A machine under load is slow, and the same commit must give the same result everywhere.
settings.register_profile("house", deadline=None, derandomize=True, database=None)
settings.load_profile("house")
# Whoever starts the tests in the background of a shell leaves Ctrl-C ignored, and programs inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# What the terminal, the agent, the proxy or the Git hook around a run says is not about its tests. It
# goes at once and for good: a server that serves a whole file of tests starts before any fixture of one.
_AROUND = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}
_AROUND |= {name for name, _ in VARIABLES} | {*NAMING, *SESSIONS}
for _name in list(os.environ):
    ours = _name.startswith(("BOWER_", "GIT_")) and _name != "BOWER_TEST_POSTGRES"
    if _name.upper() in _AROUND or ours:
        del os.environ[_name]
# Times and sorted texts are those of one machine, wherever it stands.
os.environ |= {"TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
# As a command sets it. A test that runs one in this process did so after numpy had begun two threads,
# which from then on waited for each other in every product, and changed the environment, so that no
# later command of the worker was forked.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
# Each run of index would load a model and read its notes: tests/contract/test_passages_read.py tries it.
os.environ["BOWER_INDEX_READ"] = "0"
time.tzset()

# What tests write stands in memory where there is room for it and programs may run there: of the time
# of tests that write to stores a fifth went into a disk. What is about disks asks for one (tests/faults).
_MEMORY = "/dev/shm"
_ROOM = 4_000_000_000


def _in_memory() -> bool:
    try:
        found = os.statvfs(_MEMORY)
    except OSError:
        return False
    room = found.f_bavail * found.f_frsize >= _ROOM
    return room and not found.f_flag & os.ST_NOEXEC and os.access(_MEMORY, os.W_OK)


# Pytest's own folder of a run; whoever names another is obeyed.
if "TMPDIR" not in os.environ and _in_memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _MEMORY)


def _alone(machine: Path, patch: pytest.MonkeyPatch) -> None:
    """On a machine of its own: a home of its own, in a folder of its own."""
    home, folder = machine / "home", machine / "folder"
    home.mkdir()
    folder.mkdir()
    patch.setenv("HOME", str(home))
    for name in ("DATA", "CONFIG", "STATE"):
        patch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    patch.chdir(folder)


def pytest_configure(config: pytest.Config) -> None:
    """Each worker reads the files from another one on: what one has compiled, the others find.

    Where nothing is compiled yet that takes half a minute, which each of them spent.
    """
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    if worker and all(os.path.isdir(each) for each in config.args):
        files = [
            str(file) for each in config.args for file in sorted(Path(each).rglob("test_*.py"))
        ]
        first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args = [*files[first:], *files[:first]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In all workers the order is the same."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)


def pytest_collection_finish() -> None:
    """Keep what was collected, which stays to the end, out of every later search for garbage."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What serves many tests sees nothing of whoever runs them either, and leaves nothing behind."""
    with pytest.MonkeyPatch.context() as patch:
        machine = tmp_path_factory.mktemp("run")
        _alone(machine, patch)
        patch.setenv("TMPDIR", str(machine))
        patch.setattr(tempfile, "tempdir", str(machine))
        yield


@pytest.fixture(scope="session")
def _machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders for machines: pytest looks through all of its own to name a new one."""
    where = tmp_path_factory.mktemp("machines")
    return (where / str(number) for number in count())


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch, _machines: Iterator[Path]) -> None:
    """No test sees the settings, the store or the repository of whoever runs it."""
    machine = next(_machines)
    machine.mkdir()
    _alone(machine, monkeypatch)


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Runs commands in processes that have loaded the package already."""
    found = Forks()
    yield found
    found.close()


@pytest.fixture
def clock() -> Callable[[], int]:
    """A clock that starts in 2026 and moves on by a second at each look."""
    ticks = iter(range(1_767_225_600_000, 1 << 62, 1_000))
    return lambda: next(ticks)


@pytest.fixture
def cost() -> Callable[..., float]:
    """CPU seconds of some work, the least of five times, or the first that is below `enough`.

    Only costs of one test compare.
    """

    def least(work: Callable[..., object], *arguments: object, enough: float = 0.0) -> float:
        took: list[float] = []
        while len(took) < 5 and min(took, default=enough) >= enough:
            started = time.process_time()
            work(*arguments)
            took.append(time.process_time() - started)
        return min(took)

    return least


@pytest.fixture
def store_path(tmp_path: Path) -> str:
    """Where a test's store may be made; nothing is there yet."""
    return str(tmp_path / "memory.db")
