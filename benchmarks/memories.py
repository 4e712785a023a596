"""Repeat the fit behind the relevance of memories (`bowerbird/retrieval/relevance.py`).

    python benchmarks/memories.py SET…

A set is a folder as described in `benchmarks/README.md`: the rows of `corpus.jsonl` are memories (with
a `kind`, if known), a scope is a project; questions have a `type`, and those that `qrels.tsv` does not
name have no answer. All are asked in a store of their project and in one of all projects. From the
features recorded, each question is also evaluated without the memories that answer it, and among four
and among twelve.

A logistic regression on the best hit: every kind of answered question has equal weight; those without
an answer have twice that in all, half of it for questions whose answer was removed. Results are
cross-validated: each project is evaluated with constants fitted on the others. Projects in a language
that the contextual model does not read have the first look only.
"""

import argparse
import json
import math
import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bowerbird.bird import Bowerbird
from bowerbird.retrieval import pipeline
from bowerbird.retrieval.candidates import second_look
from bowerbird.retrieval.context import GATE, ITEMS
from bowerbird.retrieval.present import present
from bowerbird.retrieval.relevance import BESIDE, FEWEST_WORDS, LEAST, STRANGE, crowd, words_of
from relevance import regression

FIRST = ("KEPT", "KEPT_SCORE", "KEPT_ENTRIES")
SECOND = (
    "LOOKED",
    "LOOKED_ABOVE",
    "LOOKED_SQUARE",
    "LOOKED_CROWD",
    "LOOKED_LEAST",
    "LOOKED_STRANGE",
    "LOOKED_COVERED",
    "LOOKED_WORDS",
    "COMPARED",
)
# Hits that are evaluated, and hits that are shown in a response.
LIMIT = 50
SHOWN = 10
FEW = (4, 12)
ROUNDS = 6
SETTLED = 1e-4
WITHOUT = 2.0
TAKEN_OUT = 0.5
GATES = (0.1, 0.15, 0.2, 0.22, 0.23, 0.24, 0.25, 0.28, 0.3, 0.35, 0.4)
GONE = "gone: "


class Asked(NamedTuple):
    """One question in one store: a row per memory, in ranking order."""

    project: str
    kind: str
    store: str
    # Score of the first look, cosine (NaN if none), alignment of the worst-matched words, score at that
    # time, and the share of the query's information that the memory contains.
    seen: np.ndarray
    right: np.ndarray
    words: int

    def only(self, rows: "np.ndarray", kind: str, store: str) -> "Asked":
        """The same question with some of the memories only."""
        return self._replace(seen=self.seen[rows], right=self.right[rows], kind=kind, store=store)

    @property
    def looked(self) -> bool:
        """Whether the contextual model read the question."""
        return not np.isnan(self.seen[:, 1]).any()


def features(asked: Asked, *, second: bool) -> np.ndarray:
    """The features of a look's formula, a row per memory."""
    score, cosine, least, then, held = asked.seen.T
    words = np.full(len(score), math.log(1 + max(asked.words, FEWEST_WORDS)))
    size = np.full(len(score), math.log(len(score)))
    one = np.ones(len(score))
    if second:
        around, lacks = crowd(then), np.maximum(STRANGE - cosine, 0.0)
        above = then - around
        return np.stack(
            [one, above, above**2, one * around, least, lacks, held, words, size], axis=1
        )
    return np.stack([one, np.log(np.maximum(score * words, 0.0) + LEAST), size], axis=1)


def ask(folder: str) -> Iterator[Asked]:
    """Every question of a set, in the store of its project and in one of all projects."""
    memories = list(_lines(f"{folder}/corpus.jsonl"))
    questions = list(_lines(f"{folder}/queries.jsonl"))
    right: defaultdict[str, set[str]] = defaultdict(set)
    with open(f"{folder}/qrels.tsv", encoding="utf-8") as file:
        for line in list(file)[1:]:
            name, memory, grade = line.rstrip("\n").split("\t")
            if int(grade) > 0:
                right[name].add(memory)
    noted: list[Any] = []

    def noting(ranking: Any, question: Any, **more: Any) -> Any:
        noted.append((ranking, question))
        return present(ranking, question, **more)

    vars(pipeline)["present"] = noting
    vars(second_look)["SURE"] = 2.0  # above any relevance: no question skips the second look
    for project in (*dict.fromkeys(row["scope"] for row in memories), ""):
        with tempfile.TemporaryDirectory(prefix="bower-bench-") as place:
            path = os.path.join(place, "bench.db")
            with Bowerbird.open(path, project="bench") as bird:
                names = {
                    bird.remember(row["text"], kind=row.get("kind") or None).id: row["_id"]
                    for row in memories
                    if project in ("", row["scope"])
                }
                for question in questions:
                    if project in ("", question["scope"]):
                        noted.clear()
                        bird.query(question["text"], limit=LIMIT)
                        yield _asked(question, names, right[question["_id"]], project, *noted[-1])
        print(project or "all of them", file=sys.stderr)


def _asked(
    question: dict[str, Any],
    names: dict[str, str],
    right: set[str],
    project: str,
    ranking: Any,
    analysed: Any,
) -> Asked:
    first, look = ranking.before["second look"], ranking.look
    then = ranking.before["relations"]
    rows = sorted(ranking.entries, key=lambda row: -ranking.scores[row])
    least = {row: worst for row, (_, worst) in look.met.items()}
    holds = {
        row: ranking.calibration.covered(words_of(entry)) for row, entry in ranking.entries.items()
    }
    seen = [
        (
            first.get(row, 0.0),
            look.cosines.get(row, math.nan),
            least.get(row, 0.0),
            then[row],
            holds[row],
        )
        for row in rows
    ]
    answers = np.array([names[ranking.entries[row].id] in right for row in rows])
    store = "own" if project else "all"
    return Asked(
        question["scope"],
        question["type"],
        store,
        np.array(seen),
        answers,
        len(analysed.information),
    )


