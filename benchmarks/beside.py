"""Retrieval quality of other memory systems and the product: same rows, same questions, same vectors.

    python benchmarks/beside.py SET… --peers-python PYTHON [--limit N] [--out DIR]

A set is a folder as described in `benchmarks/README.md`; `--limit` asks at most that number of its
questions, spread evenly. Peers are the programs in `peers/`, run by an interpreter that has their
packages. They receive each row as one document with its vector from the built-in model, because their
own models would have to be downloaded: the comparison is of search, not of models. A peer whose package
is missing, or that is skipped at a size, is reported as such. Ten documents count. The product stores
the rows as files and turns and is queried as by `bower bench recall`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bowerbird import Bowerbird
from bowerbird.bench.baselines import LexicalBaseline
from bowerbird.bench.metrics import Shown, mean, ndcg, paired_interval, ranked, recall
from bowerbird.bench.recall import LIMIT, SETTINGS
from bowerbird.bench.record import circumstances, write
from bowerbird.bench.sets import Layout, read_set
from growth import worker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.bench.sets import Scope

    Rankings = list[list[int]]

PRODUCT = "bowerbird"
WORDS = "FTS5 alone"
DEPTH = 10
PEERS = Path(__file__).parent / "peers"
_SUFFIX = "_peer.py"


def rankings(scope: Scope, form: str, python: str) -> dict[str, Rankings | str]:
    """For each system, what it finds for each question of a scope, or why it was left out."""
    texts = [row.whole for row in scope.rows]
    with tempfile.TemporaryDirectory(prefix="bower-beside-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        layout = Layout.write(scope, corpus, form)
        store = os.path.join(folder, "beside.db")
        with Bowerbird.open(store, project="bench", settings=SETTINGS) as bird:
            bird.index(corpus)
            words = LexicalBaseline(texts)
            found: dict[str, Rankings | str] = {
                PRODUCT: [_product(bird, layout, one.text) for one in scope.questions],
                WORDS: [words.rank(one.text)[:DEPTH] for one in scope.questions],
            }
            rows = os.path.join(folder, "rows.jsonl")
            with open(rows, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(text) + "\n" for text in texts)
            vectors = os.path.join(folder, "vectors")
            _unit([one.values for one in bird.admin.embed(texts)]).tofile(vectors)
            asked = _unit([bird.admin.embed_query(one.text).values for one in scope.questions])
        questions = [
            {"text": one.text, "vector": vector.tolist()}
            for one, vector in zip(scope.questions, asked, strict=True)
        ]
        for peer in sorted(PEERS.glob("*" + _SUFFIX)):
            place = os.path.join(folder, peer.stem)
            os.mkdir(place)
            job = {"folder": place, "rows": rows, "vectors": vectors}
            asking = {"folder": place, "questions": questions, "before": 0, "limit": DEPTH}
            name = peer.name.removesuffix(_SUFFIX)
            try:
                _run(python, peer, {"do": "load", **job})
                answered = _run(python, peer, {"do": "ask", **asking})
                found[f"{name} {answered['version']}"] = answered["rows"]
            except subprocess.CalledProcessError as error:
                found[name] = (error.stderr.strip().splitlines() or ["it failed"])[-1]
    return found


def _product(bird: Bowerbird, layout: Layout, text: str) -> list[int]:
    hits = bird.query(text, limit=LIMIT)
    return ranked(
        Shown(hit.text, tuple(layout.rows_at(hit.path, hit.start_line, hit.end_line)))
        for hit in hits
    )


def _unit(values: Iterable[bytes]) -> np.ndarray[Any, Any]:
    """Vectors scaled to length 1, as the peers require."""
    matrix = np.stack([np.frombuffer(one, np.int8).astype(np.float32) for one in values])
    unit: np.ndarray[Any, Any] = matrix / np.maximum(
        np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9
    ).astype(np.float32)
    return unit


def _run(python: str, peer: Path, job: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603 our own words, no shell
        [python, worker.__file__, str(peer)],
        input=json.dumps(job), capture_output=True, text=True, check=True,
    )  # fmt: skip
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def scored(folder: str, python: str, limit: int | None) -> dict[str, Any]:
    """R@10 and nDCG@10 of each system on a set, and differences to the product's nDCG@10."""
    evaluation = read_set(folder, limit=limit)
    scores: dict[str, list[tuple[float, float]]] = {}
    left_out: dict[str, str] = {}
    for scope in evaluation.scopes:
        for name, answered in rankings(scope, evaluation.form, python).items():
            if isinstance(answered, str):
                left_out[name] = answered
                continue
            scores.setdefault(name, []).extend(
                (recall(found, one.grades, DEPTH), ndcg(found, one.grades, DEPTH))
                for found, one in zip(answered, scope.questions, strict=True)
            )
    whole = {name: some for name, some in scores.items() if len(some) == len(scores[PRODUCT])}
    ours = [gain for _, gain in whole[PRODUCT]]
    systems = {}
    for name, some in whole.items():
        _, low, high = paired_interval(ours, [gain for _, gain in some])
        systems[name] = {
            "R@10": round(mean([one for one, _ in some]), 3),
            "nDCG@10": round(mean([one for _, one in some]), 3),
            "less": [round(low, 3), round(high, 3)],
        }
    rows = sum(len(scope.rows) for scope in evaluation.scopes)
    return {
        "set": evaluation.name, "rows": rows, "questions": len(ours), "systems": systems,
        "left_out": left_out,
    }  # fmt: skip


def main() -> None:
    """Ask each system the questions of each set, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--peers-python", default=sys.executable)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--out")
    given = parser.parse_args()
    results = []
    for folder in given.sets:
        result = scored(folder, given.peers_python, given.limit)
        results.append(result)
        print(f"{result['set']}: {result['rows']:,} rows, {result['questions']} questions")
        for name, one in result["systems"].items():
            low, high = one["less"]
            interval = "" if name == PRODUCT else f"  ours more by {low:+.3f} to {high:+.3f}"
            print(f"  {name:24} R@10 {one['R@10']:.3f}  nDCG@10 {one['nDCG@10']:.3f}{interval}")
        for name, why in result["left_out"].items():
            print(f"  {name:24} left out: {why}")
    if given.out:
        print(write(given.out, "beside", {"bench": "beside", **circumstances(), "sets": results}))


if __name__ == "__main__":
    main()
