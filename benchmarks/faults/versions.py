"""Two versions of the schema in two processes: an old one meets a store that a newer one upgraded.

Current writers are at work when a process of a later version, with one more step, opens the store. From
then on they, and readers, get StoreOutdated if they have the store open and StoreNewer if they open it;
no acknowledged write is lost, and the newer process continues.
"""

import json
import os
import time
from typing import TYPE_CHECKING, Any

import apsw

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError, StoreNewer
from bowerbird.storage.sqlite import migrations, schema, stamps, store
from bowerbird.storage.sqlite.steps import MIGRATIONS
from faults.found import Found
from faults.mixed import START, opened
from faults.process import Child

if TYPE_CHECKING:
    from collections.abc import Callable

WRITERS = 3
# So long writers are at work before the newer one comes.
_SECONDS = 0.6


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


def _kept(found: Found, where: str, path: str, ids: list[str]) -> None:
    """Reads with SQLite what this version may no longer read."""
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    there = {row[0] for row in connection.execute("SELECT uid FROM entry")}
    texts = {row[0] for row in connection.execute("SELECT text FROM entry")}
    state = connection.pragma("integrity_check"), connection.pragma("user_version")
    connection.close()
    found.count("lost", len({*ids} - there))
    if {*ids} - there or state != ("ok", len(MIGRATIONS) + 1):
        found.violate(where, f"{len({*ids} - there)} lost, {state}")
    if "The later version goes on" not in texts:
        found.violate(where, "the later version could not write")


def _newer(path: str) -> None:
    """A later version of this program opens the store, upgrades it and writes."""
    later = (*MIGRATIONS, step_a_column)
    for module in (migrations, schema, stamps, store):
        vars(module)["VERSION"] = len(later)
    migrations.migrate.__defaults__ = (later,)
    with _open(path) as bird:
        bird.remember("The later version goes on")
