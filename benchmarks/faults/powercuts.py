"""Cuts of power: whatever was not synced yet may be on the disk, may not, or may be there in part.

The engine works through a layer that notes each write. Then the power fails after any of them: what was
synced stands, and of everything since each sector was written, was not, or holds rubbish; names of files
that were made or deleted since their folder was synced are the old ones or the new ones. What is left is
opened by the engine as after any start.

As a control the same is done with `synchronous = NORMAL`, which syncs no log at a commit: acknowledged
writes must be lost there, or the cuts would show nothing.
"""

import os
import random
import shutil
from typing import Any

from bowerbird.storage.sqlite import connection as sqlite
from faults.found import Found
from faults.layer import Layer, Operation
from faults.mixed import Act, Choice, Expected, contents, do, judged, opened, sound

SECTOR = 512
# Cuts of one recording before the next one is made.
A_RECORDING = 100
# Acts of one recording, and after how many each time the store is closed, which folds the log back: in
# every second recording never, so that the log grows until a commit folds it back.
ACTS, CLOSED = 60, 12
# Every so many cuts the product's own check looks at every row.
LOOKED = 10
_NORMAL, _FULL = 1, 2
# What a cut does to what was not synced: the share of sectors that are written, and of rubbish among
# the others.
_MANNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, 0.0), (0.5, 0.2), (0.9, 0.1))


class Recording:
    """What was asked of the disk, and which acts were acknowledged when."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        # After so many operations an act began, and was acknowledged; with what was expected before it.
        self.acts: list[tuple[int, int, Act, Expected]] = []
        self.expected = Expected()

    def __call__(self, operation: Operation, run: Any) -> Any:
        """Carry an operation out, and note it."""
        there = operation.kind != "open" or os.path.exists(operation.path)
        done = run()
        if operation.kind in {"write", "truncate", "sync", "delete"} or not there:
            self.operations.append(operation)
        return done


def record(path: str, seed: str, closed: int) -> Recording:
    """Mixed writes to a new store, noted from the moment on at which it stands."""
    recording = Recording()
    expected = recording.expected
    choice = Choice(seed, os.path.join(os.path.dirname(path), "notes"))
    begin = choice.next(expected)
    with opened(path, lambda: expected.now) as bird:
        expected.after(begin, do(bird, begin))
    shutil.copyfile(path, path + ".begin")
    layer = Layer(recording)
    try:
        for _ in range(ACTS // closed):
            with opened(path, lambda: expected.now) as bird:
                for _ in range(closed):
                    act = choice.next(expected)
                    before, began = expected.copy(), len(recording.operations)
                    expected.now = act["now"]
                    made = do(bird, act)
                    recording.acts.append((began, len(recording.operations), act, before))
                    expected.after(act, made)
    finally:
        layer.close()
    return recording


class Disk:
    """Files as a disk holds them: what is safe, and what was written since."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._safe = {name: bytearray(data) for name, data in files.items()}
        # By file, not by name: a deleted one may come back.
        self._names = {name: name for name in files}
        self._safe_names = dict(self._names)
        self._since: dict[str, list[Operation]] = {}
        self._made = 0

    def take(self, one: Operation) -> None:
        """One more operation."""
        if one.kind == "open":
            self._made += 1
            self._names[one.path] = f"{one.path} {self._made}"
            self._safe[self._names[one.path]] = bytearray()
        elif one.kind == "delete":
            self._names.pop(one.path, None)
            if one.offset:
                self._safe_names = dict(self._names)
        elif one.path not in self._names:
            return  # deleted while it was open
        elif one.kind == "sync":
            file = self._names[one.path]
            for earlier in self._since.pop(file, ()):
                _apply(self._safe[file], earlier, None, (1.0, 0.0))
            if file != one.path:  # the first sync of a log brings its name to the disk
                self._safe_names = dict(self._names)
        else:
            self._since.setdefault(self._names[one.path], []).append(one)

    def cut(self, draw: random.Random) -> dict[str, bytes]:
        """What is there when the power is back."""
        manner = draw.choice(_MANNERS)
        files = {}
        for name in {*self._safe_names, *self._names}:
            file = draw.choice((self._safe_names, self._names)).get(name)
            if file is None:
                continue
            data = bytearray(self._safe[file])
            for one in self._since.get(file, ()):
                _apply(data, one, draw, manner)
            files[name] = bytes(data)
        return files


