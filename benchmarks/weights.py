"""Would learned weights beat those in `bowerbird/retrieval/fuse.py`?

    python benchmarks/weights.py SETS/locomo-turn SETS/beam-100k SETS/scifact-train --limit 250

Every stage adds its share to a hit's score, and the trace records it. For each set, factors for the
shares are fitted on the other sets (a logistic regression over pairs of hits of one answer, which
should rank evidence first; questions and sets have equal weight, and a ridge keeps factors near 1), and
its hits are ranked anew. This is done for all questions and for each sort of them separately; for
comparison, the gain of a set that is fitted on itself is printed. Differences within .01 are noise.
"""

import argparse
import os
import re
import tempfile
from collections.abc import Mapping, Sequence

import numpy as np

from bowerbird.bench.metrics import Shown, evidence_shown, ndcg, ranked, recall
from bowerbird.bench.recall import SETTINGS
from bowerbird.bench.sets import Layout, Scope, Topic, read_set
from bowerbird.bird import Bowerbird

DEEP = 50
# Maximum hits without evidence, best first, that each hit with evidence is compared with.
AGAINST = 30
# The score difference that counts as near certain; chosen near the spread of the scores.
CERTAIN = 0.03
RIDGE = 0.02
STEPS = 30
# Minimum questions of a sort in a set; fewer are not significant.
FEWEST = 40
ALL = "all"
LENGTHS = ((6, "up to 6 words"), (14, "7 to 14"))
METRICS = ("R@10", "nDCG@10", "shown@2000")


class RankedQuestion:
    """One answer: the shares of its hits by stage, which hold evidence, and their displayed content."""

    def __init__(
        self,
        question: Topic,
        scope: Scope,
        shares: Sequence[Mapping[str, float]],
        shown: Sequence[Shown],
    ) -> None:
        self.question = question
        self.evidence = {place: scope.rows[place].text for place in question.grades}
        self.shares = shares
        self.shown = shown
        self.right = np.array([not self.evidence.keys().isdisjoint(hit.documents) for hit in shown])

    def table(self, stages: Sequence[str]) -> np.ndarray:
        """The share of each stage in each hit's score, a row per hit."""
        return np.array([[share.get(stage, 0.0) for stage in stages] for share in self.shares])

    def figures(self, stages: Sequence[str], weights: np.ndarray) -> tuple[float, ...]:
        """The metrics with the stages' shares multiplied by these weights."""
        order = np.argsort(-(self.table(stages) @ weights), kind="stable")
        hits = [self.shown[place] for place in order]
        ranking, grades = ranked(hits), self.question.grades
        return (
            recall(ranking, grades, 10),
            ndcg(ranking, grades, 10),
            evidence_shown(hits, self.evidence, 2_000),
        )


def answers(path: str, limit: int) -> list[RankedQuestion]:
    """The answers to a set's questions; those without hits are left out."""
    found = []
    asked = read_set(path, limit=limit)
    for scope in asked.scopes:
        with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
            corpus = os.path.join(folder, "corpus")
            os.mkdir(corpus)
            layout = Layout.write(scope, corpus, asked.form)
            store = os.path.join(folder, "bench.db")
            with Bowerbird.open(store, project="bench", settings=SETTINGS, resident=True) as bird:
                bird.index(corpus)
                for question in scope.questions:
                    hits = bird.query(question.text, limit=DEEP, explain=True)
                    if hits:
                        shares = [hits.trace.contributions(hit.entry.row) for hit in hits]
                        shown = [
                            Shown(
                                hit.text,
                                tuple(layout.rows_at(hit.path, hit.start_line, hit.end_line)),
                            )
                            for hit in hits
                        ]
                        found.append(RankedQuestion(question, scope, shares, shown))
    return found


def pairs(found: Sequence[RankedQuestion], stages: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Differences of right hits to wrong ones, and their weights: each question counts the same."""
    rows, counts = [np.zeros((0, len(stages)))], [np.zeros(0)]
    for answer in found:
        table = answer.table(stages)
        right, wrong = table[answer.right], table[~answer.right][:AGAINST]
        if len(right) and len(wrong):
            rows.append((right[:, None] - wrong[None]).reshape(-1, len(stages)))
            counts.append(np.full(len(rows[-1]), 1 / len(rows[-1])))
    counted = np.concatenate(counts)
    return np.concatenate(rows), counted / max(counted.sum(), 1e-9)


def learn(sets: Sequence[Sequence[RankedQuestion]], stages: Sequence[str]) -> np.ndarray:
    """The factors of the stages' shares, by Newton's method from 1."""
    compared = [pairs(found, stages) for found in sets]
    rows = np.concatenate([one for one, _ in compared]) / CERTAIN
    counts = np.concatenate([count / len(compared) for _, count in compared])
    weights = np.ones(len(stages))
    for _ in range(STEPS):
        wrong = 1 / (1 + np.exp(np.clip(rows @ weights, -50, 50)))
        slope = -rows.T @ (counts * wrong) + RIDGE * (weights - 1)
        bend = (rows.T * (counts * wrong * (1 - wrong))) @ rows + RIDGE * np.eye(len(stages))
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def sort_of(question: Topic) -> str:
    """A sort of question that needs no label: by its first word, else by its length."""
    asked = re.findall(r"\w+", question.text.lower())
    if asked[:1] in (["when"], ["wann"], ["who"], ["whose"], ["wer"]):
        return "when and who"
    return next((sort for words, sort in LENGTHS if len(asked) <= words), "longer")


def compare(
    sets: Mapping[str, Sequence[RankedQuestion]], stages: Sequence[str], sort: str
) -> list[tuple[str, int, np.ndarray, np.ndarray, np.ndarray]]:
    """By set: number of questions, metrics, change by the weights of the others, and by its own."""
    chosen = {
        name: [one for one in found if sort in (ALL, sort_of(one.question))]
        for name, found in sets.items()
    }
    results = []
    for name, found in chosen.items():
        others = [one for other, one in chosen.items() if other != name and len(one) >= FEWEST]
        if len(found) < FEWEST or not others:
            continue
        weights = (np.ones(len(stages)), learn(others, stages), learn([found], stages))
        plain, learnt, fitted = (
            np.mean([one.figures(stages, weight) for one in found], axis=0) for weight in weights
        )
        results.append((name, len(found), plain, learnt - plain, fitted - plain))
    return results


def main() -> None:
    """Ask the named sets, and print what learned weights would change."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--limit", type=int, default=250, help="questions a set")
    given = parser.parse_args()
    sets = {os.path.basename(path.rstrip("/")): answers(path, given.limit) for path in given.sets}
    stages = sorted(
        {
            stage
            for found in sets.values()
            for one in found
            for share in one.shares
            for stage in share
        }
    )
    sorts = sorted({sort_of(one.question) for found in sets.values() for one in found})
    print(f"{'questions':15}{'set':16}{'':5}" + "".join(f"{metric:>22}" for metric in METRICS))
    print(f"{'':36}" + "   now learnt by itself" * len(METRICS))
    for sort in (ALL, *sorts):
        for name, count, plain, learnt, fitted in compare(sets, stages, sort):
            cells = zip(plain, learnt, fitted, strict=True)
            figures = "".join(f"{now:7.3f}{gain:+7.3f}{own:+8.3f}" for now, gain, own in cells)
            print(f"{sort:15}{name:16}{count:5}{figures}")


if __name__ == "__main__":
    main()
