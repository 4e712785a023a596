"""Fit how differences are weighed on labelled pairs, and see what a fit makes of an author left out.

    python benchmarks/weighing.py           # by author: what benchmarks/pairs.md shows
    python benchmarks/weighing.py --weights # the numbers of `lifecycle/weighing.py`, fitted on everybody

Logistic regression with a ridge, on numbers of mean 0 and deviation 1, by Newton's method.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bowerbird.lifecycle import weighing
from bowerbird.lifecycle.differences import Differences, Matches
from bowerbird.lifecycle.duplicates import UNDECIDED
from bowerbird.lifecycle.grammar import SMALL
from bowerbird.lifecycle.judge import JUDGES
from bowerbird.lifecycle.weighing import ALIKE, Weights, shared_words
from bowerbird.lifecycle.wording import wording
from bowerbird.models.embed.contextual import ContextualEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bowerbird.core.types import Alignment

    Floats = NDArray[np.float64]
    Pairs = tuple[list[str], Floats, NDArray[np.bool_]]

FOLDER = os.path.join(os.path.dirname(__file__), "..", "tests", "data", "pairs")
LABELS = ("announces", "replaces", "same", "refines", "narrows", "coexists", "unrelated")
# The labels of other sets; what may be either is left out.
READ_AS = {"look-alike": "coexists", "coexisting": "coexists", "paraphrase": "same"}
# Short announcements and what sounds like them, whose author knew the rules: fitted on, never judged by.
PLAIN = "announced"
# Short statements of which some hold beside others; what announces nothing is learned from them too.
OLDER = ("pairs", "everyday", "opposed")
AUTHORS = ("a", "b", "c")
EVERYBODY = (*AUTHORS, PLAIN, *OLDER)
OVER = ("announces", "replaces")
# Weight of the squares of what is learned: of 5, 10 and 20 it is the same to .002 of average precision.
RIDGE = 10.0
ROUNDS = 30


def read(author: str) -> list[dict[str, str]]:
    """The pairs of one author."""
    with open(os.path.join(FOLDER, f"{author}.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def unit(values: bytes | memoryview) -> Floats:
    """A vector of length 1."""
    whole = np.frombuffer(values, np.int8).astype(float)
    return whole / float(np.linalg.norm(whole))


def load(author: str) -> Pairs:
    """The pairs of one author with their numbers, and whether their words are nearly the same."""
    pairs = read(author)
    model = ContextualEmbedder.builtin()
    vectors = model.embed([pair[end] for pair in pairs for end in ("old", "new")])
    units = [unit(one.values) for one in vectors]
    rows = []
    for at, pair in enumerate(pairs):
        old, new = wording(pair["old"]), wording(pair["new"])
        (met,) = model.aligned(pair["new"], [pair["old"]])
        said = Differences(old, new).raw_dict()
        said |= Matches(met, float(units[2 * at] @ units[2 * at + 1]), SMALL).raw_dict()
        rows.append((*said.values(), shared_words(old, new) >= ALIKE))
    table = np.array(rows, float)
    labels = [READ_AS.get(pair["label"], pair["label"]) for pair in pairs]
    kept = np.array([label in LABELS for label in labels])
    labels = [label for label in labels if label in LABELS]
    return labels, table[kept, :-1], table[kept, -1] > 0


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
    str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], int | None]
] = {  # by whom, which labels are yes, which are not looked at, which numbers count
    "OPPOSED": ((*AUTHORS, PLAIN), OVER, (), None),
    "ANNOUNCED": (EVERYBODY, ("announces",), ("replaces",), None),
    "ANNOUNCED_BY_WORDS": (EVERYBODY, ("announces",), ("replaces",), len(Differences.__slots__)),
}


def fitted(name: str, sets: dict[str, Pairs], but: str = "") -> Weights:
    """One of the models, fitted on all sets but one; texts of nearly the same words have other rules."""
    by, yes, left_out, most = MODELS[name]
    labels, values, alike = together(*(sets[author] for author in by if author != but))
    used = np.array([label not in left_out for label in labels]) & ~(alike & (name == "OPPOSED"))
    wanted = np.array([label in yes for label in labels], float)
    weights, base = fit(values[used][:, :most], wanted[used])
    names = (*Differences.__slots__, *Matches.__slots__)[:most]
    return Weights(base, **dict(zip(names, weights.tolist(), strict=True)))


def outcome(pair: dict[str, str], met: Alignment | None, understood: float) -> str:
    """What the newer text of a pair is taken for, by the rules and the weights that are set."""
    old, new = pair["old"], pair["new"]
    verdict = next((one for judge in JUDGES if (one := judge(old, new)).relation), UNDECIDED)
    if verdict.relation in {"", "contradicts"}:
        told = weighing.weighed(old, new, met, understood)
        if told.relation == "supersedes" or not verdict.relation:
            verdict = told
    return verdict.relation


def by_author(author: str, sets: dict[str, Pairs], *, words: bool) -> str:
    """A row of the table: an author's pairs by weights fitted on everybody else's."""
    for name in MODELS:
        setattr(weighing, name, fitted(name, sets, author))
    pairs = read(author)
    model = ContextualEmbedder.builtin()
    found: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for pair in pairs:
        met = None if words else model.aligned(pair["new"], [pair["old"]])[0]
        one, other = (unit(vector.values) for vector in model.embed([pair["old"], pair["new"]]))
        found[pair["label"]][outcome(pair, met, 0.0 if words else float(one @ other))] += 1

    def count(labels: Iterable[str], *relations: str) -> int:
        return sum(found[label][relation] for label in labels for relation in relations)

    compatible = [label for label in LABELS if label not in OVER]
    noticed = count(OVER, "contradicts", "supersedes")
    flagged = count(compatible, "contradicts")
    announced = count(["announces"], "contradicts", "supersedes")
    wrong = count(("narrows", "coexists", "unrelated"), "supersedes", "same", "covers")
    whole = {label: sum(found[label].values()) for label in LABELS}
    cells = (
        f"{author}{', by words alone' if words else ''}",
        f"{announced / whole['announces']:.2f}",
        f"{noticed / sum(whole[label] for label in OVER):.2f}",
        f"{flagged} of {sum(whole[label] for label in compatible)}",
        f"{noticed / max(1, noticed + flagged):.2f}",
        f"{wrong}",
    )
    return f"| {' | '.join(cells)} |\n"


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", action="store_true")
    asked = parser.parse_args()
    sets = {author: load(author) for author in EVERYBODY}
    if asked.weights:
        for name in MODELS:
            model = fitted(name, sets)
            sys.stdout.write(f"{name} = Weights(\n    {model.base:.2f},\n")
            for one, weight in model.counts.items():
                sys.stdout.write(f"    {one}={weight:.2f},\n")
            sys.stdout.write(")\n")
        return
    for author in AUTHORS:
        for words in (False, True):
            sys.stdout.write(by_author(author, sets, words=words))


if __name__ == "__main__":
    main()
