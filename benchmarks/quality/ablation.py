"""``quality ablation``: the contribution of each stage, measured by disabling it over whole sets.

Each scope is indexed once; then every question is asked with all stages, and once without each stage that
can be disabled.
"""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from bowerbird.admin import optional_stages
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
from bowerbird.bench.recall import LIMIT, SETTINGS
from bowerbird.bench.sets import Layout
from bowerbird.bird import Bowerbird

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.bench.sets import EvaluationSet, Scope, Topic
    from bowerbird.core.answers import Hits

METRICS = ("R@10", "nDCG@10", "shown@2000")
FULL = "full"
# The metrics of one question, by the disabled stage.
Scores = dict[str, tuple[float, ...]]


def measure(evaluation: "EvaluationSet", *, jobs: int = 1) -> "dict[str, Any]":
    """The metrics of a set with all stages, and the difference that each stage makes."""
    measured: list[Scores] = []
    # Largest first, so that the longest job does not run alone at the end.
    scopes = sorted(evaluation.scopes, key=lambda scope: -len(scope.rows))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(run_scope, one, evaluation.form) for one in scopes]):
            measured += done.result()
    return summary(evaluation.name, measured)


def run_scope(scope: "Scope", form: str) -> list[Scores]:
    """Indexes one scope, and asks each of its questions in every configuration."""
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        layout = Layout.write(scope, corpus, form)
        store = os.path.join(folder, "bench.db")
        # A resident process gives the same answers, faster: every question is asked once per stage.
        with Bowerbird.open(store, project="bench", settings=SETTINGS, resident=True) as bird:
            bird.index(corpus)
            return [_ask(bird, question, scope, layout) for question in scope.questions]


def _ask(bird: Bowerbird, question: "Topic", scope: "Scope", layout: Layout) -> Scores:
    hits = bird.query(question.text, limit=LIMIT)
    scores = {FULL: _score(hits, question, scope, layout)}
    for stage in optional_stages():
        found = bird.query(question.text, limit=LIMIT, without=[stage])
        scores[stage] = _score(found, question, scope, layout)
    return scores


def _score(hits: "Hits", question: "Topic", scope: "Scope", layout: Layout) -> tuple[float, ...]:
    shown = [
        Shown(hit.text, tuple(layout.rows_at(hit.path, hit.start_line, hit.end_line)))
        for hit in hits
    ]
    ranking = ranked(shown)
    evidence = {row: scope.rows[row].text for row in question.grades}
    return (
        recall(ranking, question.grades, 10),
        ndcg(ranking, question.grades, 10),
        evidence_shown(shown, evidence, 2_000),
    )


def summary(name: str, measured: "Sequence[Scores]") -> "dict[str, Any]":
    """Means with all stages, and per stage the change without it, with its confidence interval.

    `changed` counts the questions whose metrics the stage changes; with 0 the set is not informative.
    """
    return {
        "set": name,
        "questions": len(measured),
        FULL: {
            metric: round(mean([one[FULL][i] for one in measured]), 4)
            for i, metric in enumerate(METRICS)
        },
        "without": {
            stage: {
                "changed": sum(one[stage] != one[FULL] for one in measured),
                **{metric: _difference(measured, stage, i) for i, metric in enumerate(METRICS)},
            }
            for stage in optional_stages()
        },
        "bootstrap": {"resamples": RESAMPLES, "seed": SEED, "interval": 0.95},
    }


def _difference(measured: "Sequence[Scores]", stage: str, metric: int) -> dict[str, float]:
    found, low, high = paired_interval(
        [one[stage][metric] for one in measured], [one[FULL][metric] for one in measured]
    )
    return {"mean": round(found, 4), "low": round(low, 4), "high": round(high, 4)}
