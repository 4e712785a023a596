"""SIGKILL during mixed writes: acknowledged writes persist, an unfinished one is whole or absent."""

import json
import os
import random
from typing import Any

from faults.found import Found
from faults.mixed import Act, Choice, Expected, contents, do, judged, opened, sound
from faults.process import MOMENTS, Child, Dying

# Kills of one store before the next one is begun.
A_STORE = 50
# After this many kills the product's own check reads every row.
LOOKED = 5
# Operations of the disk that a verb takes, about; a process runs a few verbs.
_OPERATIONS = 500
# One kill of three comes from outside, after some acknowledgements and up to this many seconds.
_ACKS = 6
_SECONDS = 0.03


def kills(folder: str, count: int, seed: int) -> Found:
    """Kills during curate, link, forget, revert, prune, tags and small indexings."""
    found = Found("kills", seed)
    expected, path = Expected(), ""
    for number in range(count):
        if number % A_STORE == 0:
            expected, path = Expected(), os.path.join(folder, f"kills{number}", "memory.db")
            os.makedirs(os.path.dirname(path))
        where = f"seed {seed} kill {number}"
        expected, under_way = _one(found, where, path, expected)
        there = contents(path, expected.now) if os.path.exists(path) else {}
        expected, wrong = judged(there, expected, under_way)
        found.count("under_way", under_way is not None)
        for one in wrong:
            found.violate(where, one)
        if number % LOOKED == 0 and os.path.exists(path):
            found.count("verified")
            for one in sound(path):
                found.violate(where, one)
        if wrong:
            expected, path = Expected(), os.path.join(folder, f"kills{number}again", "memory.db")
            os.makedirs(os.path.dirname(path))
        found.count("kills")
        found.progress(number + 1, count)
    return found


def _one(found: Found, where: str, path: str, expected: Expected) -> tuple[Expected, Act | None]:
    """One process until it ends: what it acknowledged, and the act that was under way."""
    draw = random.Random(where)  # noqa: S311
    choice = Choice(where, os.path.join(os.path.dirname(path), "notes"))
    acks = draw.randrange(_ACKS)
    within = draw.randrange(3)
    dying = Dying(draw.randrange(1, _OPERATIONS), draw.choice(MOMENTS)) if within else None
    seconds = draw.random() * _SECONDS
    acknowledged = 0

    def work(report: Any) -> None:
        mine = expected.copy()
        with opened(path, lambda: mine.now) as bird:
            while True:
                act = choice.next(mine)
                report(json.dumps({"begins": act}))
                mine.now = act["now"]
                made = do(bird, act)
                report(json.dumps({"made": made}))
                mine.after(act, made)

    def until(line: str) -> float | None:
        nonlocal acknowledged
        acknowledged += line.startswith('{"made"')
        return seconds if dying is None and acknowledged >= acks else None

    child = Child(work, dying)
    under_way: Act | None = None
    for line in child.lines(until):
        said = json.loads(line)
        if "begins" in said:
            under_way = said["begins"]
        elif under_way is not None:
            expected.after(under_way, said["made"])
            under_way = None
            found.count("acknowledged")
    if not child.killed:
        found.violate(where, "the writer ended by itself")
    return expected, under_way
