"""Fit how differences are weighed on labelled pairs, and see what a fit makes of an author left out.

    python benchmarks/weighing.py           # by author: what benchmarks/pairs.md shows
    python benchmarks/weighing.py FILE…     # pairs of others, by weights fitted on everybody here
    python benchmarks/weighing.py --reading # write `minilm-announcing.bin`, fitted on everybody
    python benchmarks/weighing.py --weights # the numbers of `lifecycle/weighing.py`, fitted on everybody

Logistic regression with a ridge, on numbers of mean 0 and deviation 1, by Newton's method. One of the
numbers is how the contextual vectors of both texts read (`announcing`): a regression of its own on
them. What it makes of an author's pairs is always told by one that has not seen that author.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

from bowerbird.lifecycle import weighing
from bowerbird.lifecycle.differences import Differences, Matches
from bowerbird.lifecycle.duplicates import UNDECIDED
from bowerbird.lifecycle.grammar import SMALL
from bowerbird.lifecycle.judge import JUDGES, glossed
from bowerbird.lifecycle.weighing import ALIKE, Weights, shared_words
from bowerbird.lifecycle.wording import wording
from bowerbird.models.embed.contextual import WEIGHTS, ContextualEmbedder
from bowerbird.models.embed.glosses import Glosses
from bowerbird.models.embed.tensorfile import write_tensors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bowerbird.core.types import Alignment

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

FOLDER = os.path.join(os.path.dirname(__file__), "..", "tests", "data", "pairs")
LABELS = ("announces", "replaces", "same", "refines", "narrows", "coexists", "unrelated")
# The labels of other sets; what may be either is left out.
READ_AS = {"look-alike": "coexists", "coexisting": "coexists", "paraphrase": "same"}
# Short announcements and what sounds like them, whose author knew the rules: fitted on, never judged by.
PLAIN = "announced"
AUTHORS = tuple("abcdefghij")
EVERYBODY = (*AUTHORS, PLAIN)
# Whose texts teach how an announcement reads: of `pairs`, what announces nothing.
READERS = (*EVERYBODY, "pairs")
OVER = ("announces", "replaces")
# Weight of the squares of what is learned: of 5, 10 and 20 it is the same to .002 of average precision.
RIDGE = 10.0
# The same for 768 numbers of two vectors: from 30 to 1,000 the average precision of authors left out
# rises.
RIDGE_READING = 1_000.0
ROUNDS = 30
ROUNDS_READING = 6
# Numbers that differ less are the same.
TINY = 1e-9


class Pairs:
    """The pairs of one author: labels, numbers, how they are met, and which say nearly the same words."""

    def __init__(self, pairs: list[dict[str, str]]) -> None:
        model = ContextualEmbedder.builtin()
        labels = [READ_AS.get(pair["label"], pair["label"]) for pair in pairs]
        kept = [at for at, label in enumerate(labels) if label in LABELS]
        self.pairs = [pairs[at] for at in kept]
        self.labels = np.array([labels[at] for at in kept])
        # What an announcement reads like is asked of texts as they stand (`ContextualEmbedder.aligned`).
        with patch.object(Glosses, "read", lambda _, text: text):
            vectors = model.embed([pair[end] for pair in self.pairs for end in ("old", "new")])
        units = np.array([unit(one.values) for one in vectors])
        old, new = units[::2], units[1::2]
        self.read = np.hstack([new, new - old])
        self.understood: list[float] = (old * new).sum(1).tolist()
        self.met = [model.aligned(pair["new"], [pair["old"]])[0] for pair in self.pairs]
        wordings = [(wording(pair["old"]), wording(pair["new"])) for pair in self.pairs]
        self.alike = np.array([shared_words(*both) >= ALIKE for both in wordings])
        rows = [
            (
                *Differences(*both).raw_dict().values(),
                *Matches(met, cosine, SMALL).raw_dict().values(),
            )
            for both, met, cosine in zip(wordings, self.met, self.understood, strict=True)
        ]
        self.values = np.array(rows, float)


def load(path: str) -> Pairs:
    """The pairs of a file."""
    with open(path, encoding="utf-8") as file:
        return Pairs([json.loads(line) for line in file])


@cache
def known(author: str) -> Pairs:
    """The pairs of an author by name."""
    return load(os.path.join(FOLDER, f"{author}.jsonl"))


def unit(values: bytes | memoryview) -> Floats:
    """A vector of length 1."""
    whole = np.frombuffer(values, np.int8).astype(float)
    return whole / float(np.linalg.norm(whole))


@cache
def reading(but: frozenset[str]) -> tuple[Floats, float]:
    """Weights of `Pairs.read`, fitted on all readers but some: that the newer text announces."""
    sets = [known(author) for author in READERS if author not in but]
    # Whether what replaces another text says so is a matter of taste.
    used = [one.labels != "replaces" for one in sets]
    values = np.concatenate([one.read[some] for one, some in zip(sets, used, strict=True)])
    wanted = np.concatenate(
        [one.labels[some] == "announces" for one, some in zip(sets, used, strict=True)]
    )
    return fit(values, wanted.astype(float), RIDGE_READING, ROUNDS_READING)


def announcing(pairs: Pairs, *but: str) -> Floats:
    """How the texts of some pairs read to those who have not seen some authors."""
    weights, base = reading(frozenset(but) & frozenset(READERS))
    told: Floats = pairs.read @ weights + base
    return told


def fit(
    values: Floats, wanted: Floats, weight: float = RIDGE, rounds: int = ROUNDS
) -> tuple[Floats, float]:
    """Weights of numbers as they are, and what is added; `wanted` is 0 or 1."""
    mean, spread = values.mean(0), values.std(0)
    spread = np.where(spread > TINY, spread, 1)
    x = np.hstack([(values - mean) / spread, np.ones((len(values), 1))])
    ridge = weight * np.eye(x.shape[1])
    ridge[-1, -1] = 0
    weights = np.zeros(x.shape[1])
    for _ in range(rounds):
        odds = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (wanted - odds) - ridge @ weights
        bend = (x * (odds * (1 - odds))[:, None]).T @ x + ridge
        weights = weights + np.linalg.solve(bend, slope)
    return weights[:-1] / spread, float(weights[-1] - (weights[:-1] / spread * mean).sum())


MODELS: dict[
    str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], int | None]
] = {  # by whom, which labels are yes, which are not looked at, which numbers count
    "OPPOSED": (EVERYBODY, OVER, (), None),
    "ANNOUNCED": (EVERYBODY, ("announces",), ("replaces",), None),
    "ANNOUNCED_BY_WORDS": (EVERYBODY, ("announces",), ("replaces",), len(Differences.__slots__)),
}


NAMES = (*Differences.__slots__, *Matches.__slots__)
READ = NAMES.index("announcing")


def fitted(name: str, but: str = "") -> Weights:
    """One of the models, fitted on all sets but one; texts of nearly the same words have other rules."""
    by, yes, left_out, most = MODELS[name]
    values, wanted = [], []
    for author in by:
        if author == but:
            continue
        pairs = known(author)
        used = ~np.isin(pairs.labels, left_out) & ~(pairs.alike & (name == "OPPOSED"))
        numbers = pairs.values.copy()
        numbers[:, READ] = announcing(pairs, author, but)
        values.append(numbers[used][:, :most])
        wanted.append(np.isin(pairs.labels[used], yes).astype(float))
    weights, base = fit(np.concatenate(values), np.concatenate(wanted))
    return Weights(base, **dict(zip(NAMES[:most], weights.tolist(), strict=True)))


def outcome(pair: dict[str, str], met: Alignment | None, understood: float) -> str:
    """What the newer text of a pair is taken for, by the rules and the weights that are set."""
    old, new = pair["old"], pair["new"]
    verdict = next((one for judge in JUDGES if (one := judge(old, new)).relation), UNDECIDED)
    if verdict.relation in {"", "contradicts"}:
        told = weighing.weighed(old, new, met, understood)
        if told.relation == "supersedes" or not verdict.relation:
            verdict = told
    return verdict.relation


def outcomes(pairs: Pairs, author: str, *, words: bool = False) -> dict[str, Counter[str]]:
    """What becomes of the pairs of an author by weights fitted on everybody else's, by label."""
    for name in MODELS:
        setattr(weighing, name, fitted(name, author))
    told = announcing(pairs, author).tolist()
    found: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for pair, label, met, odds, understood in zip(
        pairs.pairs, pairs.labels.tolist(), pairs.met, told, pairs.understood, strict=True
    ):
        by_words = words or glossed(pair["old"]) or glossed(pair["new"])
        said = None if by_words else met.replace(announced=odds)
        found[label][outcome(pair, said, 0.0 if by_words else understood)] += 1
    return found


