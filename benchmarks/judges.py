"""Whether any two texts can be judged, and how the time grows with their length.

    python benchmarks/judges.py [--pairs 10000] [--longest 10000] [--seed 1]

Fuzzed pairs consist of the words that the judges know, unusual characters of many scripts, and
repetitions; their lengths are spread evenly over the orders of magnitude. Each pair is judged in both
orders. Exceptions are printed unchanged, and the exit code is then 1. Times are CPU seconds, not
wall-clock time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from bowerbird.core.text import clean
from bowerbird.lifecycle import word_classes
from bowerbird.lifecycle.contradiction import contradicts
from bowerbird.lifecycle.duplicates import compare, statement
from bowerbird.lifecycle.keywords import keywords, terms
from bowerbird.lifecycle.weighing import weighed
from bowerbird.lifecycle.wording import wording

if TYPE_CHECKING:
    from collections.abc import Callable

# A range of letters for each script, and characters that are not letters.
SCRIPTS = (
    "abcdefgh XYZ",
    "äöüßéñç",
    "привет мир",
    "ελλάδα",
    "שלום",
    "مرحبا لا",
    "नमस्ते नहीं",
    "ไม่ใช่นะ",
    "不是我们的",
    "ひらがなない",
    "카타카나 안 않",
    "ⅧⅨ ½ ²",
    "🎉👩‍👧🏽",
    "\u0301\u200d\u00ad",
    "0123456789",
    ".,;:!?…—–-*_`'\"()[]{}<>@#\\/=+%",
    "\n\t \u3000\u2028\x0c",
)
# Numbers of words at which time is measured: the second is eight times the first.
FEW = 625
MANY = 5_000
SHAPES: dict[str, Callable[[int], str]] = {
    "different words": lambda n: " ".join(f"w{place}" for place in range(n)),
    "one word": lambda n: "ab " * n,
    "moved from": lambda n: "we moved " + "from npm " * (n // 2),
    "dropped": lambda n: "we " + "dropped npm " * (n // 2),
    "was dropped by": lambda n: "npm " + "is dropped jira " * (n // 3),
    "passive": lambda n: "tokens " + "is cached " * (n // 2) + "by gateway",
    "characters": lambda n: "不是" * n,
    "empty lines": lambda n: "a" + "\n" * (4 * n) + "b",
}


def known_words() -> list[str]:
    """All words by which a judge decides."""
    groups = [
        group for group in vars(word_classes).values() if isinstance(group, (frozenset, dict))
    ]
    entries = {entry for group in groups for entry in group}
    return sorted({word if isinstance(word, str) else " ".join(word) for word in entries})


def text(dice: random.Random, words: list[str], length: int) -> str:
    """A random text of about this number of characters."""
    made = ""
    while len(made) < length:
        draw = dice.random()
        if draw < 0.6:  # noqa: PLR2004 - most of it are words that decide something
            piece = dice.choice(words)
        else:
            letters = dice.choice(SCRIPTS)
            piece = "".join(dice.choice(letters) for _ in range(dice.randint(1, 8)))
        times = dice.choice((1, 1, 1, 1, 2, 5, length // 4 + 1))
        made += (piece + dice.choice(" \n")) * times
    return clean(made[:length])


def varied(dice: random.Random, words: list[str], old: str, length: int) -> str:
    """Another random text, or the old one with a change."""
    if dice.random() < 0.4:  # noqa: PLR2004 - the rest comes near to each other
        return text(dice, words, length)
    there = old.split(" ")
    cut = dice.randint(0, len(there))
    if dice.random() < 0.3:  # noqa: PLR2004 - turned round
        there = there[cut:] + there[:cut]
    there[cut : cut + dice.randint(0, 2)] = [dice.choice(words) for _ in range(dice.randint(0, 3))]
    return " ".join(there)


def judge(old: str, new: str) -> str:
    """All checks of admission on two texts; returns the resulting relation."""
    verdict = compare(old, new)
    other = contradicts(old, new)
    said = weighed(old, new, None, understood=0.0)
    keywords(new, dict.fromkeys(terms(old), 1))
    return verdict.relation or other.relation or said.relation or "nothing"


def fuzz(pairs: int, longest: int, seed: int) -> bool:
    """Judge this number of pairs in both orders; returns whether none raised an error."""
    dice = random.Random(seed)  # noqa: S311 - the same texts each time, nothing secret
    words = known_words()
    relations: Counter[str] = Counter()
    raised: Counter[str] = Counter()
    worst = (0.0, 0)
    for _ in range(pairs):
        length = int(longest ** dice.random())
        old = text(dice, words, length)
        new = varied(dice, words, old, length)
        for one, other in ((old, new), (new, old)):
            statement.cache_clear()
            wording.cache_clear()
            started = time.process_time()
            try:
                relations[judge(one, other)] += 1
            except Exception as error:  # noqa: BLE001 - counted and told: that is what this is for
                raised[type(error).__name__] += 1
                sys.stdout.write(f"{error!r}\n  {one[:200]!r}\n  {other[:200]!r}\n")
            worst = max(worst, (time.process_time() - started, len(one) + len(other)))
    summary = ", ".join(f"{relation} {count:,}" for relation, count in relations.most_common())
    sys.stdout.write(f"{pairs:,} pairs in both orders: {summary}\n")
    sys.stdout.write(f"raised: {sum(raised.values())} {dict(raised) or ''}\n")
    sys.stdout.write(f"longest: {worst[0] * 1000:.1f} ms of CPU for {worst[1]:,} characters\n")
    return not raised


def growth() -> None:
    """Print the cost of eight times the words, for texts that make the judges backtrack most."""
    sys.stdout.write(
        f"\n| repeated | {FEW} words, ms | {MANY} words, ms | times |\n|---|---|---|---|\n"
    )
    for name, shape in SHAPES.items():
        took = []
        for count in (FEW, MANY):
            old = shape(count)
            least = min(_timed(old, f"we use {old} tabs") for _ in range(3))
            took.append(least * 1000)
        sys.stdout.write(f"| {name} | {took[0]:.1f} | {took[1]:.1f} | {took[1] / took[0]:.1f} |\n")


def _timed(old: str, new: str) -> float:
    statement.cache_clear()
    wording.cache_clear()
    started = time.process_time()
    judge(old, new)
    judge(new, old)
    return time.process_time() - started


def main() -> None:
    """Fuzz, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--longest", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    whole = fuzz(asked.pairs, asked.longest, asked.seed)
    growth()
    sys.exit(0 if whole else 1)


if __name__ == "__main__":
    main()
