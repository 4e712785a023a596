"""What superseded memories, found as of their time only, cost the questions of today, in instructions.

    python benchmarks/superseded.py [--memories 10000] [--superseded 5000] [--questions 10]

Two stores with the same memories in force, one with superseded ones besides. A cold question is a process
of its own; a warm one is asked in a process that stays, after 20 others.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from bowerbird import Bowerbird
from bowerbird.bench.corpus import write_corpus, written
from bowerbird.bench.upkeep import exported
from bowerbird.core.life import DAY
from bowerbird.core.text import sentences
from instructions import BEFORE, COUNT, COUNTED, WARM

if TYPE_CHECKING:
    from collections.abc import Iterator


def main() -> None:
    """Make both stores, and print what a question costs in each."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--memories", type=int, default=10_000)
    options.add_argument("--superseded", type=int, default=5_000)
    options.add_argument("--questions", type=int, default=10)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="bower-superseded-") as name:
        folder = Path(name)
        (folder / "corpus").mkdir()
        size = given.memories + given.superseded
        corpus = write_corpus(str(folder / "corpus"), size, 1, BEFORE + given.questions)
        asked = folder / "questions"
        asked.write_text("\n".join(corpus.questions), encoding="utf-8")
        print("| memories in force, superseded | cold | warm |\n|---|---|---|")
        for superseded in (0, given.superseded):
            lines = folder / f"{superseded}.jsonl"
            lines.write_text("".join(held(folder, given.memories, superseded)), encoding="utf-8")
            store = str(folder / f"{superseded}.db")
            with Bowerbird.open(store, project="bench") as bird:
                bird.admin.import_from(lines)
            cold = mean(
                counted("-m", "bowerbird", "query", text, "--store", store, "--project", "bench")
                for text in corpus.questions[BEFORE:]
            )
            few, many = (
                counted("-c", WARM, store, "bench", str(asked), str(count))
                for count in (BEFORE, BEFORE + given.questions)
            )
            warm = (many - few) / given.questions
            print(f"| {given.memories:,}, {superseded:,} | {cold / 1e6:.1f} | {warm / 1e6:.2f} |")


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


def counted(*command: str) -> float:
    """The instructions of a process, with its bytecode and files read once before."""
    called = [sys.executable, *command]
    environment = os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    for prefix in ([], COUNT):
        done = subprocess.run(  # noqa: S603 our own
            [*prefix, *called], capture_output=True, text=True, check=True, env=environment
        )
    return max(float(one.replace(",", "")) for one in COUNTED.findall(done.stderr))


if __name__ == "__main__":
    main()