def _lines(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def variants(every: Iterable[Asked]) -> Iterator[Asked]:
    """Each question as it was asked, without its answer, and among few memories."""
    chance = random.Random(5)  # noqa: S311 no secret
    for asked in every:
        yield asked
        others = np.flatnonzero(~asked.right)
        if asked.right.any():
            yield asked.only(others, GONE + asked.kind, asked.store)
        for few in FEW if asked.store == "own" else ():
            answers = np.flatnonzero(asked.right)[: few - 1]
            more = chance.sample(list(others), few - len(answers))
            yield asked.only(np.sort([*answers, *more]).astype(int), asked.kind, f"{few}")
            if len(answers):
                gone = np.sort(chance.sample(list(others), few))
                yield asked.only(gone, GONE + asked.kind, f"{few}")


def fit(every: "list[Asked]", *, second: bool) -> np.ndarray:
    """The constants of a look, fitted on the best hit of each answer, which depends on them in turn."""
    if second:
        every = [asked for asked in every if asked.looked]
    counts: defaultdict[tuple[str, str], int] = defaultdict(int)
    for asked in every:
        counts[asked.store, asked.kind] += 1
    kinds = {asked.kind for asked in every if asked.right.any()}
    none = {asked.kind for asked in every} - kinds - {GONE + kind for kind in kinds}
    # The answered kinds have a total weight of their number, the others of WITHOUT times that.
    unit = WITHOUT * len(kinds) / (len(none) * 2 + len(kinds) * TAKEN_OUT)
    weigh = dict.fromkeys(kinds, 1.0) | dict.fromkeys(none, 2 * unit)
    weigh |= {GONE + kind: TAKEN_OUT * unit for kind in kinds}
    rows = [features(asked, second=second) for asked in every]
    constants = np.zeros(len(SECOND if second else FIRST))
    constants[1] = 1.0  # initially the score alone
    for _ in range(ROUNDS):
        hits, answers, worth = [], [], []
        for asked, row in zip(every, rows, strict=True):
            if asked.right.any() and not asked.right[:SHOWN].any():
                continue  # its answer is not shown, so no hit is right
            hits.append(row[(row @ constants).argmax()])
            answers.append(float(asked.right.any()))
            worth.append(weigh[asked.kind] / counts[asked.store, asked.kind])
        scale = 1000 / sum(worth)
        found = regression(np.array(hits), np.array(answers), np.array(worth) * scale)
        settled = np.abs(found - constants).max() < SETTLED
        constants = found
        if settled:
            break
    return constants


def left_out(every: "list[Asked]") -> Iterator[tuple[Asked, np.ndarray]]:
    """Each question in its store, with relevance from constants fitted on the other projects."""
    for project in sorted({asked.project for asked in every}):
        others = [asked for asked in every if asked.project != project]
        first, second = fit(others, second=False), fit(others, second=True)
        for asked in every:
            if asked.project == project and asked.store == "own" and GONE not in asked.kind:
                by = second if asked.looked else first
                odds = features(asked, second=asked.looked) @ by
                yield asked, 1 / (1 + np.exp(-odds))


def held(asked: Asked, sure: np.ndarray, gate: float) -> tuple[bool, int]:
    """Whether a context holds a right memory (any, if there is none), and its number of memories."""
    best = sure.max()
    if best < gate:
        return False, 0
    chosen = np.flatnonzero(sure >= BESIDE * best)[:ITEMS]
    return bool(asked.right[chosen].any() or not asked.right.any()), len(chosen)


def report(chosen: "list[tuple[Asked, np.ndarray]]") -> None:
    """Print what a context would hold at each threshold."""
    kinds = list(dict.fromkeys(asked.kind for asked, _ in chosen))
    print("| gate |", " | ".join(kinds), "| memories |")
    print("|---|" + "--:|" * (len(kinds) + 1))
    for gate in GATES:
        found: defaultdict[str, list[bool]] = defaultdict(list)
        sizes = []
        for asked, sure in chosen:
            true, size = held(asked, sure, gate)
            found[asked.kind].append(true)
            sizes += [size] if size else []
        shares = " | ".join(f"{sum(found[kind]) / len(found[kind]):.2f}" for kind in kinds)
        mark = "**" if gate == GATE else ""
        print(f"| {mark}{gate}{mark} | {shares} | {sum(sizes) / max(len(sizes), 1):.1f} |")


def main() -> None:
    """Ask the sets, fit, and print the constants and results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+")
    options = parser.parse_args()
    every = list(variants(asked for folder in options.sets for asked in ask(folder)))
    for names, second in ((FIRST, False), (SECOND, True)):
        constants = fit(every, second=second)
        print(
            "  ".join(f"{name} {value:.2f}" for name, value in zip(names, constants, strict=True))
        )
    answers = list(left_out(every))
    print("\nContexts, each project by constants of the others:\n")
    report(answers)
    print("\nThe same where the contextual model read the question:\n")
    report([one for one in answers if one[0].looked])
    true = [sure[:SHOWN].max() for asked, sure in answers if asked.right[:SHOWN].any()]
    floor = sorted(true)[len(true) // 10]
    print(f"\nThe floor that keeps .9 of what is shown: {floor:.2f}")
    for kind in sorted({asked.kind for asked, _ in answers if not asked.right.any()}):
        best = [sure[:SHOWN].max() for asked, sure in answers if asked.kind == kind]
        print(f"{kind}: {sum(one >= floor for one in best) / len(best):.2f} let through")


if __name__ == "__main__":
    main()
