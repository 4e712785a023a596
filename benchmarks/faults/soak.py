"""Hours of mixed work in one process: its memory, files and threads, and the length of its log.

Memories are written, queried, forgotten and permanently pruned; the clock advances an hour per act, so
that the store keeps its size except for the audit: what grows is a leak.

Before measuring, all bounded caches are filled: with as many words as the process keeps, and by as many
acts as it keeps texts, several times the life of the first memory.
"""

import json
import os
import random
import time
from typing import Any

from bowerbird import Bowerbird
from bowerbird.models.embed.static import CACHED_WORDS
from faults.found import Found
from faults.mixed import FILES, HOUR, START, write_notes
from faults.process import Child

# Acts of warm-up: each reads one or two texts, of which `core.text.spaced` caches 4,096, and a memory is
# deleted permanently after 31 days of 24 acts.
WARM_ACTS = 8_192
# The different words of a document that is indexed first. The embedder caches a thousand more and then
# drops all of them: after that a process needs 20 MB less, and grows by them again.
_FILLING = CACHED_WORDS - 1_000
# The maximum growth of memory afterwards, and the maximum length of the log at any time.
GROWTH, LONGEST_LOG = 0.05, 64_000_000
# Measurements over the whole time.
_LOOKS = 100
# The number of active memories, about.
_MANY = 300
_REMOVED_AFTER = 31 * 24
_PAGE = os.sysconf("SC_PAGE_SIZE")


def soak(folder: str, minutes: int, seed: int) -> Found:
    """Minutes of work after the warm-up."""
    found = Found("soak", seed)
    path = os.path.join(folder, "soak", "memory.db")
    os.makedirs(os.path.dirname(path))
    child = Child(lambda report: _work(path, minutes * 60, seed, report))
    looks = []
    for line in child.lines():
        looks.append(json.loads(line))
        found.progress(min(int(looks[-1]["seconds"] / 60), minutes), minutes)
    if len(looks) < 4:  # noqa: PLR2004 a first and a last quarter
        found.violate("soak", f"only {len(looks)} looks after the warm-up")
        return found
    for tenth in range(1, 11):
        found.count(f"rss_at_{tenth * 10}_percent", looks[len(looks) * tenth // 10 - 1]["rss"])
    quarter = len(looks) // 4
    for name in ("rss", "descriptors", "threads"):
        begin = sum(one[name] for one in looks[:quarter]) / quarter
        end = sum(one[name] for one in looks[-quarter:]) / quarter
        found.count(f"{name}_before", round(begin, 1))
        found.count(f"{name}_after", round(end, 1))
        if end > begin * (1 + GROWTH if name == "rss" else 1) + (name != "rss") * 0.5:
            found.violate("soak", f"{name} grew from {begin:.0f} to {end:.0f}")
    found.count("acts", looks[-1]["acts"])
    found.count("longest_log", max(one["log"] for one in looks))
    found.count("memories", looks[-1]["memories"])
    if found.figures["longest_log"] > LONGEST_LOG:
        found.violate("soak", f"the log grew to {found.figures['longest_log']:.0f} bytes")
    return found


def _work(path: str, seconds: float, seed: int, report: Any) -> None:
    draw = random.Random(seed)  # noqa: S311
    notes = os.path.join(os.path.dirname(path), "notes")
    files = [os.path.join(notes, f"{n}.md") for n in range(FILES)]
    now, acts, looks, spent = START, 0, 0, 0.0
    alive: list[str] = []
    began = 0.0
    with Bowerbird.open(path, project="shop", clock=lambda: now, resident=True) as bird:
        _fill(bird, os.path.join(os.path.dirname(path), "filling.md"))
        while spent < seconds:
            now += HOUR
            acts += 1
            what = draw.random()
            if what < 0.4 or len(alive) < 2:  # noqa: PLR2004
                text = f"The valve of heron {acts} is kept in the attic of {draw.randrange(999)}"
                alive.append(bird.remember(text).id)
            elif what < 0.9:  # noqa: PLR2004
                bird.query(f"where is the valve of heron {draw.randrange(acts)}")
            else:
                write_notes({"files": files, "word": f"word{acts}"})
                bird.index(notes)
            while len(alive) > _MANY:
                bird.forget(alive.pop(0), actor="user")
            if acts % _REMOVED_AFTER == 0:
                bird.prune(threshold=0.0)
            if acts == WARM_ACTS:
                began = time.monotonic()
            spent = time.monotonic() - began if began else 0.0
            if began and spent >= seconds * looks / _LOOKS:
                looks += 1
                report(json.dumps({"seconds": spent, "acts": acts, **_taken(path, bird)}))


def _fill(bird: Bowerbird, path: str) -> None:
    """Index as many different words as are ever cached, and remove them from the store again."""
    with open(path, "w", encoding="utf-8") as file:
        for start in range(0, _FILLING, 200):
            words = (f"w{number:x}" for number in range(start, start + 200))
            file.write(f"# Part {start}\n\n{' '.join(words)}\n\n")
    bird.index(path)
    os.unlink(path)
    bird.index(path)


def _taken(path: str, bird: Bowerbird) -> dict[str, float]:
    """The resources that the process uses now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        rss = int(file.read().split()[1]) * _PAGE
    log = path + "-wal"
    return {
        "rss": rss,
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": len(os.listdir("/proc/self/task")),
        "log": os.path.getsize(log) if os.path.exists(log) else 0,
        "memories": len(bird.list(memories_only=True, limit=10_000)),
    }
