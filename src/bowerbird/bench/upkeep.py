"""``bench upkeep``: pruning and consolidating a whole store of memories, and merging two of them.

The memories are sentences of the corpus. Of a hundred three are alike but for a number, and two have not
been used for a year; the others are a month old.
"""

import json
import os
import random
import tempfile
import time

from bowerbird.bench import target
from bowerbird.bench.corpus import write_corpus, written
from bowerbird.bench.latency import PROJECT, percentiles, timed
from bowerbird.bench.processes import bytecode
from bowerbird.bench.record import circumstances, load
from bowerbird.bench.target import Target
from bowerbird.bird import Bowerbird
from bowerbird.core.ids import new_id
from bowerbird.core.kinds import KINDS
from bowerbird.core.life import DAY
from bowerbird.core.text import sentences, summarise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bowerbird.bench.latency import Took
    from bowerbird.core.ports.progress import Progress

# Default number of timed merges.
ITERATIONS = 30
# Positions in each hundred: memories that are alike, and those that were not used.
_ALIKE = (0, 1, 2)
_FADED = (3, 4)
_MONTH, _YEAR = 30 * DAY, 365 * DAY
_FAILED = "The nightly job of {name} failed on worker {name}-{number} because its lease was lost"


def measure(
    size: int, *, iterations: int, seed: int, progress: "Progress | None" = None
) -> "dict[str, Any]":
    """The figures of one number of memories, in a store in a temporary folder."""
    now = round(time.time() * 1000)
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
        corpus, lines = os.path.join(folder, "corpus"), os.path.join(folder, "memories.jsonl")
        os.mkdir(corpus)
        about = write_corpus(corpus, size, seed, 0)
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines(exported(_aged(_texts(corpus, size, seed), now)))
        before = load()
        if progress is not None:
            progress.start(f"taking in {size:,} memories", 1)
        with Bowerbird.open(os.path.join(folder, "bench.db"), project=PROJECT) as bird:
            bird.admin.import_from(lines)
            found = _measured(bird, iterations)
            status = bird.status()
    data = {
        "bench": "upkeep",
        "corpus_size": size,
        "passages": size,
        "corpus": about.replace(questions=()).raw_dict() | {"questions": 0},
        "seed": seed,
        "iterations": iterations,
        "store_mb": round(status.total_size_bytes / 1e6, 1),
        "model_used": status.model_used,
        **circumstances(),
        "load": {"before": before, "after": load()},
        "bytecode": bytecode(),
        **found,
    }
    data["targets"] = [one.raw_dict() for one in _targets(data)]
    return data


def _texts(corpus: str, size: int, seed: int) -> "Iterator[str]":
    """Sentences, each with a number of its own, and in each hundred three that are alike."""
    draw, passages = random.Random(seed), written(corpus)  # noqa: S311 a seed is the point
    for number in range(size):
        passage = next(passages)
        if number % 100 in _ALIKE:
            yield _FAILED.format(name=_word(number // 100), number=number)
        else:
            chosen = draw.choice(sentences(passage)).strip("# ")[:300]
            yield f"{chosen} ({_word(number)})"


def _word(number: int) -> str:
    """A made-up word for a number."""
    letters = ""
    while number or not letters:
        number, left = divmod(number, 26)
        letters += chr(ord("a") + left)
    return f"q{letters}"


def _aged(texts: "Iterator[str]", now: int) -> "Iterator[tuple[str, str, int]]":
    for number, text in enumerate(texts):
        faded = number % 100 in _FADED
        yield text, "gotcha" if faded else "fact", now - (_YEAR if faded else _MONTH)


def exported(memories: "Iterable[tuple[str, str, int]]") -> "Iterator[str]":
    """Memories as lines of an export: each a text, a kind, and when it was said."""
    rows: list[dict[str, Any]] = [
        {"bowerbird": "export", "format": 1},
        {"row": "project", "uid": f"name:{PROJECT}", "name": PROJECT, "root": None},
    ]
    yield from (json.dumps(one) + "\n" for one in rows)
    replica = new_id(0)
    for number, (text, kind, at) in enumerate(memories):
        id, head = new_id(at), new_id(at)
        half_life = KINDS[kind].half_life
        version = {
            "id": head,
            "parents": [],
            "text": text,
            "fields": {"kind": kind, "state": "active", "summary": summarise(text)},
            "actor": "bench",
            "reason": "new",
            "created": at,
            "stamp": f"{at}-{number % 10_000:04d}-{replica}",
        }
        memory = {
            "row": "memory",
            "id": id,
            "project": f"name:{PROJECT}",
            "trust": "normal",
            "said": at,
            "origin": "agent",
            "source": "agent_explicit",
            "agent": "bench",
            "session": "",
            "tainted": False,
            "importance": 0.3,
            "decay_rate": 0.01,
            "half_life": half_life,
            "accessed": at,
            "head": head,
            "tags": [],
            "uses": {},
            "versions": [version],
        }
        yield json.dumps(memory) + "\n"


def _measured(bird: Bowerbird, iterations: int) -> "dict[str, Any]":
    decided, _ = timed(lambda: bird.prune(dry_run=True))
    pruned, gone = timed(bird.prune)
    grouped, _ = timed(lambda: bird.consolidate(dry_run=True))
    summed, done = timed(bird.consolidate)
    merges: list[Took] = []
    for number in range(iterations):
        text = f"The gauge of bay {_word(number)} is read at noon"
        short = bird.remember(text).id
        longer = bird.remember(
            f"Every Monday somebody reads what the gauge {_word(number)} says"
        ).id
        merges.append(timed(lambda one=longer, two=short: bird.merge(one, two))[0])  # type: ignore[misc]
    steps = {
        "prune, dry run": [decided],
        "prune": [pruned],
        "consolidate, dry run": [grouped],
        "consolidate": [summed],
        "merge": merges,
    }
    return {
        "pruned": gone.pruned,
        "patterns": len(done.patterns),
        "compressed": done.compressed,
        "ms": {name: percentiles([one.wall for one in took]) for name, took in steps.items()},
        "cpu_ms": {name: percentiles([one.cpu for one in took]) for name, took in steps.items()},
    }


def _targets(data: "dict[str, Any]") -> list[Target]:
    spent = data["cpu_ms"]
    return [
        Target("prune, decision, ms of CPU", spent["prune, dry run"]["p50"], target.DECIDE_MS),
        Target("prune, carried out, ms of CPU", spent["prune"]["p50"], target.PRUNE_MS),
        Target(
            "prune, ms of CPU for each that leaves",
            round(spent["prune"]["p50"] / max(data["pruned"], 1), 3),
            target.LEAVE_MS,
        ),
        Target(
            "consolidate, decision, ms of CPU",
            spent["consolidate, dry run"]["p50"],
            target.GROUP_MS,
        ),
        Target("consolidate, ms of CPU", spent["consolidate"]["p50"], target.CONSOLIDATE_MS),
        Target("merge p50, ms of CPU", spent["merge"]["p50"], target.MERGE_MS),
    ]
