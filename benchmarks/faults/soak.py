"""Hours of mixed work in one process: its memory, files, threads and log, and what it holds.

Memories are written, queried, forgotten and permanently pruned; the clock advances an hour per act, so
that the store keeps its size except for the audit: what grows is a leak. At each look the store must
hold every memory that was acknowledged and not forgotten, no other one, and the last state of the notes;
at the end the product's own check reads every row.

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
GROWTH = 0.05
LONGEST_LOG = 64_000_000
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
    looks, ended = [], False
    for line in child.lines():
        said = json.loads(line)
        if "violation" in said:
            found.violate("soak", said["violation"])
        elif "ended" in said:
            ended = True
        else:
            looks.append(said)
            found.progress(min(int(said["seconds"] / 60), minutes), minutes)
    if not ended:
        found.violate("soak", "an error ended the work; it is on standard error")
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
    found.count("minutes", round(looks[-1]["seconds"] / 60, 1))
    found.count("acts", looks[-1]["acts"])
    found.count("acknowledged", looks[-1]["acknowledged"])
    found.count("store_before", looks[0]["store"])
    found.count("store_after", looks[-1]["store"])
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
    # What was acknowledged and not forgotten: the texts of memories by id, in order.
    alive: dict[str, str] = {}
    acknowledged, word = 0, ""
    began = 0.0
    with Bowerbird.open(path, project="shop", clock=lambda: now, resident=True) as bird:
        _fill(bird, os.path.join(os.path.dirname(path), "filling.md"))
        while spent < seconds:
            now += HOUR
            acts += 1
            what = draw.random()
            if what < 0.4 or len(alive) < 2:  # noqa: PLR2004
                text = f"The valve of heron {acts} is kept in the attic of {draw.randrange(999)}"
                alive[bird.remember(text).id] = text
                acknowledged += 1
            elif what < 0.9:  # noqa: PLR2004
                bird.query(f"where is the valve of heron {draw.randrange(acts)}")
            else:
                word = f"word{acts}"
                write_notes({"files": files, "word": word})
                bird.index(notes)
                acknowledged += 1
            while len(alive) > _MANY:
                oldest = next(iter(alive))
                bird.forget(oldest, actor="user")
                del alive[oldest]
                acknowledged += 1
            if acts % _REMOVED_AFTER == 0:
                bird.prune(threshold=0.0)
            if acts == WARM_ACTS:
                began = time.monotonic()
            spent = time.monotonic() - began if began else 0.0
            if began and spent >= seconds * looks / _LOOKS:
                looks += 1
                did = {"seconds": spent, "acts": acts, "acknowledged": acknowledged}
                report(json.dumps({**did, **_taken(path, bird)}))
                for one in _lost(bird, alive, word):
                    report(json.dumps({"violation": f"after act {acts}: {one}"}))
    with Bowerbird.open(path, project="shop", clock=lambda: now) as bird:
        damages = [f"{one.hurt} {one.entry}: {one.told}" for one in bird.admin.verify().damages]
        for one in _lost(bird, alive, word) + damages:
            report(json.dumps({"violation": f"opened again: {one}"}))
    report(json.dumps({"ended": acts}))


def _lost(bird: Bowerbird, alive: dict[str, str], word: str) -> list[str]:
    """What the store holds otherwise than was acknowledged."""
    entries = bird.list(limit=10_000)
    kept = {one.id: one.text for one in entries if one.path is None}
    wrong = [f"lost or changed: {text}" for one, text in alive.items() if kept.get(one) != text]
    wrong += [f"still there: {kept[one]}" for one in {*kept} - {*alive}]
    notes = [one.text for one in entries if one.path is not None]
    if word and (not notes or not all(word in text for text in notes)):
        wrong.append(f"a note is not as it was indexed last ({word}): {notes}")
    return wrong


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
        "store": os.path.getsize(path),
        "memories": len(bird.list(memories_only=True, limit=10_000)),
    }
