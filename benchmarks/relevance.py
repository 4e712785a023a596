"""Repeat the fit behind `bowerbird/retrieval/relevance.py`.

    python benchmarks/relevance.py SETS/locomo-turn SETS/beam-100k SETS/xquad-en \
        --among SETS/cranfield SETS/scifact-train SETS/beam-100k

Each set is asked as by `bower bench nothing`: its questions with and without their answer in the store.
With `--among`, one conversation of the first set is asked a second time in a store that holds those
sets as well. The fit is a logistic regression on the best hit of each answer; sets and both kinds of
answers have equal weight. Which hit is best depends on the fit, so it is repeated until it converges.
Then each set is evaluated with constants fitted on the others.
"""

import argparse
import os
import pickle
import sys
import tempfile
from collections.abc import Collection, Mapping
from typing import ClassVar

import numpy as np

from bowerbird.bench.recall import SETTINGS
from bowerbird.bench.sets import Layout, read_set
from bowerbird.bird import Bowerbird
from bowerbird.core.answers import Hits
from bowerbird.retrieval import analyse, pipeline, relevance
from quality.no_answer import KEPT, LIMIT, Case, auroc, cases, keeping

NAMES = ("INTERCEPT", "SCORE", "COVERAGE", "GUESSED", "ENTRIES", "BOTH")
ROUNDS = 6
STEPS = 60
SETTLED = 1e-7
# Keeps a constant for which no set has data from growing without bound.
RIDGE = 1e-3


class Recorder(relevance.Calibration):
    """A calibration that records the features of each hit."""

    seen: ClassVar[list[tuple[float, ...]]] = []

    def __init__(
        self, information: Mapping[str, float], guessed: Collection[str], entries: int
    ) -> None:
        """Takes the arguments of any calibration."""
        super().__init__(information, guessed, entries)
        total = sum(information.values()) or 1.0
        self._words = np.log(1 + len(information))
        self._guessed = sum(information[term] for term in guessed if term in information) / total
        self._size = np.log(max(entries, analyse.SMALLEST))

    def relevance(self, score: float, coverage: float) -> float:
        """The relevance of a hit; its features are recorded."""
        worth, held = score * self._words, coverage
        self.seen.append((1.0, worth, held, self._guessed, self._size, worth * held))
        return super().relevance(score, coverage)


class Asked:
    """The features of the hits of each answer of a set: of those with evidence, and of those without."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.true: list[np.ndarray] = []
        self.false: list[np.ndarray] = []

    def ask(self, case: Case, form: str, among: "list[str]") -> None:
        """Index a store, together with other sets, and ask all questions."""
        with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
            own = os.path.join(folder, "own")
            os.mkdir(own)
            layout = Layout.write(case.scope, own, form)
            for path in among:
                other = read_set(path)
                for number, scope in enumerate(other.scopes):
                    beside = os.path.join(folder, other.name, str(number))
                    os.makedirs(beside)
                    Layout.write(scope, beside, other.form)
            store = os.path.join(folder, "bench.db")
            with Bowerbird.open(store, project="bench", settings=SETTINGS, resident=True) as bird:
                bird.index(folder)
                asked = dict.fromkeys(question.text for question in case.scope.questions)
                for question in case.scope.questions:
                    if question.text not in asked:
                        continue
                    del asked[question.text]
                    hits, features = self._answer(bird, question.text)
                    shown = {
                        place
                        for hit in hits
                        for place in layout.rows_at(hit.path, hit.start_line, hit.end_line)
                    }
                    if not shown.isdisjoint(question.grades):
                        self.true.append(features)
                for text in dict.fromkeys(case.unanswerable):
                    _, features = self._answer(bird, text)
                    if len(features):
                        self.false.append(features)

    @staticmethod
    def _answer(bird: Bowerbird, text: str) -> tuple[Hits, np.ndarray]:
        Recorder.seen.clear()
        hits = bird.query(text, limit=LIMIT)
        return hits, np.array(Recorder.seen)


def best(answers: "list[np.ndarray]", constants: np.ndarray) -> np.ndarray:
    """The features of each answer's best hit."""
    return np.array([one[(one @ constants).argmax()] for one in answers])


def fit(sets: "list[Asked]", constants: np.ndarray) -> np.ndarray:
    """The constants that separate the best hits of true answers from those of false ones."""
    for _ in range(ROUNDS):
        parts = [(best(each, constants), kind) for one in sets for each, kind in
                 ((one.true, 1.0), (one.false, 0.0))]  # fmt: skip
        hits = np.concatenate([part for part, _ in parts])
        kinds = np.concatenate([np.full(len(part), kind) for part, kind in parts])
        counts = np.concatenate([np.full(len(part), 1 / len(part)) for part, _ in parts])
        constants = regression(hits, kinds, counts)
    return constants


def regression(hits: np.ndarray, kinds: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method."""
    constants = np.zeros(hits.shape[1])
    ridge = np.eye(hits.shape[1]) * RIDGE * counts.sum()
    ridge[0, 0] = 0
    for _ in range(STEPS):
        sure = 1 / (1 + np.exp(-np.clip(hits @ constants, -30, 30)))
        slope = hits.T @ (counts * (kinds - sure)) - ridge @ constants
        curve = (hits * (counts * sure * (1 - sure))[:, None]).T @ hits + ridge
        step = np.linalg.solve(curve, slope)
        constants = constants + step
        if np.abs(step).max() < SETTLED:
            break
    return constants


def row(one: Asked, constants: np.ndarray) -> str:
    """How well the constants separate a set's true and false answers."""
    sure = [1 / (1 + np.exp(-(best(each, constants) @ constants))) for each in
            (one.true, one.false)]  # fmt: skip
    true, false = sure[0].tolist(), sure[1].tolist()
    floor = keeping(true, KEPT)
    wrong = sum(value >= floor for value in false) / len(false)
    return (
        f"{one.name:24} {len(true):5} {len(false):5}  AUROC {auroc(true, false):.3f}"
        f"  false recall {wrong:.3f} at {floor:.2f}"
    )


def main() -> None:
    """Ask the sets, fit, and print the constants and results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--among", nargs="*", default=[])
    parser.add_argument("--limit-queries", type=int)
    parser.add_argument(
        "--keep", help="a file that keeps what was asked, and is read if it is there"
    )
    options = parser.parse_args()
    vars(pipeline)["Calibration"] = Recorder
    sets = []
    if options.keep and os.path.exists(options.keep):
        with open(options.keep, "rb") as file:
            sets = pickle.load(file)  # noqa: S301 our own file
    else:
        for place, path in enumerate(options.sets):
            evaluation = read_set(path, limit=options.limit_queries)
            asked = Asked(evaluation.name)
            made = cases(evaluation)
            for case in made:
                asked.ask(case, evaluation.form, [])
            sets.append(asked)
            if options.among and place == 0:
                among = Asked(f"{evaluation.name}, among others")
                among.ask(made[0], evaluation.form, options.among)
                sets.append(among)
            print(evaluation.name, file=sys.stderr)
        if options.keep:
            with open(options.keep, "wb") as file:
                pickle.dump(sets, file)
    today = np.array([getattr(relevance, name) for name in NAMES])
    found = fit(sets, today)
    print("  ".join(f"{name} {value:.2f}" for name, value in zip(NAMES, found, strict=True)))
    for one in sets:
        print(row(one, found))
    print("\nas they are:", today)
    for one in sets:
        print(row(one, today))
    print("\nfitted on the others:")
    for one in sets:
        others = [each for each in sets if each is not one]
        if others:
            print(row(one, fit(others, today)))


if __name__ == "__main__":
    main()
