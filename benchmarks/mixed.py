"""Memories and passages in one store: does the second look at memories lower the ranks of passages?

    python benchmarks/mixed.py MEMORIES PASSAGES [--questions N]

Both are sets as described in `benchmarks/README.md`: the rows of the first are remembered, those of the
second indexed, one scope of each per store, in as many stores as both have scopes for. Questions of
both are asked, N for each store's passages, once for each value of `retrieval.merge.AS_SURE`, where 1
is the order by scores alone. Prints the mean reciprocal rank among ten hits, and the share of questions
whose first hit is right.
"""

from __future__ import annotations

import argparse
import os
import tempfile

from bowerbird import Bowerbird
from bowerbird.bench.metrics import mean
from bowerbird.bench.recall import SETTINGS
from bowerbird.bench.sets import Layout, Scope, read_set
from bowerbird.retrieval import merge

VALUES = (1.0, 0.0, 0.05, 0.1, 0.2, 0.3)
DEPTH = 10
Ranks = dict[tuple[float, str], list[float]]


def ask(memories: Scope, passages: Scope, form: str, most: int, ranks: Ranks) -> None:
    """Ask one store the questions of both, and add the reciprocal rank of the first right hit."""
    with tempfile.TemporaryDirectory(prefix="bower-mixed-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        layout = Layout.write(passages, corpus, form)
        with Bowerbird.open(f"{folder}/mixed.db", project="bench", settings=SETTINGS) as bird:
            bird.index(corpus)
            ids = [bird.remember(row.text).id for row in memories.rows]
            step = max(1, len(passages.questions) // most)
            for one in (*memories.questions, *passages.questions[::step][:most]):
                for value in VALUES:
                    merge.AS_SURE = value
                    reciprocal = 0.0
                    for place, hit in enumerate(bird.query(one.text, limit=DEPTH), 1):
                        rows = layout.rows_at(hit.path, hit.start_line, hit.end_line)
                        known = {ids.index(hit.id)} if hit.id in ids else set()
                        if one.grades.keys() & (known if one in memories.questions else {*rows}):
                            reciprocal = 1 / place
                            break
                    kind = f"memory, {one.type}" if one in memories.questions else "passage"
                    ranks.setdefault((value, kind), []).append(reciprocal)


def main() -> None:
    """Ask each store, and print a line for each value and kind of question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("memories")
    parser.add_argument("passages")
    parser.add_argument("--questions", type=int, default=70)
    given = parser.parse_args()
    kept, read = read_set(given.memories), read_set(given.passages)
    ranks: Ranks = {}
    for one, other in zip(kept.scopes, read.scopes, strict=False):
        ask(one, other, read.form, given.questions, ranks)
    for (value, kind), some in sorted(ranks.items()):
        first = mean([float(one == 1) for one in some])
        print(f"{value:4} {kind:20} MRR {mean(some):.3f}  first {first:.3f}  of {len(some)}")


if __name__ == "__main__":
    main()
