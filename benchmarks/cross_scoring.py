"""Whether the package's contextual model orders the best hits better than the ranking does.

    python benchmarks/cross_scoring.py SET… [--queries N]

Two ways in which a reranker could use it. `late`: each token of the question meets the nearest token of
the text, and their cosines are averaged (late interaction, as in ColBERT). `cross`: question and text are
read as one, so that they attend to each other, and the two parts' mean states are compared. Each orders
the twenty best hits, as `rerank` does: alone, and beside the ranking's own order (`+`, by the sum of
reciprocal ranks). Rows are indexed as `bower bench recall` does, or remembered with --memories.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from bowerbird import Bowerbird
from bowerbird.bench.metrics import Shown, mean, ndcg, ranked
from bowerbird.bench.recall import SETTINGS
from bowerbird.bench.sets import Layout, read_set
from bowerbird.models.embed.contextual import LONGEST, ContextualEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.bench.sets import EvaluationSet, Topic

    Floats = np.ndarray

MOST = 20
DEPTH = 10
# Tokens of a question that is read together with a text.
LONGEST_QUESTION = 48
# The usual constant of reciprocal-rank fusion.
FUSED = 60


class Scorer(ContextualEmbedder):
    """Scores of texts for a question by the contextual model."""

    def late(self, question: str, texts: list[str]) -> list[float]:
        """The mean over the question's tokens of the nearest token of each text."""
        rows = [self._pieces.rows(one, LONGEST) for one in (question, *texts)]
        states, spans = self._states(rows)
        units = states / np.linalg.norm(states, axis=1, keepdims=True)
        # Without the tokens at both ends, which every text has.
        asked = units[spans[0]][1:-1]
        return [float((asked @ units[one][1:-1].T).max(axis=1).mean()) for one in spans[1:]]

    def cross(self, question: str, texts: list[str]) -> list[float]:
        """The cosine of the two parts after they were read as one."""
        first = self._pieces.rows(question, LONGEST_QUESTION)
        together = [first + self._pieces.rows(text, LONGEST - len(first) + 1)[1:] for text in texts]
        states, spans = self._states(together)
        found = []
        for span in spans:
            asked, said = states[span][1 : len(first) - 1], states[span][len(first) : -1]
            found.append(_cosine(asked.mean(axis=0), said.mean(axis=0)) if len(said) else -1.0)
        return found


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


def orders(chosen: EvaluationSet, scorer: Scorer, *, memories: bool) -> Iterator[Asked]:
    """Each question of a set, with the documents of its best hits in the order of each way."""
    for scope in chosen.scopes:
        with tempfile.TemporaryDirectory(prefix="bower-cross-") as folder:
            corpus = os.path.join(folder, "corpus")
            os.mkdir(corpus)
            layout = Layout.write(scope, corpus, chosen.form)
            store = os.path.join(folder, "bench.db")
            with Bowerbird.open(store, project="bench", settings=SETTINGS) as bird:
                if memories:
                    ids = {bird.remember(row.text).id: at for at, row in enumerate(scope.rows)}
                else:
                    bird.index(corpus)
                for one in scope.questions:
                    hits = [
                        Shown(
                            hit.text,
                            (ids[hit.id],)
                            if memories
                            else tuple(layout.rows_at(hit.path, hit.start_line, hit.end_line)),
                        )
                        for hit in bird.query(one.text, limit=MOST)
                    ]
                    if hits:
                        yield Asked(one, hits, scorer)


class Asked:
    """The hits of a question in the order of each way, as documents, and the CPU seconds of both."""

    def __init__(self, topic: Topic, hits: list[Shown], scorer: Scorer) -> None:
        self.grades = topic.grades
        self.ways = {"ranking": ranked(hits)}
        self.took = {}
        for name, scored in (("late", scorer.late), ("cross", scorer.cross)):
            start = process_time()
            scores = scored(topic.text, [hit.text for hit in hits])
            self.took[name] = process_time() - start
            alone = [int(at) for at in np.argsort([-one for one in scores], kind="stable")]
            sums = [-1 / (FUSED + at) - 1 / (FUSED + alone.index(at)) for at in range(len(hits))]
            beside = [int(at) for at in np.argsort(sums, kind="stable")]
            self.ways[name] = ranked(hits[at] for at in alone)
            self.ways[f"{name}+"] = ranked(hits[at] for at in beside)


def main() -> int:
    """Ask the sets."""
    parser = argparse.ArgumentParser(description="The contextual model as a reranker.")
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--queries", type=int, help="only so many, spread over each set")
    parser.add_argument("--memories", action="store_true", help="the rows are memories")
    given = parser.parse_args()
    scorer = Scorer.builtin()
    for folder in given.sets:
        chosen = read_set(str(folder), limit=given.queries)
        asked = [*orders(chosen, scorer, memories=given.memories)]
        for way in asked[0].ways:
            first = mean([float(one.ways[way][0] in one.grades) for one in asked])
            gain = mean([ndcg(one.ways[way], one.grades, DEPTH) for one in asked])
            took = mean([one.took.get(way, 0.0) for one in asked])
            line = f"{chosen.name:14} {len(asked):4}  {way:8} first {first:.3f}  nDCG@10 {gain:.3f}"
            print(line, f" {1000 * took:.0f} ms" if took else "", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
