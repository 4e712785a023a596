"""A clock that is a day behind, then a year ahead, then right again, while the store is used."""

import os

from faults.found import Found
from faults.mixed import START, opened

DAY = 86_400_000
# The times of the clock, from the right one on, and the memories written at each.
JUMPS = (0, -DAY, 366 * DAY, 0)
TOLD = 8


def clocks(folder: str, count: int, seed: int) -> Found:
    """Stores, each used under every jump of the clock."""
    found = Found("clocks", seed)
    for number in range(count):
        path = os.path.join(folder, f"clocks{number}", "memory.db")
        os.makedirs(os.path.dirname(path))
        _jumps(found, f"store {number}", path)
        found.progress(number + 1, count)
    return found


def _jumps(found: Found, where: str, path: str) -> None:
    now = START
    ids: list[str] = []
    with opened(path, lambda: now) as bird:
        bird.admin.prune_if_due(DAY / 1000)
        first = ""
        for jump in JUMPS:
            now += jump
            for _ in range(TOLD):
                now += 1_000
                text = f"The valve of heron {len(ids)} is kept in the attic"
                ids.append(bird.remember(text).id)
            first = first or ids[0]
            tag = f"tag{len(ids)}"
            bird.remember("The valve of heron 0 is kept in the attic", tags=[tag])
            stamps = [version.hlc for version in bird.history(first).versions]
            if stamps != sorted(stamps):
                found.violate(where, f"versions out of order after {jump} ms: {stamps}")
            bird.revert(first)
            if tag in bird.get(first).tags:
                found.violate(where, f"after {jump} ms not the last change was taken back")
            # As the server does by itself, several times.
            gone = [bird.admin.prune_if_due(DAY / 1000) for _ in range(3)]
            left = sum(len(one.leaving) for one in gone if one)
            found.count("pruned", left)
            if left:
                found.violate(
                    where, f"{left} memories were pruned after the clock moved by {jump} ms"
                )
            now -= jump
        there = [entry.id for entry in bird.list(memories_only=True, limit=1_000)]
        found.count("memories", len(ids))
        if ids != sorted(ids) or {*there} != {*ids}:
            found.violate(where, "ids do not ascend, or memories are gone")
