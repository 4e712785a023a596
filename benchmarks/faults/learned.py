"""Power cuts while sessions are learned from and memories erased.

What a finished `learn` kept is there after any cut, and an unfinished one is finished by the next: the
digest of a session is never there before its memories. What was erased is not back, neither in a list
nor in the bytes of the file.
"""

import json
import os
import random
import shutil
from typing import Any, NamedTuple

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.file import connection as sqlite
from faults.found import Found
from faults.layer import Layer
from faults.mixed import START, opened, sound
from faults.powercuts import FULL, NORMAL, Disk, Recording, put

# Rounds of one recording: each writes, learns and erases once.
ROUNDS = 8
A_RECORDING = 50
# After this many cuts the product's own check reads every row.
LOOKED = 10
_NAMES = "otter marten kestrel plover avocet weasel bittern merlin".split()


class Act(NamedTuple):
    """A verb, the text that it concerns, and the operations before and after it."""

    verb: str
    text: str
    began: int
    done: int


def learned_cuts(folder: str, count: int, seed: int) -> Found:
    """Cuts during learning and erasing, and a quarter of that number as the control, which must lose."""
    found = Found("learned cuts", seed)
    _cuts(found, os.path.join(folder, "learned"), count, seed, "cuts", "lost")
    sqlite.FULL = NORMAL
    try:
        control = max(count // 4, 20)
        _cuts(found, os.path.join(folder, "control"), control, seed, "control_cuts", "control_lost")
    finally:
        sqlite.FULL = FULL
    if not found.figures["control_lost"]:
        found.violate("control", "synchronous = NORMAL lost nothing: the cuts show nothing")
    return found


def _cuts(found: Found, folder: str, count: int, seed: int, name: str, lost: str) -> None:
    found.count(lost, 0)
    for begin in range(0, count, A_RECORDING):
        path = os.path.join(folder, str(begin), "memory.db")
        os.makedirs(os.path.dirname(path))
        recording, acts = _record(path)
        found.count("operations", len(recording.operations))
        draw = random.Random(f"{seed} {begin}")  # noqa: S311
        with open(path + ".begin", "rb") as file:
            disk = Disk({path: file.read()})
        some = min(A_RECORDING, count - begin)
        points = sorted(draw.randrange(1, len(recording.operations) + 1) for _ in range(some))
        taken = 0
        for number, point in enumerate(points):
            for one in recording.operations[taken:point]:
                disk.take(one)
            taken = point
            put(path, disk.cut(draw))
            where = f"seed {seed} {name} {begin + number} after operation {point}"
            try:
                wrong = _wrong(path, acts, point, look=number % LOOKED == 0)
            except Exception as error:  # noqa: BLE001 a store that cannot be opened is the worst of all
                wrong = [f"{type(error).__name__}: {error}"]
            found.count(name)
            found.count(lost, bool(wrong))
            for what in wrong if name == "cuts" else ():
                found.violate(where, what)
        found.progress(begin + some, count)
        shutil.rmtree(os.path.dirname(path))


def _record(path: str) -> tuple[Recording, list[Act]]:
    """Memories are written, learned and erased, each operation of the disk recorded."""
    with _bird(path) as bird:
        bird.remember("The first one stands before all others")
    shutil.copyfile(path, path + ".begin")
    recording, acts = Recording(), []
    layer = Layer(recording)
    try:
        with _bird(path) as bird:
            for number in range(ROUNDS):
                text = _text("sieve", number)
                for verb in ("remember", "learn", "erase"):
                    began = len(recording.operations)
                    told = _act(bird, path, verb, number, text)
                    acts.append(Act(verb, told, began, len(recording.operations)))
    finally:
        layer.close()
    return recording, acts


def _act(bird: Bowerbird, path: str, verb: str, number: int, text: str) -> str:
    """Do one; returns the text that comes or goes."""
    if verb == "learn":
        bird.admin.learn(_session(path, number))
        return _text("anvil", number)
    if verb == "remember":
        bird.remember(text)
    else:
        # Every second one is a learned memory, which the digest of its session quotes.
        text = _text("anvil", number) if number % 2 else text
        bird.admin.erase([entry.id for entry in _memories(bird) if text in entry.text])
    return text


def _text(thing: str, number: int) -> str:
    return f"The {thing} of the {_NAMES[number]} is kept in foundry {number * 7}"


def _session(path: str, number: int) -> str:
    """The transcript of a session in which a person asks for something to be remembered."""
    folder = os.path.join(os.path.dirname(path), "sessions")
    os.makedirs(folder, exist_ok=True)
    name = os.path.join(folder, f"s{number}.jsonl")
    said = (("user", f"Remember that {_text('anvil', number)}."), ("assistant", "I shall."))
    with open(name, "w", encoding="utf-8") as file:
        for line, (kind, text) in enumerate(said):
            record = {"type": kind, "uuid": f"{number}-{line}", "sessionId": f"s{number}"}
            record |= {"cwd": folder, "timestamp": f"2026-01-{number + 1:02d}T10:00:0{line}Z"}
            file.write(json.dumps(record | {"message": {"role": kind, "content": text}}) + "\n")
    return name


def _memories(bird: Bowerbird) -> Any:
    return bird.list(memories_only=True, limit=1_000, all_projects=True)


def _bird(path: str) -> Bowerbird:
    return opened(path, lambda: START)


def _wrong(path: str, acts: list[Act], point: int, *, look: bool) -> list[str]:
    """What is wrong with the remaining store, and with the next `learn` on it."""
    there: dict[str, bool | None] = {}
    unfinished = -1
    for number, act in enumerate(acts):
        if point >= act.done:
            there[act.text] = act.verb != "erase"
        elif point >= act.began:
            there[act.text] = None  # under way: it happened or it did not
            unfinished = number // 3 if act.verb == "learn" else -1
    with _bird(path) as bird:
        texts = [entry.text for entry in _memories(bird)]
        if unfinished >= 0:
            bird.admin.learn(_session(path, unfinished))
            again = [entry.text for entry in _memories(bird)]
            if not any(text.startswith(_text("anvil", unfinished)) for text in again):
                return [f"session {unfinished} is not learned by the next run"]
    wrong = [
        f"{'lost' if kept else 'back'}: {text}"
        for text, kept in there.items()
        if kept is not None and any(one.startswith(text) for one in texts) is not kept
    ]
    gone = [text for text, kept in there.items() if kept is False]
    wrong += [f"in the bytes of the file: {text}" for text in gone if _in_bytes(path, text)]
    return wrong + (sound(path) if look and not wrong else [])


def _in_bytes(path: str, text: str) -> bool:
    for suffix in ("", "-wal"):
        if os.path.exists(path + suffix):
            with open(path + suffix, "rb") as file:
                if text.encode() in file.read():
                    return True
    return False
