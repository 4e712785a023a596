"""Fit how differences are weighed on two authors' pairs, and see what each fit makes of the other's.

    python benchmarks/weighing.py           # by author: what benchmarks/pairs.md shows
    python benchmarks/weighing.py --weights # the numbers of `lifecycle/weighing.py`, fitted on both

Logistic regression with a ridge, on numbers of mean 0 and deviation 1, by Newton's method.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from bowerbird.lifecycle.differences import Differences, Matches
from bowerbird.lifecycle.grammar import SMALL
from bowerbird.lifecycle.weighing import ALIKE, SAYINGS, shared_words
from bowerbird.lifecycle.wording import wording
from bowerbird.models.embed.contextual import ContextualEmbedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Pairs = tuple[list[str], Floats, NDArray[np.bool_]]

FOLDER = os.path.join(os.path.dirname(__file__), "..", "tests", "data", "pairs")
LABELS = ("announces", "replaces", "same", "refines", "narrows", "coexists", "unrelated")
# Short announcements and what sounds like them, whose author knew the rules: fitted on, never judged by.
PLAIN = "announced"
OVER = ("announces", "replaces")
# Weight of the squares of what is learned: of 1 to 100, what finds most of the other author.
RIDGE = 10.0
ROUNDS = 30
FLOORS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)


def load(author: str) -> Pairs:
    """The pairs of one author with their numbers, and whether their words are nearly the same."""
    with open(os.path.join(FOLDER, f"{author}.jsonl"), encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    model = ContextualEmbedder.builtin()
    vectors = model.embed([pair[end] for pair in pairs for end in ("old", "new")])
    units = np.stack([np.frombuffer(one.values, np.int8) for one in vectors]).astype(float)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    rows = []
    for at, pair in enumerate(pairs):
        old, new = wording(pair["old"]), wording(pair["new"])
        (met,) = model.aligned(pair["new"], [pair["old"]], SAYINGS)
        said = Differences(old, new).raw_dict()
        said |= Matches(met, float(units[2 * at] @ units[2 * at + 1]), SMALL).raw_dict()
        rows.append((*said.values(), shared_words(old, new) >= ALIKE))
    table = np.array(rows, float)
    labels = [pair["label"] if pair["label"] in LABELS else "coexists" for pair in pairs]
    return labels, table[:, :-1], table[:, -1] > 0


def together(*sets: Pairs) -> Pairs:
    """Several sets as one."""
    labels = [label for one in sets for label in one[0]]
    values = np.concatenate([one[1] for one in sets])
    return labels, values, np.concatenate([one[2] for one in sets])


def fit(values: Floats, wanted: Floats) -> tuple[Floats, float]:
    """Weights of numbers as they are, and what is added; `wanted` is 0 or 1."""
    mean, spread = values.mean(0), values.std(0)
    spread = np.where(spread > 0, spread, 1)
    x = np.hstack([(values - mean) / spread, np.ones((len(values), 1))])
    ridge = RIDGE * np.eye(x.shape[1])
    ridge[-1, -1] = 0
    weights = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        odds = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (wanted - odds) - ridge @ weights
        bend = (x * (odds * (1 - odds))[:, None]).T @ x + ridge
        weights = weights + np.linalg.solve(bend, slope)
    return weights[:-1] / spread, weights[-1] - (weights[:-1] / spread * mean).sum()


MODELS: dict[
    str, tuple[tuple[str, ...], tuple[str, ...], int | None]
] = {  # which labels are yes, which are not looked at, which numbers count
    "OPPOSED": (OVER, (), None),
    "ANNOUNCED": (("announces",), ("replaces",), None),
    "ANNOUNCED_BY_WORDS": (("announces",), ("replaces",), len(Differences.__slots__)),
}


def fitted(
    name: str, labels: list[str], values: Floats, alike: NDArray[np.bool_]
) -> tuple[Floats, float]:
    """One of the models, fitted on some pairs; those of nearly the same words have rules of their own."""
    yes, left_out, most = MODELS[name]
    used = np.array([label not in left_out for label in labels]) & ~(alike & (name == "OPPOSED"))
    wanted = np.array([label in yes for label in labels], float)
    return fit(values[used][:, :most], wanted[used])


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", action="store_true")
    asked = parser.parse_args()
    sets = {author: load(author) for author in ("a", "b", PLAIN)}
    names = (*Differences.__slots__, *Matches.__slots__)
    if asked.weights:
        for name in MODELS:
            weights, base = fitted(name, *together(*sets.values()))
            sys.stdout.write(f"{name} = {{\n")
            for one, weight in zip(names, weights, strict=False):
                sys.stdout.write(f'    "{one}": {weight:.3f},\n')
            sys.stdout.write(f"}}\n# base {base:.3f}\n")
        return
    for name, (on, held) in product(MODELS, (("a", "b"), ("b", "a"))):
        weights, base = fitted(name, *together(sets[on], sets[PLAIN]))
        labels, values, alike = sets[held]
        odds = 1 / (1 + np.exp(-(values[:, : len(weights)] @ weights + base)))
        if name == "OPPOSED":
            odds[alike] = 0
        sys.stdout.write(f"\n{name}: fitted on {on}, noticed of {held}\n\n| floor |")
        sys.stdout.write("".join(f" {label} {labels.count(label)} |" for label in LABELS) + "\n")
        for floor in FLOORS:
            found = [label for label, odd in zip(labels, odds, strict=True) if odd >= floor]
            right = sum(label in OVER for label in found)
            cells = "".join(f" {found.count(label)} |" for label in LABELS)
            share = right / len(found) if found else 1.0
            sys.stdout.write(f"| {floor} |{cells} precision {share:.2f}\n")


if __name__ == "__main__":
    main()
