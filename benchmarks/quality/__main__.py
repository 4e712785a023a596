"""The command: measures stages, thresholds and learning, and prints tables or JSON.

    PYTHONPATH=benchmarks python -m quality ablation SET... --out results
    PYTHONPATH=benchmarks python -m quality nothing SET...
    PYTHONPATH=benchmarks python -m quality precision sets/precisionmembench
    PYTHONPATH=benchmarks python -m quality learn ~/.claude/projects --out judged
    PYTHONPATH=benchmarks python -m quality learn ~/.claude/projects --year

`ablation` leaves out one stage of the pipeline at a time, over one set or several, and reports the
contribution of each. `nothing` asks the questions of a set with and without their answers in the store:
how well relevance separates the two. `precision` runs the cases of a folder in the format of
PrecisionMemBench: what share of the recalled entries is correct. `learn` learns memories from the
transcripts of a folder, in order of time, and counts them by signal; `--out` writes each with its
evidence to learned.jsonl, for judging; `--year` spreads the sessions over a year, and reports the growth
of the store and the faded memories of each month.

A set is a folder as `bower bench recall` reads it. Your own store is not touched.
"""

import argparse
import json
import os
import sys
from typing import Any

from bowerbird.bench.record import circumstances, write
from bowerbird.bench.sets import read_set
from bowerbird.core.errors import BadInput
from quality import ablation, learn, no_answer, precision, render


def main() -> int:
    """Measure one subject, and print its figures."""
    parser = argparse.ArgumentParser(prog="quality", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=tuple(_SUBJECTS))
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="sets, cases or transcripts")
    parser.add_argument("--limit-queries", type=int, metavar="N", help="only N questions of a set")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parallel scopes")
    parser.add_argument("--year", action="store_true", help="learn: month by month")
    parser.add_argument("--out", metavar="DIR", help="write results there")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    measure, shown = _SUBJECTS[asked.what]
    try:
        data = {"bench": asked.what, **circumstances(), "written": []} | measure(asked)
    except BadInput as error:
        print(f"{error}: {error.remedy}", file=sys.stderr)
        return 2
    print(json.dumps(data) if asked.json else shown(data))
    return 0


def _ablation(asked: argparse.Namespace) -> "dict[str, Any]":
    sets = [ablation.measure(one, jobs=asked.jobs) for one in _sets(asked)]
    data = {**circumstances(), "sets": sets}
    if not asked.out:
        return data
    written = write(asked.out, "ablation", data)
    page = os.path.join(asked.out, "ablation.md")
    with open(page, "w", encoding="utf-8") as file:
        file.write(render.ablation(data))
    return {**data, "written": [written, page]}


def _nothing(asked: argparse.Namespace) -> "dict[str, Any]":
    data = {"sets": [no_answer.measure(one, jobs=asked.jobs) for one in _sets(asked)]}
    return _kept(asked, "nothing", data)


def _precision(asked: argparse.Namespace) -> "dict[str, Any]":
    data = precision.measure(asked.folders[0])
    return _kept(asked, data["set"], data)


def _learn(asked: argparse.Namespace) -> "dict[str, Any]":
    if asked.year:
        return _kept(asked, "year", {"months": learn.year(asked.folders[0])})
    found, written = learn.measure(asked.folders[0], asked.out)
    return {**found, "written": written}


def _sets(asked: argparse.Namespace) -> "list[Any]":
    if asked.jobs < 1 or (asked.limit_queries is not None and asked.limit_queries < 1):
        raise BadInput("--jobs and --limit-queries count from 1", "leave them out for all")
    return [read_set(one, limit=asked.limit_queries) for one in asked.folders]


def _kept(asked: argparse.Namespace, stem: str, data: "dict[str, Any]") -> "dict[str, Any]":
    """The figures, also written where `--out` says."""
    if not asked.out:
        return data
    return {**data, "written": [write(asked.out, stem, {**circumstances(), **data})]}


_SUBJECTS = {
    "ablation": (_ablation, render.ablation),
    "nothing": (_nothing, render.nothing),
    "precision": (_precision, render.precision),
    "learn": (_learn, render.learned),
}


if __name__ == "__main__":
    sys.exit(main())
