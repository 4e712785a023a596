"""Two versions of the schema in two processes: an old one meets a store that a newer one upgraded.

Current writers are at work when a process of a later version, with one more step, opens the store. From
then on they, and readers, get StoreOutdated if they have the store open and StoreNewer if they open it;
no acknowledged write is lost, and the newer process continues.

Processes of both versions also open one store of an older schema at the same moment, so that they upgrade
it against each other: it ends with the later schema, and no row of before and no acknowledged write is
lost.
"""

import json
import os
import time
from typing import TYPE_CHECKING, Any

import apsw

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError, StoreNewer
from bowerbird.storage.sqlite import store
from bowerbird.storage.sqlite.care import migrations
from bowerbird.storage.sqlite.file import schema
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.nouns import stamps
from faults.found import Found
from faults.mixed import START, opened
from faults.process import Child
from faults.rebuilds import old_schema

if TYPE_CHECKING:
    from collections.abc import Callable

WRITERS = 3
# So long writers are at work before the newer one comes.
_SECONDS = 0.6
# Memories of each process that upgrades against others, and what those of the older version may get.
_EACH = 3
_REFUSALS = {"StoreOutdated", "StoreNewer"}


def step_a_column(connection: apsw.Connection) -> None:
    """The migration step of the later version."""
    connection.execute("ALTER TABLE project ADD COLUMN colour TEXT")


def versions(folder: str, count: int, seed: int) -> Found:
    """Stores, each upgraded while its writers work."""
    found = Found("versions", seed)
    for number in range(count):
        path = os.path.join(folder, f"versions{number}", "memory.db")
        os.makedirs(os.path.dirname(path))
        _upgraded(found, f"store {number}", path)
        path = os.path.join(folder, f"raced{number}", "memory.db")
        os.makedirs(os.path.dirname(path))
        _raced(found, f"raced store {number}", path)
        found.progress(number + 1, count)
    return found


def _open(path: str) -> Bowerbird:
    return opened(path, lambda: START)


def _upgraded(found: Found, where: str, path: str) -> None:
    with _open(path) as bird:
        bird.remember("The first one stands before all others")

    def write(name: int, report: Any) -> None:
        with _open(path) as bird:
            for number in range(10_000):
                try:
                    done = bird.remember(f"The anvil of marten {name} {number} is in the foundry")
                except BowerbirdError as error:
                    report(json.dumps([type(error).__name__, bool(error.remedy)]))
                    return
                report(json.dumps([done.id]))

    children = [Child(lambda report, name=name: write(name, report)) for name in range(WRITERS)]  # type: ignore[misc]
    time.sleep(_SECONDS)
    newer = Child(lambda _report: _newer(path))
    ids: list[str] = []
    for child in children:
        *acknowledged, end = [json.loads(line) for line in child.lines()]
        ids += [one[0] for one in acknowledged]
        if end != ["StoreOutdated", True]:
            found.violate(where, f"a writer ended with {end}")
    for _ in newer.lines():
        pass
    found.count("acknowledged", len(ids))
    _refused(found, where, path)
    _kept(found, where, path, ids)


def _raced(found: Found, where: str, path: str) -> None:
    """Two versions upgrade one old store at once."""
    old_schema(path)
    before = _uids(path)
    reading, writing = os.pipe()

    def work(name: str, report: Any) -> None:
        os.close(writing)
        os.read(reading, 1)  # until the other end is closed, which starts all of them
        if name.startswith("later"):
            _be_later()
        for number in range(_EACH):
            try:
                with _open(path) as bird:
                    done = bird.remember(f"The anvil of {name} number {number} is in the foundry")
            except BowerbirdError as error:
                report(json.dumps([type(error).__name__, bool(error.remedy)]))
            else:
                report(json.dumps([done.id]))

    names = ["now 1", "later 1", "now 2", "later 2"]
    children = [Child(lambda report, name=name: work(name, report)) for name in names]  # type: ignore[misc]
    os.close(reading)
    os.close(writing)
    ids, refused = [], set()
    for name, child in zip(names, children, strict=True):
        for line in child.lines():
            said = json.loads(line)
            if len(said) == 1:
                ids.append(said[0])
            elif name.startswith("later") or said[0] not in _REFUSALS or not said[1]:
                found.violate(where, f"{name} got {said}")
            else:
                refused.add(said[0])
    found.count("raced")
    found.count("raced_acknowledged", len(ids))
    found.count("raced_refused", len(refused))
    _kept(
        found, where, path, [*before, *ids], later="The anvil of later 1 number 0 is in the foundry"
    )


def _uids(path: str) -> list[str]:
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    found = [str(row[0]) for row in connection.execute("SELECT uid FROM entry")]
    connection.close()
    return found


def _refused(found: Found, where: str, path: str) -> None:
    """Opening the store with this version raises an error, also for readers."""
    verbs: list[Callable[[Bowerbird], object]] = [
        Bowerbird.list,
        lambda bird: bird.remember("Too late for this version"),
    ]
    for verb in verbs:
        with _open(path) as bird:
            try:
                verb(bird)
            except StoreNewer:
                found.count("refused")
            else:
                found.violate(where, "a store of a later version was opened")


def _kept(
    found: Found, where: str, path: str, ids: list[str], later: str = "The later version goes on"
) -> None:
    """Reads with SQLite what this version may no longer read."""
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    there = {row[0] for row in connection.execute("SELECT uid FROM entry")}
    texts = {row[0] for row in connection.execute("SELECT text FROM entry")}
    state = connection.pragma("integrity_check"), connection.pragma("user_version")
    connection.close()
    found.count("lost", len({*ids} - there))
    if {*ids} - there or state != ("ok", len(MIGRATIONS) + 1):
        found.violate(where, f"{len({*ids} - there)} lost, {state}")
    if later not in texts:
        found.violate(where, "the later version could not write")


def _newer(path: str) -> None:
    """A later version of this program opens the store, upgrades it and writes."""
    _be_later()
    with _open(path) as bird:
        bird.remember("The later version goes on")


def _be_later() -> None:
    """Make this process one of the later version."""
    later = (*MIGRATIONS, step_a_column)
    for module in (migrations, schema, stamps, store):
        vars(module)["VERSION"] = len(later)
    migrations.migrate.__defaults__ = (later,)