def row(title: str, found: dict[str, Counter[str]]) -> str:
    """A row of the table."""

    def count(labels: Iterable[str], *relations: str) -> int:
        return sum(found[label][relation] for label in labels for relation in relations)

    compatible = [label for label in LABELS if label not in OVER]
    noticed = count(OVER, "contradicts", "supersedes")
    flagged = count(compatible, "contradicts")
    announced = count(["announces"], "contradicts", "supersedes")
    wrong = count(("narrows", "coexists", "unrelated"), "supersedes", "same", "covers")
    whole = {label: sum(found[label].values()) for label in LABELS}
    cells = (
        title,
        f"{announced / whole['announces']:.2f}",
        f"{noticed / sum(whole[label] for label in OVER):.2f}",
        f"{flagged} of {sum(whole[label] for label in compatible)}",
        f"{noticed / max(1, noticed + flagged):.2f}",
        f"{wrong}",
    )
    return f"| {' | '.join(cells)} |\n"


def by_label(title: str, found: dict[str, Counter[str]]) -> str:
    """A confusion table: what became of each label."""
    relations = ("supersedes", "contradicts", "same", "covers", "")
    told = f"\n| {title} | {' | '.join(LABELS)} |\n|---|{'--:|' * len(LABELS)}\n"
    for relation in relations:
        counts = " | ".join(str(found[label][relation]) for label in LABELS)
        told += f"| {relation or 'undecided'} | {counts} |\n"
    return told


