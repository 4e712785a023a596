"""``bower bench``: measure.

`recall` measures how well it finds, on a set with known answers: a folder with corpus.jsonl,
queries.jsonl and qrels.tsv, every scope of which becomes a store of its own. Beside the product
stand full-text search alone, the built-in model alone, and the plain fusion of the two.

`latency` and `resources` measure time and room on a corpus made by seed from texts that Python and
this package bring along: whole processes as a ratio to bare Python, questions in one process as a
ratio to full-text search alone, megabytes taken in a second, memory, size of the file.

Everything happens in a temporary folder; your own store is not touched.
"""

import argparse
import os
from time import perf_counter

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower bench recall sets/cosqa --limit-queries 50", "a first impression"),
    ("bower bench recall sets/cosqa --out results", "keep the figures, named by commit"),
    ("bower bench latency", "how long answers take, at 10,000 passages"),
    ("bower bench resources --corpus-size 1000,10000", "taking in, at two sizes"),
    ("bower bench latency --corpus-size 100000 --out results", "with charts"),
)
SUBJECTS = ("recall", "latency", "resources")
FORMS = ("auto", "md", "py", "jsonl")
# Options that mean something for one subject only, with their unset values.
_OF_RECALL = ("queries", "limit_queries", "form", "jobs")
_OF_SPEED = ("corpus_size", "iterations", "seed")
_DEFAULT_SIZE = 10_000
_SMALLEST = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to measure, and how."""
    parser.add_argument("what", choices=SUBJECTS, metavar="WHAT", help="recall, latency, resources")
    parser.add_argument("folder", nargs="?", metavar="DIR", help="the evaluation set, for recall")
    recall = parser.add_argument_group("recall")
    recall.add_argument("--queries", metavar="FILE", help="other questions for the same evidence")
    recall.add_argument(
        "--limit-queries", type=int, metavar="N", help="only N questions, spread over the set"
    )
    recall.add_argument(
        "--as",
        dest="form",
        choices=FORMS,
        metavar="FORM",
        help="how the corpus is written out: md, py, jsonl, or auto",
    )
    recall.add_argument(
        "--jobs", type=int, metavar="N", help="scopes at a time (default: processors)"
    )
    speed = parser.add_argument_group("latency and resources")
    speed.add_argument(
        "--corpus-size", metavar="N", help="passages, several with commas (default 10000)"
    )
    speed.add_argument(
        "--iterations",
        type=int,
        metavar="I",
        help="questions (default 200; a tenth as many cold rounds), or runs of taking in (3)",
    )
    speed.add_argument("--seed", type=int, metavar="S", help="of the corpus (default 1)")
    parser.add_argument("--out", metavar="DIR", help="write results there, as JSON and as charts")


def run(call: "Call") -> Outcome:
    """Measure and put the figures together."""
    options = call.options
    foreign = _OF_SPEED if options.what == "recall" else _OF_RECALL
    for name in foreign:
        if getattr(options, name) is not None:
            shown = "as" if name == "form" else name.replace("_", "-")
            raise BadInput(f"--{shown} is not for bench {options.what}", "see bower help bench")
    return _recall(call) if options.what == "recall" else _speed(call)


def _recall(call: "Call") -> Outcome:
    options = call.options
    if options.folder is None:
        raise BadInput("bench recall needs an evaluation set", "bower bench recall DIR")
    jobs = options.jobs if options.jobs is not None else os.cpu_count() or 1
    if jobs < 1 or (options.limit_queries is not None and options.limit_queries < 1):
        raise BadInput("--jobs and --limit-queries count from 1", "leave them out for all")
    evaluation = load("bench.sets").read_set(
        options.folder,
        queries=options.queries,
        limit=options.limit_queries,
        form=options.form or "auto",
    )
    bench, record = load("bench.recall"), load("bench.record")
    begin = perf_counter()
    measured, intakes = bench.measure(evaluation, jobs=jobs, progress=call.progress())
    queries = os.path.basename(options.queries) if options.queries else "queries.jsonl"
    data = {
        "bench": "recall",
        "set": evaluation.name,
        "queries_file": queries,
        "form": evaluation.form,
        "scopes": len(evaluation.scopes),
        "documents": sum(len(scope.rows) for scope in evaluation.scopes),
        "questions": len(measured),
        "left_out": evaluation.unjudged,
        "limit": bench.LIMIT,
        "jobs": jobs,
        **record.circumstances(),
        **bench.summary(measured),
        "intake": {
            "bytes": sum(intake.bytes_read for intake in intakes),
            "passages": sum(intake.passages for intake in intakes),
            "seconds": round(sum(intake.seconds for intake in intakes), 3),
        },
        "took_s": round(perf_counter() - begin, 1),
        "model_used": intakes[0].model,
    }
    if options.out:
        stem = data["set"]
        if queries != "queries.jsonl":
            stem += "-" + queries.removeprefix("queries.").removesuffix(".jsonl")
        data["written"] = record.write(options.out, stem, data)
    return Outcome(data, data)


def _speed(call: "Call") -> Outcome:
    options = call.options
    if options.folder is not None:
        raise BadInput(
            f"bench {options.what} makes its own corpus",
            f"bower bench {options.what} --corpus-size {_DEFAULT_SIZE}",
        )
    sizes = _sizes(options.corpus_size)
    bench = load(f"bench.{options.what}")
    iterations = bench.ITERATIONS if options.iterations is None else options.iterations
    if iterations < 1:
        raise BadInput("--iterations counts from 1", "leave it out for the default")
    seed = 1 if options.seed is None else options.seed
    progress = call.progress()
    results: list[dict[str, Any]] = []
    written: list[str] = []
    try:
        for size in sizes:
            found = bench.measure(size, iterations=iterations, seed=seed, progress=progress)
            results.append(found)
            if options.out:
                stem = f"{options.what}-{size}"
                written.append(load("bench.record").write(options.out, stem, found))
    finally:
        if progress is not None:
            progress.finish()
    if options.out:
        written += load("bench.charts").draw(options.out, results[-1])
    data = {"bench": options.what, "results": results, "written": written}
    return Outcome(data, data)


def _sizes(text: str | None) -> list[int]:
    """The sizes asked for. Raises BadInput."""
    if text is None:
        return [_DEFAULT_SIZE]
    parts = [part.strip().replace("_", "") for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and int(part) >= _SMALLEST for part in parts):
        raise BadInput(
            f"--corpus-size {text!r} is no number of passages", f"{_SMALLEST} or more: 1000,10000"
        )
    return [int(part) for part in parts]
