"""Fits the weights of differences on labelled pairs, and evaluates fits on authors left out.

    python benchmarks/weighing.py           # by author: what benchmarks/pairs.md shows
    python benchmarks/weighing.py FILE…     # pairs of others, by weights fitted on everybody here
    python benchmarks/weighing.py --reading # write `minilm-comparing.bin`, fitted on everybody
    python benchmarks/weighing.py --weights # write `lifecycle/weighing.txt`, fitted on everybody

Logistic regression with a ridge, on standardised features and their pairwise products, by Newton's
method. Two of the features are the results of separate regressions on the contextual vectors of both
texts (`announcing`, `opposing`). For an author's pairs these always come from a regression that was
fitted without that author.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

from bowerbird.core.memories import Pair
from bowerbird.lifecycle import weighing
from bowerbird.lifecycle.differences import Differences, Matches
from bowerbird.lifecycle.judge import RULES, by_words
from bowerbird.lifecycle.retrieve_candidates import FOUND
from bowerbird.lifecycle.weighing import MOST_DEVIATIONS, Regression, Ruled
from bowerbird.lifecycle.word_classes import SMALL
from bowerbird.lifecycle.wording import wording
from bowerbird.models.embed.contextual import WEIGHTS, ContextualEmbedder
from bowerbird.models.embed.glosses import Glosses

sys.path.append(str(Path(__file__).resolve().parent.parent / "scripts"))

from model_files import write_tensors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bowerbird.core.memories import Alignment

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

FOLDER = os.path.join(os.path.dirname(__file__), "..", "tests", "data", "pairs")
LABELS = ("announces", "replaces", "same", "refines", "narrows", "coexists", "unrelated")
# Labels of other sets mapped to ours; ambiguous ones are left out.
READ_AS = {"look-alike": "coexists", "coexisting": "coexists", "paraphrase": "same"}
# Short announcements and similar texts, whose author knew the rules: used for fitting, not for
# evaluation.
PLAIN = "announced"
AUTHORS = tuple("abcdefghijk")
EVERYBODY = (*AUTHORS, PLAIN)
# Older sets, for fitting `OPPOSED` alone: most of their pairs differ in a word or two. Their look-alike
# pairs and updates may hold together or not.
OLDER = ("pairs", "everyday", "opposed")
READ_OLDER = {"coexisting": "coexists", "paraphrase": "same", "contradictory": "replaces"}
# The sets on which readings of announcements are fitted; of `pairs`, those that announce nothing.
READERS = (*EVERYBODY, "pairs")
OVER = ("announces", "replaces")
# Ridge on the weights of features and products: with 200 recall differs by .01 to either side by
# precision; with 100 average precision falls by .01.
RIDGE = 333.0
# Ridge for regressions on two vectors: from 30 to 1,000 the average precision of authors left out rises.
RIDGE_READING = 1_000.0
ROUNDS = 8
ROUNDS_READING = 5
# Smaller differences between numbers count as none.
TINY = 1e-9


class Pairs:
    """The pairs of one author: labels, features and alignments."""

    def __init__(self, pairs: list[dict[str, str]], read_as: dict[str, str] = READ_AS) -> None:
        model = ContextualEmbedder.builtin()
        labels = [read_as.get(pair["label"], pair["label"]) for pair in pairs]
        kept = [at for at, label in enumerate(labels) if label in LABELS]
        self.pairs = [pairs[at] for at in kept]
        self.labels = np.array([labels[at] for at in kept])
        # Texts are compared untranslated (`ContextualEmbedder.aligned`).
        with patch.object(Glosses, "read", lambda _, text: text):
            vectors = model.embed([pair[end] for pair in self.pairs for end in ("old", "new")])
        units = np.array([unit(one.values) for one in vectors])
        vectors = model.embed([pair[end] for pair in self.pairs for end in ("old", "new")])
        found = np.array([unit(one.values) for one in vectors])
        # The cosines by which admission retrieves memories and selects those to compare.
        self.found: list[float] = (found[::2] * found[1::2]).sum(1).tolist()
        old, new = units[::2], units[1::2]
        self.read = {
            "announcing": np.hstack([new, new - old]),
            "opposing": np.hstack([new, new - old, np.abs(new - old), new * old]),
        }
        self.met = [model.aligned(pair["new"], [pair["old"]])[0] for pair in self.pairs]
        wordings = [(wording(pair["old"]), wording(pair["new"])) for pair in self.pairs]
        rows = [
            (
                *Differences(*both).raw_dict().values(),
                *Matches(met, SMALL).raw_dict().values(),
                *Ruled(by_words(pair["old"], pair["new"], met), *both).raw_dict().values(),
            )
            for pair, both, met in zip(self.pairs, wordings, self.met, strict=True)
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


@cache
def older(name: str) -> Pairs:
    """The pairs of an older set."""
    with open(os.path.join(FOLDER, f"{name}.jsonl"), encoding="utf-8") as file:
        return Pairs([json.loads(line) for line in file], READ_OLDER)


def unit(values: bytes | memoryview) -> Floats:
    """A vector scaled to length 1."""
    whole = np.frombuffer(values, np.int8).astype(float)
    return whole / float(np.linalg.norm(whole))


# For each regression on the vectors: sets for fitting, positive labels, ignored labels. Whether a
# replacing text announces it is a matter of taste.
READINGS = {
    "announcing": (READERS, ("announces",), ("replaces",)),
    "opposing": (EVERYBODY, OVER, ()),
}


@cache
def reading(name: str, but: frozenset[str]) -> Floats:
    """Weights of `Pairs.read` and the intercept, fitted on all readers but some."""
    by, yes, left_out = READINGS[name]
    sets = [known(author) for author in by if author not in but]
    used = [~np.isin(one.labels, left_out) for one in sets]
    values = np.concatenate([one.read[name][some] for one, some in zip(sets, used, strict=True)])
    wanted = np.concatenate(
        [np.isin(one.labels[some], yes) for one, some in zip(sets, used, strict=True)]
    )
    mean, spread = deviations(values)
    weights = fit((values - mean) / spread, wanted.astype(float), RIDGE_READING, ROUNDS_READING)
    scaled: Floats = weights[:-1] / spread
    return np.append(scaled, weights[-1] - scaled @ mean)


def read_by(name: str, pairs: Pairs, *but: str) -> Floats:
    """The log odds for some pairs by a regression fitted without some authors."""
    weights = reading(name, frozenset(but) & frozenset(READINGS[name][0]))
    odds: Floats = pairs.read[name] @ weights[:-1] + weights[-1]
    return odds


def deviations(values: Floats) -> tuple[Floats, Floats]:
    """The mean and standard deviation of each feature."""
    mean, spread = values.mean(0), values.std(0)
    return mean, np.where(spread > TINY, spread, 1)


def fit(values: Floats, wanted: Floats, weight: float = RIDGE, rounds: int = ROUNDS) -> Floats:
    """The weight of each feature, then the intercept; `wanted` is 0 or 1."""
    x = np.hstack([values, np.ones((len(values), 1))])
    ridge = weight * np.eye(x.shape[1])
    ridge[-1, -1] = 0
    weights = np.zeros(x.shape[1])
    for _ in range(rounds):
        odds = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (wanted - odds) - ridge @ weights
        bend = (x * (odds * (1 - odds))[:, None]).T @ x + ridge
        weights = weights + np.linalg.solve(bend, slope)
    return weights


# The number of features beside those of `Ruled`.
COMPARED = len(Differences.__slots__) + len(Matches.__slots__)
MODELS: dict[
    str, tuple[tuple[str, ...], tuple[str, ...], int | None]
] = {  # positive labels, ignored labels, features
    weighing.OPPOSED: (OVER, (), None),
    weighing.ANNOUNCED: (("announces",), ("replaces",), COMPARED),
    weighing.ANNOUNCED_BY_WORDS: (("announces",), ("replaces",), len(Differences.__slots__)),
}


NAMES = (*Differences.__slots__, *Matches.__slots__, *Ruled.__slots__)


@cache
def fitted(name: str, but: str = "") -> Regression:
    """One of the models, fitted on all sets but one."""
    yes, left_out, most = MODELS[name]
    values, wanted = [], []
    sets = {author: known(author) for author in EVERYBODY if author != but}
    if name == weighing.OPPOSED:
        sets |= {f"older {one}": older(one) for one in OLDER}
    for author, pairs in sets.items():
        used = ~np.isin(pairs.labels, left_out)
        numbers = pairs.values.copy()
        for one in READINGS:
            numbers[:, NAMES.index(one)] = read_by(one, pairs, author, but)
        values.append(numbers[used][:, :most])
        wanted.append(np.isin(pairs.labels[used], yes).astype(float))
    every = np.concatenate(values)
    mean, spread = deviations(every)
    each = np.clip((every - mean) / spread, -MOST_DEVIATIONS, MOST_DEVIATIONS)
    first, second = np.triu_indices(each.shape[1])
    weights = fit(np.hstack([each, each[:, first] * each[:, second]]), np.concatenate(wanted))
    alone, products = weights[: len(mean)].tolist(), weights[len(mean) : -1].tolist()
    rows: list[tuple[float, ...]] = [(float(weights[-1]), *alone)]
    for size in range(len(mean), 0, -1):
        rows.append(tuple(products[:size]))
        products = products[size:]
    return Regression(list(zip(NAMES[:most], mean.tolist(), spread.tolist(), strict=True)), rows)


def outcome(pair: dict[str, str], met: Alignment | None, found: float) -> str:
    """The outcome for the newer text of a pair, by the rules and the current weights."""
    verdict = RULES.judge(Pair(pair["old"], pair["new"], "fact", "fact", met, found))
    return "supersedes" if verdict.relation == "extends" else verdict.relation


def outcomes(pairs: Pairs, author: str, *, words: bool = False) -> dict[str, Counter[str]]:
    """The outcomes of an author's pairs with weights fitted on all other authors, by label."""
    models = {name: fitted(name, author) for name in MODELS}
    odds = [read_by(name, pairs, author).tolist() for name in READINGS]
    found: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    with patch.object(weighing, "regression", models.__getitem__):
        for pair, label, met, near, announced, opposed in zip(
            pairs.pairs, pairs.labels.tolist(), pairs.met, pairs.found, *odds, strict=True
        ):
            both = met.replace(announced=announced, opposed=opposed)
            read = both if near >= FOUND and not words else None
            found[label][outcome(pair, read, 0.0 if words else near)] += 1
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
    """A confusion table: outcomes by label."""
    relations = ("supersedes", "contradicts", "same", "covers", "")
    table = f"\n| {title} | {' | '.join(LABELS)} |\n|---|{'--:|' * len(LABELS)}\n"
    for relation in relations:
        counts = " | ".join(str(found[label][relation]) for label in LABELS)
        table += f"| {relation or 'undecided'} | {counts} |\n"
    return table


def write_reading() -> None:
    """Write the weights of the vector regressions, fitted on everybody, next to the model's files."""
    path = os.path.join(WEIGHTS, "minilm-comparing.bin")
    arrays = {
        sort: reading(name, frozenset()).astype(np.float32)
        for name, sort in zip(READINGS, ("announced", "opposed"), strict=True)
    }
    sys.stdout.write(write_tensors(path, "comparing", arrays) + "\n")


def write_weights() -> None:
    """Write the file that `lifecycle/weighing.py` reads."""
    with open(weighing.FITTED, "w", encoding="ascii") as file:
        for name in MODELS:
            model = fitted(name)
            numbers = [("constant", 0.0, 1.0), *model.numbers]
            for (number, mean, spread), row in zip(numbers, model.rows, strict=True):
                weights = " ".join(f"{weight:.4g}" for weight in row)
                file.write(f"{name} {number} {mean:.4g} {spread:.4g} {weights}\n")


def main() -> None:
    """Fit, and print the results."""
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