def write_reading() -> None:
    """Write the weights of the vectors, fitted on everybody, beside the model that makes them."""
    weights, base = reading(frozenset())
    half = len(weights) // 2
    arrays = {
        "newer": weights[:half] + weights[half:],
        "older": -weights[half:],
        "base": np.array([base]),
    }
    path = os.path.join(WEIGHTS, "minilm-announcing.bin")
    small = {name: values.astype(np.float32) for name, values in arrays.items()}
    sys.stdout.write(write_tensors(path, "announcing", small) + "\n")


def write_weights() -> None:
    """Print the numbers of `lifecycle/weighing.py`."""
    for name in MODELS:
        model = fitted(name)
        sys.stdout.write(f"{name} = Weights(\n    {model.base:.2f},\n")
        for one, weight in model.counts.items():
            sys.stdout.write(f"    {one}={weight:.2f},\n")
        sys.stdout.write(")\n")


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--reading", action="store_true")
    parser.add_argument("--weights", action="store_true")
    asked = parser.parse_args()
    if asked.reading:
        write_reading()
    elif asked.weights:
        write_weights()
    elif asked.files:
        for path in asked.files:
            found = outcomes(load(path), "")
            sys.stdout.write(row(os.path.basename(path), found))
    else:
        tables = []
        for author in AUTHORS:
            found = outcomes(known(author), author)
            tables.append(by_label(author, found))
            sys.stdout.write(row(author, found))
            found = outcomes(known(author), author, words=True)
            sys.stdout.write(row(f"{author}, by words alone", found))
        sys.stdout.write("".join(tables))


if __name__ == "__main__":
    main()
