"""What superseded memories, found as of their time only, cost the questions of today.

    python benchmarks/superseded.py [--memories 10000] [--superseded 4000] [--questions 20]

Two stores with the same memories in force, one with superseded ones besides. The same questions are asked
in turn of both, several times: the least processor time of each is what it costs. A cold question is a
process of its own; a warm one is asked in this one.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bowerbird import Bowerbird
from bowerbird.bench.corpus import write_corpus, written
from bowerbird.bench.latency import PROJECT
from bowerbird.bench.upkeep import exported
from bowerbird.core.life import DAY
from bowerbird.core.text import sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# How often each question is asked warm; cold it is asked once, after one that reads its files.
TIMES = 5


def main() -> None:
    """Make both stores, and print what a question costs in each."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--memories", type=int, default=10_000)
    options.add_argument("--superseded", type=int, default=4_000)
    options.add_argument("--questions", type=int, default=20)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="bower-superseded-") as name:
        folder = Path(name)
        (folder / "corpus").mkdir()
        size = given.memories + given.superseded
        asked = write_corpus(str(folder / "corpus"), size, 1, given.questions).questions
        stores = []
        for superseded in (0, given.superseded):
            lines, store = folder / f"{superseded}.jsonl", str(folder / f"{superseded}.db")
            lines.write_text("".join(held(folder, given.memories, superseded)), encoding="utf-8")
            with Bowerbird.open(store, project=PROJECT) as bird:
                bird.admin.import_from(lines)
            stores.append(store)
        compared(stores, asked)


def compared(stores: Sequence[str], asked: Sequence[str]) -> None:
    """Ask both stores, and print milliseconds of processor time for each question."""
    birds = [Bowerbird.open(one, project=PROJECT, resident=True) for one in stores]
    warm = least(asked, [bird.query for bird in birds], time.process_time, TIMES)
    for bird in birds:
        bird.close()
    commands = [[sys.executable, "-m", "bowerbird", "query", "--store", one] for one in stores]
    cold = least(
        asked,
        [
            lambda text, command=command: subprocess.run(  # type: ignore[misc]  # noqa: S603 our own
                [*command, "--project", PROJECT, text], stdout=subprocess.DEVNULL, check=True
            )
            for command in commands
        ],
        of_children,
        1,
    )
    print("| question | without superseded ones, ms | with them, ms | ratio |\n|---|---|---|---|")
    for name, (without, beside) in (("cold", cold), ("warm", warm)):
        print(f"| {name} | {without:.1f} | {beside:.1f} | {beside / without:.3f} |")


def least(
    asked: Sequence[str],
    ways: Sequence[Callable[[str], object]],
    clock: Callable[[], float],
    times: int,
) -> list[float]:
    """What a question costs on average in each of several ways, in ms; the ways take turns."""
    spent = [0.0 for _ in ways]
    for text in asked:
        took: list[list[float]] = [[] for _ in ways]
        for _ in range(times + 1):
            for at, way in enumerate(ways):
                begun = clock()
                way(text)
                took[at].append(clock() - begun)
        for at, some in enumerate(took):
            spent[at] += min(some[1:]) * 1000 / len(asked)
    return spent


def of_children() -> float:
    """Processor seconds of the processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def held(folder: Path, memories: int, superseded: int) -> Iterator[str]:
    """The lines of an export: memories in force, and behind them superseded ones."""
    now = round(time.time() * 1000)
    passages = written(str(folder / "corpus"))
    said = (f"{sentences(next(passages))[0][:300]} ({n})" for n in range(memories + superseded))
    count = 0
    for line in exported((text, "fact", now - 30 * DAY) for text in said):
        row = json.loads(line)
        if row.get("row") == "memory":
            count += 1
            if count > memories:
                row["versions"][0]["fields"]["state"] = "superseded"
        yield json.dumps(row) + "\n"


if __name__ == "__main__":
    main()
