"""Power cuts: data that was not synced may be on the disk, wholly, in part or not at all.

The engine writes through a layer that records each write. The power fails after any of them: synced data
persists, and each sector written since is new, old or garbage; names of files that were created or
deleted since their folder was synced are the old ones or the new ones. The engine then opens what is left
as after any start.

As a control the same runs with `synchronous = NORMAL`, which does not sync the log at a commit:
acknowledged writes must be lost there, or the cuts would prove nothing.
"""

import os
import random
import shutil
from typing import Any

from bowerbird.storage.sqlite.file import connection as sqlite
from faults.found import Found
from faults.layer import Layer, Operation
from faults.mixed import Act, Choice, Expected, contents, do, judged, opened, sound

SECTOR = 512
# Cuts of one recording before the next recording.
A_RECORDING = 100
# Acts of one recording, and after how many each time the store is closed, which folds the log back: in
# every second recording never, so that the log grows until a commit folds it back.
ACTS = 60
CLOSED = 12
# After this many cuts the product's own check reads every row.
LOOKED = 10
NORMAL = 1
FULL = 2
# What a cut does to what was not synced: the share of sectors that are written, and of rubbish among
# the others.
_MANNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, 0.0), (0.5, 0.2), (0.9, 0.1))


class Recording:
    """The operations of the disk, and when each act was acknowledged."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        # After how many operations an act began and was acknowledged, and the content expected before.
        self.acts: list[tuple[int, int, Act, Expected]] = []
        self.expected = Expected()

    def __call__(self, operation: Operation, run: Any) -> Any:
        """Run an operation, and record it."""
        there = operation.kind != "open" or os.path.exists(operation.path)
        done = run()
        if operation.kind in {"write", "truncate", "sync", "delete"} or not there:
            self.operations.append(operation)
        return done


def record(path: str, seed: str, closed: int) -> Recording:
    """Mixed writes to a new store, recorded from its creation on."""
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
    """Files as a disk has them: what was synced, and what was written since."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._safe = {name: bytearray(data) for name, data in files.items()}
        # By file, not by name: a deleted name may be used again.
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
        """The files after the power failure."""
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
    """Cuts with the engine's own setting, and a quarter of that number as the control."""
    found = Found("power cuts", seed)
    control = max(count // 4, 20)
    _cuts(found, os.path.join(folder, "full"), count, seed, "cuts", "lost")
    sqlite.FULL = NORMAL
    try:
        _cuts(found, os.path.join(folder, "normal"), control, seed, "control_cuts", "control_lost")
    finally:
        sqlite.FULL = FULL
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
            put(path, left)
            before, under_way = _at(recording, point)
            wrong = _wrong(path, before, under_way, look=number % LOOKED == 0)
            found.count(name)
            if wrong:
                found.count(lost)
            if wrong and name == "cuts":
                found.violate(where, "; ".join(wrong))
            found.progress(begin + number + 1, count)
        shutil.rmtree(os.path.dirname(path))


def put(path: str, files: dict[str, bytes]) -> None:
    """Write the files, without those that a start discards: shared memory, notes of uses."""
    for suffix in ("-wal", "-shm", "-journal", ".usage", ".usage.taken"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    for name, data in files.items():
        with open(name, "wb") as file:
            file.write(data)


def _at(recording: Recording, point: int) -> tuple[Expected, Act | None]:
    """What was acknowledged after a number of operations, and what was under way."""
    for began, acknowledged, act, before in recording.acts:
        if point < acknowledged:
            return before.copy(), act if point > began else None
    return recording.expected.copy(), None


def _wrong(path: str, before: Expected, under_way: Act | None, *, look: bool) -> list[str]:
    """What is wrong with the remaining store."""
    try:
        there = contents(path, before.now)
        _, wrong = judged(there, before, under_way)
        if look and not wrong:
            wrong = sound(path)
    except Exception as error:  # noqa: BLE001 a store that cannot be opened is the worst of all
        return [f"{type(error).__name__}: {error}"]
    return wrong or []