def _apply(
    data: bytearray, one: Operation, draw: random.Random | None, manner: tuple[float, float]
) -> None:
    written, rubbish = manner
    if one.kind == "truncate":
        if draw is None or draw.random() < written:
            del data[one.offset :]
        return
    end = one.offset + len(one.data)
    at = one.offset
    while at < end:
        until = min(end, (at // SECTOR + 1) * SECTOR)
        some = one.data[at - one.offset : until - one.offset]
        if draw is not None and draw.random() >= written:
            some = draw.randbytes(len(some)) if draw.random() < rubbish else b""
        if some:
            if len(data) < at:
                data.extend(bytes(at - len(data)))
            data[at : at + len(some)] = some
        at = until


def power_cuts(folder: str, count: int, seed: int) -> Found:
    """So many cuts with the engine's own setting, and a quarter as many as the control."""
    found = Found("power cuts", seed)
    control = max(count // 4, 20)
    _cuts(found, os.path.join(folder, "full"), count, seed, "cuts", "lost")
    sqlite.FULL = _NORMAL
    try:
        _cuts(found, os.path.join(folder, "normal"), control, seed, "control_cuts", "control_lost")
    finally:
        sqlite.FULL = _FULL
    if not found.figures.get("control_lost"):
        found.violate("control", "synchronous = NORMAL lost nothing: the cuts show nothing")
    return found


def _cuts(found: Found, folder: str, count: int, seed: int, name: str, lost: str) -> None:
    found.count(lost, 0)
    for begin in range(0, count, A_RECORDING):
        path = os.path.join(folder, str(begin), "memory.db")
        os.makedirs(os.path.dirname(path))
        closed = ACTS if begin // A_RECORDING % 2 else CLOSED
        recording = record(path, f"seed {seed} recording {begin}", closed)
        found.count("operations", len(recording.operations))
        with open(path + ".begin", "rb") as file:
            disk = Disk({path: file.read()})
        some = min(A_RECORDING, count - begin)
        draw = random.Random(f"{seed} {begin}")  # noqa: S311
        points = sorted(draw.randrange(1, len(recording.operations) + 1) for _ in range(some))
        taken = 0
        for number, point in enumerate(points):
            for one in recording.operations[taken:point]:
                disk.take(one)
            taken = point
            where = f"seed {seed} {name} {begin + number} after operation {point}"
            left = disk.cut(draw)
            _put(path, left)
            before, under_way = _at(recording, point)
            wrong = _wrong(path, before, under_way, look=number % LOOKED == 0)
            found.count(name)
            if wrong:
                found.count(lost)
            if wrong and name == "cuts":
                found.violate(where, "; ".join(wrong))
            found.progress(begin + number + 1, count)
        shutil.rmtree(os.path.dirname(path))


def _put(path: str, files: dict[str, bytes]) -> None:
    """Put the files in place, without what does not outlive a start: shared memory, notes of uses."""
    for suffix in ("-wal", "-shm", "-journal", ".usage", ".usage.taken"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    for name, data in files.items():
        with open(name, "wb") as file:
            file.write(data)


def _at(recording: Recording, point: int) -> tuple[Expected, Act | None]:
    """What was acknowledged after so many operations, and what was under way."""
    for began, acknowledged, act, before in recording.acts:
        if point < acknowledged:
            return before.copy(), act if point > began else None
    return recording.expected.copy(), None


def _wrong(path: str, before: Expected, under_way: Act | None, *, look: bool) -> list[str]:
    """What of the store that is left breaks the promise."""
    try:
        there = contents(path, before.now)
        _, wrong = judged(there, before, under_way)
        if look and not wrong:
            wrong = sound(path)
    except Exception as error:  # noqa: BLE001 a store that cannot be opened is the worst of all
        return [f"{type(error).__name__}: {error}"]
    return wrong or []
