"""Fits the weights by which a secret in a sentence is told, and says how they do with an unknown author.

    python benchmarks/told.py [--write] AUTHOR=FILE …

Each FILE holds JSON lines with a `text`, and in those with a secret `secret` (or `secrets`, `secret2`).
For each AUTHOR weights are fitted to all others' texts, and asked of theirs, beside what the rules find.
`--write` fits them to all, and writes `src/bowerbird/guard/told.tsv`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from bowerbird.guard import told
from bowerbird.guard.redact import redact

TARGET = Path(told.__file__).with_name("told.tsv")
# Ridge: of .1, .3, 1 and 3 the one with which the authors held out are served best.
RIDGE = 0.5
# A secret that is missed costs this much more than a word that is touched.
SECRETS = 2.0
ROUNDS = 30
# Smaller weights are left out.
LEAST = 0.05
# What scores less is not shown.
SHOWN = 3


class Text:
    """A text, its secrets, and its candidates: where they stand and what is seen of each."""

    def __init__(self, author: str, row: dict[str, Any]) -> None:
        self.author, self.text = author, row["text"]
        given = [row.get("secret"), row.get("secret2"), *row.get("secrets", ())]
        self.secrets = [one for one in given if one]
        self.candidates = []
        at = 0
        for line in self.text.split("\n"):
            self.candidates += [
                (at + one, at + other, [*names]) for one, other, names in told.seen(line)
            ]
            at += len(line) + 1

    def is_secret(self, begin: int, end: int) -> bool:
        """Whether a candidate is part of a secret, or one of it."""
        value = self.text[begin:end]
        return any(value in one or one in value for one in self.secrets)


def fitted(texts: list[Text]) -> dict[str, float]:
    """The weights by logistic regression."""
    rows = [(names, one.is_secret(b, e)) for one in texts for b, e, names in one.candidates]
    every = sorted({name for names, _ in rows for name in names})
    column = {name: at for at, name in enumerate(every)}
    seen = np.zeros((len(rows), len(every) + 1))
    seen[:, -1] = 1
    for at, (names, _) in enumerate(rows):
        seen[at, [column[name] for name in names]] = 1
    right = np.array([one for _, one in rows], float)
    cost = np.where(right > 0, SECRETS, 1.0)
    ridge = RIDGE * np.eye(len(every) + 1)
    ridge[-1, -1] = 1e-6
    weights = np.zeros(len(every) + 1)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (cost * (chance - right)) + ridge @ weights
        bend = (seen.T * (cost * chance * (1 - chance))) @ seen + ridge
        weights -= np.linalg.solve(bend, slope)
    return {**dict(zip(every, weights.tolist(), strict=False)), "": float(weights[-1])}


def outcome(one: Text, weights: dict[str, float], by_rules: str) -> bool:
    """Whether nothing of a text's secrets is left, or something of a text without one is gone."""
    taken = [
        (begin, end)
        for begin, end, names in one.candidates
        if weights[""] + sum(weights.get(name, 0.0) for name in names) > 0
    ]
    if not one.secrets:
        return bool(taken) or by_rules != one.text
    return all(
        secret not in by_rules
        or any(one.text[b:e] in secret or secret in one.text[b:e] for b, e in taken)
        for secret in one.secrets
    )


def main() -> None:
    """Print the table, and write the weights if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", action="store_true", help="what is missed and what is touched")
    parser.add_argument("files", nargs="+")
    asked = parser.parse_args()
    texts = []
    for given in asked.files:
        author, _, file = given.partition("=")
        lines = Path(file).read_text(encoding="utf-8").splitlines()
        texts += [Text(author, json.loads(line)) for line in lines]
    TARGET.write_text("\t-99\n")
    told.weights.cache_clear()
    rules = {one.text: redact(one.text).text for one in texts}
    print(
        "| author held out | secrets | by rules | found | harmless | touched |\n|---|---|---|---|---|---|"
    )
    sums = [0] * 5
    for author in dict.fromkeys(one.author for one in texts):
        weights = fitted([one for one in texts if one.author != author])
        theirs = [one for one in texts if one.author == author]
        row = [0] * 5
        for one in theirs:
            yes = outcome(one, weights, rules[one.text])
            if one.secrets:
                row[0] += 1
                row[1] += all(secret not in rules[one.text] for secret in one.secrets)
                row[2] += yes
            else:
                row[3] += 1
                row[4] += yes
            if asked.show and yes != bool(one.secrets):
                print("   ", one.secrets, one.text[:200].replace("\n", "\\n"))
                for b, e, names in one.candidates:
                    score = weights[""] + sum(weights.get(name, 0.0) for name in names)
                    if score > -SHOWN:
                        print(f"        {score:.1f} {one.text[b:e]}")
        print(f"| {author} | " + " | ".join(map(str, row)) + " |")
        sums = [a + b for a, b in zip(sums, row, strict=True)]
    print("| all | " + " | ".join(map(str, sums)) + " |")
    weights = {n: w for n, w in fitted(texts).items() if abs(w) >= LEAST or not n}
    if asked.write:
        TARGET.write_text(
            "".join(f"{name}\t{weight:.2f}\n" for name, weight in sorted(weights.items()))
        )


if __name__ == "__main__":
    main()
