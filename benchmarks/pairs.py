"""Results of admission on labelled pairs of memories: wrong merges, duplicates caught, flags.

Each pair gets a project of its own in one store, once in each order::

    python benchmarks/pairs.py dev      # while rules are being made
    python benchmarks/pairs.py held     # once, when they are done
    python benchmarks/pairs.py          # both: what benchmarks/pairs.md shows
    python benchmarks/pairs.py everyday # both halves of the everyday statements
    python benchmarks/pairs.py opposed  # both halves of manners, properties and tools that changed
"""

import json
import os
import sys
import tempfile
from collections import Counter

from bowerbird import Bowerbird

FOLDER = os.path.join(os.path.dirname(__file__), "..", "tests", "data", "pairs")
# Outcomes for the second text of a pair, the columns of the table.
OUTCOMES = ("known", "superseded", "contradicts", "related_to", "nothing")
MERGED = frozenset({"known", "superseded"})
# Labels of pairs whose texts both hold, or between which a person decides.
BOTH_KEPT = ("coexisting", "contradictory", "look-alike")
LABELS = ("same", "paraphrase", "update", *BOTH_KEPT)


def load(half: str | None = None, name: str = "pairs") -> list[dict[str, str]]:
    """The pairs of one half of a set, or all."""
    with open(os.path.join(FOLDER, name + ".jsonl"), encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    return [pair for pair in pairs if half in {None, pair["half"]}]


def outcome(store: str, project: str, first: str, second: str) -> str:
    """The outcome of admission for the second text when the first is stored."""
    with Bowerbird.open(store, project=project) as bird:
        bird.remember(first)
        decision = bird.remember(second)
    if decision.decision in MERGED:
        return decision.decision
    relations = {match.relation for match in decision.matched}
    return next((name for name in OUTCOMES if name in relations), "nothing")


def measure(pairs: list[dict[str, str]]) -> dict[tuple[str, str], Counter[str]]:
    """Counts of outcomes by label and order."""
    table: dict[tuple[str, str], Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "memory.db")
        for pair in pairs:
            orders = {"old first": ("old", "new"), "new first": ("new", "old")}
            for order, (first, second) in orders.items():
                found = outcome(store, f"{pair['id']} {order}", pair[first], pair[second])
                table.setdefault((pair["label"], order), Counter())[found] += 1
    return table


def wrong_merges(table: dict[tuple[str, str], Counter[str]]) -> tuple[int, int]:
    """The number of merges of texts that should both be kept, and the number of such pairs."""
    rows = [counts for (label, _), counts in table.items() if label in BOTH_KEPT]
    merged = sum(counts[name] for counts in rows for name in MERGED)
    return merged, sum(counts.total() for counts in rows)


def markdown(half: str, table: dict[tuple[str, str], Counter[str]]) -> str:
    """The table of one half, with its two totals."""
    lines = [
        f"## {half}",
        "",
        f"| label | order | pairs | {' | '.join(OUTCOMES)} |",
        f"|---|---|{'--:|' * (len(OUTCOMES) + 1)}",
    ]
    for (label, order), counts in sorted(table.items(), key=lambda row: LABELS.index(row[0][0])):
        cells = " | ".join(str(counts[name]) for name in OUTCOMES)
        lines.append(f"| {label} | {order} | {counts.total()} | {cells} |")
    merged, possible = wrong_merges(table)
    lines += ["", f"Wrong merges: {merged} of {possible} ({merged / possible:.1%})."]
    for labels in (("same",), ("paraphrase",), ("same", "paraphrase"), ("update",)):
        if (labels[0], "old first") not in table:
            continue
        rows = [table[label, "old first"] for label in labels]
        caught = sum(counts[name] for counts in rows for name in MERGED)
        total = sum(counts.total() for counts in rows)
        lines.append(
            f"Caught of {' and '.join(labels)}: {caught} of {total} ({caught / total:.0%})."
        )
    return "\n".join(lines)


def main() -> None:
    """Measure one half or both, and print the tables."""
    asked = sys.argv[1:]
    name = next((name for name in ("everyday", "opposed") if name in asked), "pairs")
    halves = [half for half in ("dev", "held") if half in asked or not {"dev", "held"} & set(asked)]
    title = "" if name == "pairs" else f"{name}, "
    print("\n\n".join(markdown(title + half, measure(load(half, name))) for half in halves))


if __name__ == "__main__":
    main()
