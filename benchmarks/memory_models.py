"""How well models of one's choice find memories, beside the package's, on the same questions.

    python benchmarks/memory_models.py SET [--queries N] NAME=SETTING=VALUE[,SETTING=VALUE…]…

A set is a folder as described in `benchmarks/README.md` whose rows are memories. Every scope becomes a
store that is filled by `remember`; its questions are asked with the default settings and the named ones,
such as

    e5=embed.provider=compatible,embed.endpoint=http://127.0.0.1:8001/v1,embed.model=multilingual-e5-small

Prints for each type of question the share whose memory came first, among three, among five.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from time import process_time

from bowerbird import Bowerbird
from bowerbird.bench.sets import EvaluationSet, read_set

AMONG = (1, 3, 5)


def settings(given: list[str]) -> dict[str, dict[str, str]]:
    """The named settings, after those of the package."""
    found: dict[str, dict[str, str]] = {"builtin": {}}
    for one in given:
        name, _, rest = one.partition("=")
        found[name] = dict(part.split("=", 1) for part in rest.split(","))
    return found


def ranks(chosen: EvaluationSet, with_settings: dict[str, str]) -> dict[str, list[int]]:
    """For each type of question the ranks of the right memories, 0: not among the first."""
    found = defaultdict(list)
    for scope in chosen.scopes:
        with tempfile.TemporaryDirectory(prefix="bower-models-") as folder:
            store = os.path.join(folder, "memory.db")
            with Bowerbird.open(store, project="bench", settings=with_settings) as bird:
                rows = {bird.remember(row.text).id: at for at, row in enumerate(scope.rows)}
                for one in scope.questions:
                    hits = enumerate(bird.query(one.text, limit=max(AMONG)), 1)
                    at = next((place for place, hit in hits if rows[hit.id] in one.grades), 0)
                    found[one.type].append(at)
    return found


def main() -> int:
    """Ask the set with each of the settings."""
    parser = argparse.ArgumentParser(description="Memories found by models of one's choice.")
    parser.add_argument("set", type=Path)
    parser.add_argument("models", nargs="*", metavar="NAME=SETTING=VALUE,…")
    parser.add_argument("--queries", type=int, help="only so many, spread over the set")
    given = parser.parse_intermixed_args()
    chosen = read_set(str(given.set), limit=given.queries)
    for name, one in settings(given.models).items():
        start = process_time()
        for kind, places in sorted(ranks(chosen, one).items()):
            shares = (sum(0 < at <= among for at in places) / len(places) for among in AMONG)
            shown = "  ".join(f"{share:.3f}" for share in shares)
            print(f"{name:12} {kind:14} {len(places):4}  {shown}", flush=True)
        print(f"{name:12} {process_time() - start:.0f} s of CPU in this process", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
