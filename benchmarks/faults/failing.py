"""An I/O error and a full disk at each operation of the disk, once and from then on.

Remember, index, forget and query run on a store; in each run the next operation of the disk fails. A
failure raises an error of the tree with a remedy, no acknowledged write is lost, a failed write happened
wholly or not at all, and once the disk works again, the next write succeeds.
"""

import os
import shutil
from contextlib import suppress
from typing import Any

import apsw

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError
from bowerbird.storage.sqlite.file.connection import StoreConnection
from faults.found import Found
from faults.layer import Layer, Operation
from faults.mixed import FILES, Act, Expected, contents, do, judged, opened, sound

# What a failing disk says of each operation; a full one only refuses what needs room.
_FAILS = {
    "read": apsw.SQLITE_IOERR_READ,
    "write": apsw.SQLITE_IOERR_WRITE,
    "sync": apsw.SQLITE_IOERR_FSYNC,
    "truncate": apsw.SQLITE_IOERR_TRUNCATE,
    "size": apsw.SQLITE_IOERR_FSTAT,
    "delete": apsw.SQLITE_IOERR_DELETE,
    "look": apsw.SQLITE_IOERR_ACCESS,
    "lock": apsw.SQLITE_IOERR_LOCK,
    "open": apsw.SQLITE_CANTOPEN,
}
_ROOM = {"write"}
# After this many points the product's own check reads every row.
LOOKED = 20


class Failing:
    """Fails the n-th operation that may fail, or all from that one on."""

    def __init__(self, *, full: bool) -> None:
        self.full = full
        self.number = 0
        self.lasting = False
        self.seen = 0
        self.failed: Operation | None = None

    def __call__(self, operation: Operation, run: Any) -> Any:
        """Run an operation, or fail as the disk does."""
        if self.full and operation.kind not in _ROOM:
            return run()
        self.seen += 1
        if self.number and (self.seen == self.number or (self.lasting and self.seen > self.number)):
            self.failed = self.failed or operation
            raise self._error(operation)
        return run()

    def _error(self, operation: Operation) -> Exception:
        if self.full:
            return apsw.FullError("the disk is full")
        if operation.kind == "open":
            return apsw.CantOpenError("the disk fails")
        error: Any = apsw.IOError("the disk fails")
        error.result, error.extendedresult = apsw.SQLITE_IOERR, _FAILS[operation.kind]
        failure: Exception = error
        return failure


class _Quiet:
    """SQLite ignores failures while it closes a file; apsw would report those of a layer in Python."""

    def __enter__(self) -> None:
        self._close = StoreConnection.close

        def close(connection: StoreConnection, force: bool = False) -> None:
            with suppress(apsw.Error):
                self._close(connection, force)

        StoreConnection.close = close  # type: ignore[method-assign, assignment]

    def __exit__(self, *raised: object) -> None:
        del StoreConnection.close


def failing(folder: str, every: int, seed: int) -> Found:
    """Each point where a disk may fail, or every n-th of them."""
    with _Quiet():
        return _failing(folder, every, seed)


def _failing(folder: str, every: int, seed: int) -> Found:
    found = Found("failing disk", seed)
    path = os.path.join(folder, "failing", "memory.db")
    begun = _begun(path)
    for full in (False, True):
        for lasting in (False, True):
            total = _run(found, path, begun, Failing(full=full), "all is well")
            number = 1 + seed % every
            while number <= total:
                layer = Failing(full=full)
                layer.number, layer.lasting = number, lasting
                kind = "full" if full else "error"
                where = f"{kind} {'from' if lasting else 'at'} operation {number}{' on' * lasting}"
                _run(found, path, begun, layer, where)
                found.count(f"{kind}{'_lasting' if lasting else '_once'}")
                found.progress(number, total)
                number += every
    return found


def _begun(path: str) -> Expected:
    """A filled store, copied for each run."""
    os.makedirs(os.path.dirname(path))
    expected = Expected()
    for act in _acts(path, expected, begin=True):
        with opened(path, lambda: expected.now) as bird:
            expected.after(act, do(bird, act))
    shutil.copyfile(path, path + ".begin")
    return expected


def _acts(path: str, expected: Expected, *, begin: bool = False) -> list[Act]:
    """The acts that fill the store, or that run while the disk fails."""
    notes = os.path.join(os.path.dirname(path), "notes")
    files = [os.path.join(notes, f"{n}.md") for n in range(FILES)]
    again: Act = {"verb": "remember", "tags": ["tools"], "now": expected.now, "number": 0}
    index: Act = {"verb": "index", "files": files, "now": expected.now, "number": 0}
    if begin:
        texts = [f"The valve of heron {n} is kept in the attic" for n in range(8)]
        return [*({**again, "text": text} for text in texts), {**index, "word": "word1"}]
    first = expected.alive()[0]
    return [
        {**again, "text": "The anvil of marten 90 is kept in the foundry"},
        {**index, "word": "word2"},
        {"verb": "forget", "id": first, "now": expected.now, "number": 0},
    ]


def _run(found: Found, path: str, begun: Expected, fails: Failing, where: str) -> int:
    """Run the acts on a failing disk; returns the number of operations."""
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    shutil.copyfile(path + ".begin", path)
    expected = begun.copy()
    layer = Layer(fails)
    bird = opened(path, lambda: expected.now)
    try:
        for act in _acts(path, begun):
            acted = _try(found, where, lambda act=act: do(bird, act))
            expected = _after(found, where, fails, path, expected, act, acted)
        _try(found, where, lambda: bird.query("which anvil is in the foundry"))
        if fails.number and fails.failed is None:
            found.count("beyond")
        last = fails.seen
        fails.number = 0
        _heals(found, where, bird, expected)
    finally:
        fails.number = 0
        bird.close()
        layer.close()
    _, wrong = judged(contents(path, expected.now), expected, None)
    if last % LOOKED == 0:
        wrong += sound(path)
    for one in wrong:
        found.violate(where, one)
    return last


def _try(found: Found, where: str, verb: Any) -> tuple[bool, str | None]:
    """Run an act; returns whether it was acknowledged, and the new id. Other errors than ours fail."""
    try:
        done = verb()
    except BowerbirdError as error:
        found.count(type(error).__name__)
        if not error.remedy:
            found.violate(where, f"{error.message}: without a remedy")
        return False, None
    except Exception as error:  # noqa: BLE001 what is not ours is what is looked for
        found.violate(where, f"{type(error).__name__}: {error}")
        return False, None
    return True, done if isinstance(done, str) else None


def _after(
    found: Found,
    where: str,
    fails: Failing,
    path: str,
    expected: Expected,
    act: Act,
    acted: tuple[bool, str | None],
) -> Expected:
    """The expected content: an act that failed happened wholly or not at all."""
    done, made = acted
    if done:
        found.count("acknowledged")
        expected.after(act, made)
        return expected
    number, fails.number = fails.number, 0
    before = expected.copy()
    try:
        expected, wrong = judged(contents(path, expected.now), expected, act)
    finally:
        fails.number = number
    for one in wrong:
        found.violate(where, one)
    found.count("failed_and_kept", expected.items() != before.items())
    return expected


def _heals(found: Found, where: str, bird: Bowerbird, expected: Expected) -> None:
    """Once the disk works, the next write in the same process succeeds."""
    act: Act = {"verb": "remember", "tags": [], "now": expected.now, "number": 0}
    act["text"] = "The sieve of plover 7 is kept in the granary"
    done, made = _try(found, where, lambda: do(bird, act))
    if done:
        expected.after(act, made)
    else:
        found.violate(where, "the next write fails although the disk works")
