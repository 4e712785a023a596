"""``bench recall``: runs a whole set through the product's index and query, with the baselines."""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import perf_counter

from bowerbird.bench.baselines import DenseBaseline, LexicalBaseline, fused
from bowerbird.bench.metrics import (
    RESAMPLES,
    SEED,
    Shown,
    evidence_shown,
    mean,
    ndcg,
    paired_interval,
    ranked,
    recall,
)
from bowerbird.bench.sets import Layout
from bowerbird.bird import Bowerbird
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from bowerbird.bench.sets import EvaluationSet, Scope, Topic
    from bowerbird.core.ports.progress import Progress

# Maximum number of hits per query; the same for every system.
LIMIT = 50
PRODUCT = "bowerbird"
SYSTEMS = (PRODUCT, "fts5", "dense", "rrf")
METRICS = ("R@5", "R@10", "nDCG@10", "shown@1000", "shown@2000")
# Fixed, so that the machine's own settings do not affect a measurement.
SETTINGS = {"query.min_score": 0.0, "query.budget": 0}


class Measured(Record):
    """One question: each system's metrics on it, and its milliseconds."""

    type: str
    scores: dict[str, dict[str, float]]
    ms: dict[str, float]


class Intake(Record):
    """The cost of indexing a scope."""

    bytes_read: int
    passages: int
    seconds: float
    model: str


def measure(
    evaluation: "EvaluationSet", *, jobs: int = 1, progress: "Progress | None" = None
) -> "tuple[list[Measured], list[Intake]]":
    """Runs every scope of a set, each in a separate store in a temporary folder."""
    if progress is not None:
        progress.start(evaluation.name, sum(len(scope.questions) for scope in evaluation.scopes))
    try:
        parts = list(_scopes(evaluation, jobs, progress))
    finally:
        if progress is not None:
            progress.finish()
    return [one for part, _ in parts for one in part], [intake for _, intake in parts]


def _scopes(
    evaluation: "EvaluationSet", jobs: int, progress: "Progress | None"
) -> "Iterator[tuple[list[Measured], Intake]]":
    if jobs == 1 or len(evaluation.scopes) == 1:
        for scope in evaluation.scopes:
            yield run_scope(scope, evaluation.form, progress)
        return
    # Largest first, so that the longest job does not run alone at the end.
    largest_first = sorted(evaluation.scopes, key=lambda scope: -len(scope.rows))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(run_scope, scope, evaluation.form): scope for scope in largest_first}
        for done in as_completed(waiting):
            if progress is not None:
                progress.advance(len(waiting[done].questions), waiting[done].name)
            yield done.result()


def run_scope(
    scope: "Scope", form: str, progress: "Progress | None" = None
) -> "tuple[list[Measured], Intake]":
    """Indexes one scope, asks every system its questions, and computes the metrics of the answers."""
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        layout = Layout.write(scope, corpus, form)
        store = os.path.join(folder, "bench.db")
        with Bowerbird.open(store, project="bench", settings=SETTINGS) as bird:
            begin = perf_counter()
            report = bird.index(corpus)
            seconds = perf_counter() - begin
            systems = _systems(bird, scope, layout)
            measured = []
            for question in scope.questions:
                measured.append(_ask(question, scope, systems))
                if progress is not None:
                    progress.advance(1, scope.name)
            model = bird.status().model_used
    return measured, Intake(report.bytes_read, report.passages, seconds, model)


def _systems(
    bird: Bowerbird, scope: "Scope", layout: Layout
) -> "dict[str, Callable[[str], list[Shown]]]":
    texts = [row.whole for row in scope.rows]
    words, meaning = LexicalBaseline(texts), DenseBaseline(bird, texts)

    def rows(indexes: "Sequence[int]") -> list[Shown]:
        return [Shown(texts[at], (at,)) for at in indexes[:LIMIT]]

    def product(question: str) -> list[Shown]:
        return [
            Shown(hit.text, tuple(layout.rows_at(hit.path, hit.start_line, hit.end_line)))
            for hit in bird.query(question, limit=LIMIT)
        ]

    return {
        PRODUCT: product,
        "fts5": lambda question: rows(words.rank(question)),
        "dense": lambda question: rows(meaning.rank(question)),
        "rrf": lambda question: rows(fused([words.rank(question), meaning.rank(question)])),
    }


def _ask(
    question: "Topic", scope: "Scope", systems: "dict[str, Callable[[str], list[Shown]]]"
) -> Measured:
    evidence = {row: scope.rows[row].text for row in question.grades}
    scores, ms = {}, {}
    for name, system in systems.items():
        begin = perf_counter()
        hits = system(question.text)
        ms[name] = (perf_counter() - begin) * 1000
        ranking = ranked(hits)
        scores[name] = {
            "R@5": recall(ranking, question.grades, 5),
            "R@10": recall(ranking, question.grades, 10),
            "nDCG@10": ndcg(ranking, question.grades, 10),
            "shown@1000": evidence_shown(hits, evidence, 1_000),
            "shown@2000": evidence_shown(hits, evidence, 2_000),
        }
    return Measured(question.type, scores, ms)


def summary(measured: "Sequence[Measured]") -> "dict[str, Any]":
    """Means by system and by type, and the intervals of the differences to each baseline."""
    types = sorted({one.type for one in measured if one.type})
    return {
        "systems": {name: _means(measured, name) for name in SYSTEMS},
        "differences": {
            baseline: {metric: _difference(measured, baseline, metric) for metric in METRICS}
            for baseline in SYSTEMS[1:]
        },
        "types": {
            type: {
                "questions": sum(one.type == type for one in measured),
                **{
                    name: _means([one for one in measured if one.type == type], name)
                    for name in SYSTEMS
                },
            }
            for type in types
        },
        "bootstrap": {"resamples": RESAMPLES, "seed": SEED, "interval": 0.95},
    }


def _means(measured: "Sequence[Measured]", system: str) -> dict[str, float]:
    means = {
        metric: round(mean([one.scores[system][metric] for one in measured]), 4)
        for metric in METRICS
    }
    return {**means, "ms": round(mean([one.ms[system] for one in measured]), 3)}


def _difference(measured: "Sequence[Measured]", baseline: str, metric: str) -> dict[str, float]:
    found, low, high = paired_interval(
        [one.scores[PRODUCT][metric] for one in measured],
        [one.scores[baseline][metric] for one in measured],
    )
    return {"mean": round(found, 4), "low": round(low, 4), "high": round(high, 4)}
