"""``bower bench``: measure how well it finds.

A set is a folder with corpus.jsonl, queries.jsonl and qrels.tsv. Every scope becomes a store of its
own in a temporary folder; your own store is not touched. Beside the product stand full-text search
alone, the built-in model alone, and the plain fusion of the two.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import time

from bowerbird.core.errors import BadInput
from bowerbird.core.version import VERSION
from bowerbird.surfaces.bench.recall import LIMIT, measure, summary
from bowerbird.surfaces.bench.sets import FORMS, read_set
from bowerbird.surfaces.checkout import own_commit
from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.bench.sets import EvaluationSet
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower bench recall sets/locomo-turn", "the whole set"),
    ("bower bench recall sets/cosqa --limit-queries 50", "a first impression"),
    ("bower bench recall sets/cosqa --out results", "keep the figures, named by commit"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The set and how it is run."""
    parser.add_argument("what", choices=("recall",), metavar="recall", help="what to measure")
    parser.add_argument("folder", metavar="DIR", help="the evaluation set")
    parser.add_argument("--queries", metavar="FILE", help="other questions for the same evidence")
    parser.add_argument(
        "--limit-queries", type=int, metavar="N", help="only N questions, spread over the set"
    )
    parser.add_argument(
        "--as",
        dest="form",
        choices=FORMS,
        default="auto",
        metavar="FORM",
        help="how the corpus is written out: md, py, jsonl, or auto",
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="scopes at a time (default: processors)"
    )
    parser.add_argument("--out", metavar="DIR", help="write the result there as JSON")


def run(call: "Call") -> Outcome:
    """Run the set and put the figures together."""
    options = call.options
    jobs = options.jobs if options.jobs is not None else os.cpu_count() or 1
    if jobs < 1 or (options.limit_queries is not None and options.limit_queries < 1):
        raise BadInput("--jobs and --limit-queries count from 1", "leave them out for all")
    evaluation = read_set(
        options.folder, queries=options.queries, limit=options.limit_queries, form=options.form
    )
    begin = time.perf_counter()
    measured, intakes = measure(evaluation, jobs=jobs, progress=call.progress())
    seconds = sum(intake.seconds for intake in intakes)
    data = {
        **_settings(evaluation, options.queries, len(measured), jobs),
        **summary(measured),
        "intake": {
            "bytes": sum(intake.bytes_read for intake in intakes),
            "passages": sum(intake.passages for intake in intakes),
            "seconds": round(seconds, 3),
        },
        "took_s": round(time.perf_counter() - begin, 1),
        "model_used": intakes[0].model,
    }
    if options.out:
        data["written"] = _write(options.out, data)
    return Outcome(data, data)


def _settings(
    evaluation: "EvaluationSet", queries: str | None, questions: int, jobs: int
) -> "dict[str, Any]":
    return {
        "set": evaluation.name,
        "queries_file": os.path.basename(queries) if queries else "queries.jsonl",
        "form": evaluation.form,
        "scopes": len(evaluation.scopes),
        "documents": sum(len(scope.rows) for scope in evaluation.scopes),
        "questions": questions,
        "left_out": evaluation.unjudged,
        "limit": LIMIT,
        "jobs": jobs,
        "version": VERSION,
        "commit": own_commit(),
        "changed_since_commit": _changed(),
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def _changed() -> bool | None:
    """Whether the package's files differ from the commit; None where git cannot tell."""
    package = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    git = shutil.which("git")
    if git is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 our own words, no shell
            [git, "-C", package, "status", "--porcelain", "--", "."],
            capture_output=True,
            check=True,
            timeout=20,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return bool(done.stdout.strip())


def _write(folder: str, data: "dict[str, Any]") -> str:
    os.makedirs(folder, exist_ok=True)
    stem = data["set"]
    if data["queries_file"] != "queries.jsonl":
        stem += "-" + data["queries_file"].removeprefix("queries.").removesuffix(".jsonl")
    commit = (data["commit"] or "v" + data["version"])[:10]
    path = os.path.join(folder, f"{stem}-{commit}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return path
