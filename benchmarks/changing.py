"""Facts that change: what a later statement ends, what waits for a person, and what stays.

Each pair of `tests/data/pairs/changed.jsonl`, or of another file there, gets a store of its own::

    python benchmarks/changing.py dev                # while rules are being made
    python benchmarks/changing.py held               # once, when they are done
    python benchmarks/changing.py held attributes    # two properties of one subject, or two values
"""

import json
import os
import sys
import tempfile
from collections import Counter, defaultdict

from bowerbird import Bowerbird

PAIRS = os.path.join(os.path.dirname(__file__), "..", "tests", "data", "pairs")
ENDED, WAITS, KNOWN, STAYS = "ended", "waits", "known", "stays"
NOTICED = (ENDED, WAITS)


def outcome(path: str, old: str, new: str) -> str:
    """What becomes of the older of two statements."""
    with Bowerbird.open(path, project="pairs") as bird:
        first, second = bird.remember(old), bird.remember(new)
        if second.id == first.id:
            return KNOWN
        entry = bird.get(first.id)
        if entry.state != "active":
            return ENDED
        return WAITS if entry.review or second.review else STAYS


def main() -> None:
    """Prints counts by label, and how much of what changed is ended and noticed."""
    half, name = (*sys.argv[1:], *("dev", "changed")[len(sys.argv) - 1 :])
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    path = os.path.join(PAIRS, f"{name}.jsonl")
    with open(path, encoding="utf-8") as file, tempfile.TemporaryDirectory() as folder:
        for line in file:
            pair = json.loads(line)
            if pair["half"] == half:
                store = os.path.join(folder, f"{pair['id']}.db")
                found = outcome(store, pair["old"], pair["new"])
                counts[pair["label"]][found] += 1
    for label, outcomes in counts.items():
        print(f"{label:8} {outcomes.total():3}  {dict(outcomes)}")
    changed, kept = counts["ends"] + counts["opposes"], counts["keeps"]
    right, wrong = sum(changed[one] for one in NOTICED), sum(kept[one] for one in NOTICED)
    ended = counts["ends"][ENDED] / max(1, counts["ends"].total())
    print(f"ended: {ended:.2f}, wrongly: {kept[ENDED]}")
    print(f"noticed: {right / changed.total():.2f}, right: {right / max(1, right + wrong):.2f}")


if __name__ == "__main__":
    main()
