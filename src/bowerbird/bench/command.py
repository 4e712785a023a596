"""``bower bench``: measure.

`recall` measures how well it finds, on a set with known answers: a folder with corpus.jsonl,
queries.jsonl and qrels.tsv, every scope of which becomes a store of its own. Beside the product
stand full-text search alone, the built-in model alone, and the plain fusion of the two.

`ablation` leaves out one stage of the pipeline after the other, over one set or several, and tells
what each is worth.

`nothing` asks the questions of a set where their answer is, and where it is not: how well relevance
tells the two apart.

`precision` asks the cases of a folder in the form of PrecisionMemBench: of what is recalled, how much
should be.

`learn` makes memories of the transcripts of a folder, in the order of time, and counts by signal; with
`--out` each of them with its evidence stands in learned.jsonl, to be judged. It tells, too, how much of
what later sessions changed the earlier ones foretold. With `--year` the sessions are spread over a year,
and each month says how the store has grown and what faded.

`latency` and `resources` measure time and room on a corpus made by seed from texts that Python and
this package bring along: whole processes as a ratio to bare Python, questions in one process as a
ratio to full-text search alone, megabytes taken in a second, memory, size of the file.

`growth` measures several sizes of that corpus beside full-text search alone, a numpy scan and the
peers whose programs stand in benchmarks/peers and whose packages are installed.

Everything happens in a temporary folder, or in the one that `--stores` names; your own store is not
touched.
"""

import os
from time import perf_counter

from bowerbird.core.errors import BadInput
from bowerbird.surfaces import Field, Verb
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bench.sets import EvaluationSet

EXAMPLES = (
    ("bower bench recall sets/cosqa --limit-queries 50", "a first impression"),
    ("bower bench recall sets/cosqa --out results", "keep the figures, named by commit"),
    ("bower bench ablation sets/* --out results", "what each stage is worth"),
    ("bower bench nothing sets/*", "is no answer given where there is none"),
    ("bower bench precision sets/precisionmembench", "how much of what is recalled should be"),
    ("bower bench learn ~/.claude/projects --out judged", "what your own sessions teach"),
    ("bower bench learn ~/.claude/projects --year", "what a year of them would leave"),
    ("bower bench latency", "how long answers take, at 10,000 passages"),
    ("bower bench resources --corpus-size 1000,10000", "taking in, at two sizes"),
    ("bower bench latency --corpus-size 100000 --out results", "with charts"),
    ("bower bench growth --sizes 1k,10k,100k --out results", "beside others, as the store grows"),
    ("bower bench growth --sizes 1m --stores grown", "take in once, ask again another day"),
)
SUBJECTS = (
    *("recall", "ablation", "nothing", "precision", "learn"),
    *("latency", "resources", "growth"),
)
FORMS = ("auto", "md", "py", "jsonl")
# Options that mean something for some subjects only.
_OF_RECALL = ("queries", "limit_queries", "form", "jobs")
_OF_SPEED = ("corpus_size", "iterations", "seed")
_OF_GROWTH = ("peers_python", "stores")
_OF_LEARNING = ("year",)
_FOREIGN = {
    "recall": (*_OF_SPEED, *_OF_GROWTH, *_OF_LEARNING),
    "ablation": (*_OF_SPEED, *_OF_GROWTH, *_OF_LEARNING),
    "nothing": (*_OF_SPEED, *_OF_GROWTH, *_OF_LEARNING),
    "precision": (*_OF_RECALL, *_OF_SPEED, *_OF_GROWTH, *_OF_LEARNING),
    "learn": (*_OF_RECALL, *_OF_SPEED, *_OF_GROWTH),
    "latency": (*_OF_RECALL, *_OF_GROWTH, *_OF_LEARNING),
    "resources": (*_OF_RECALL, *_OF_GROWTH, *_OF_LEARNING),
    "growth": (*_OF_RECALL, *_OF_LEARNING),
}
_DEFAULT_SIZE = 10_000
_GROWTH_SIZES = (1_000, 10_000, 100_000)
_SMALLEST = 100
_UNITS = {"k": 1_000, "m": 1_000_000}


def _option(name: str, shape: str, group: str, meaning: str, **more: "Any") -> Field:
    return Field(name, shape, meaning, group=group, **more)


_RECALL, _SPEED = "recall, ablation and nothing", "latency, resources and growth"
VERB = Verb(
    "bench",
    "Measure how well it finds, how fast, and in how much room",
    (
        Field("what", "text", choices=SUBJECTS, needed=True, option=("WHAT",)),
        Field(
            "folders", "texts", "evaluation sets: one for recall, else several",
            option=("DIR",), words="*",
        ),
        _option("queries", "text", _RECALL, "other questions for the same evidence", metavar="FILE"),
        _option(
            "limit_queries", "whole", _RECALL, "only N questions, spread over the set", metavar="N"
        ),
        _option(
            "form", "text", _RECALL, "how the corpus is written out",
            choices=FORMS, option=("--as",), metavar="FORM",
        ),
        _option("jobs", "whole", _RECALL, "scopes at a time (default: processors)", metavar="N"),
        _option(
            "corpus_size", "text", _SPEED,
            "passages, several with commas, such as 1k,10k (default 10k; growth: 1k,10k,100k)",
            option=("--corpus-size", "--sizes"), metavar="N",
        ),
        _option(
            "iterations", "whole", _SPEED,
            "questions (latency 200, growth 100), or runs of taking in (3)", metavar="I",
        ),
        _option("seed", "whole", _SPEED, "of the corpus (default 1)", metavar="S"),
        _option(
            "peers_python", "text", _SPEED, "interpreter that has the peers (growth)", metavar="FILE"
        ),
        _option(
            "stores", "text", _SPEED,
            "keep corpora and stores there, and go on from what stands there (growth)",
            metavar="DIR",
        ),
        _option("year", "flag", "learn", "a year of use, month by month", default=False),
        Field("out", "text", "write results there, as JSON and as charts", metavar="DIR"),
    ),
    group="Try",
    order=2,
    renderer="bench.render.figures",
)  # fmt: skip


def command(call: Call) -> Outcome:
    """Measure and put the figures together."""
    options = call.options
    for name in _FOREIGN[options.what]:
        if getattr(options, name) not in {None, False}:
            shown = "as" if name == "form" else name.replace("_", "-")
            raise BadInput(f"--{shown} is not for bench {options.what}", "see bower help bench")
    runs = {"recall": _recall, "ablation": _ablation, "nothing": _nothing, "precision": _precision}
    runs["learn"] = _learn
    return runs.get(options.what, _speed)(call)


def _sets(call: Call) -> "tuple[list[EvaluationSet], int]":
    """The sets that are named, and how many scopes may run at a time. Raises BadInput."""
    options = call.options
    if not options.folders:
        raise BadInput(
            f"bench {options.what} needs an evaluation set", f"bower bench {options.what} DIR"
        )
    jobs = options.jobs if options.jobs is not None else os.cpu_count() or 1
    if jobs < 1 or (options.limit_queries is not None and options.limit_queries < 1):
        raise BadInput("--jobs and --limit-queries count from 1", "leave them out for all")
    read = load("bench.sets").read_set
    named = {"queries": options.queries, "limit": options.limit_queries}
    return [read(one, **named, form=options.form or "auto") for one in options.folders], jobs


def _ablation(call: Call) -> Outcome:
    sets, jobs = _sets(call)
    bench, record = load("bench.ablation"), load("bench.record")
    found = [bench.measure(one, jobs=jobs, progress=call.progress()) for one in sets]
    data = {"bench": "ablation", **record.circumstances(), "sets": found, "written": []}
    if call.options.out:
        path = record.write(call.options.out, "ablation", data)
        page = os.path.join(call.options.out, "ablation.md")
        with open(page, "w", encoding="utf-8") as file:
            file.write(load("bench.render.ablation").markdown(data))
        data["written"] = [path, page]
    return Outcome(data)


def _nothing(call: Call) -> Outcome:
    sets, jobs = _sets(call)
    bench, record = load("bench.nothing"), load("bench.record")
    found = [bench.measure(one, jobs=jobs, progress=call.progress()) for one in sets]
    data = {"bench": "nothing", **record.circumstances(), "sets": found, "written": []}
    if call.options.out:
        data["written"] = [record.write(call.options.out, "nothing", data)]
    return Outcome(data)


def _precision(call: Call) -> Outcome:
    options = call.options
    if len(options.folders) != 1:
        raise BadInput("bench precision measures one folder", "bower bench precision DIR")
    record = load("bench.record")
    found = load("bench.precision").measure(options.folders[0])
    data = {"bench": "precision", **record.circumstances(), **found, "written": []}
    if options.out:
        data["written"] = [record.write(options.out, data["set"], data)]
    return Outcome(data)


def _learn(call: Call) -> Outcome:
    options = call.options
    if len(options.folders) != 1:
        raise BadInput("bench learn reads one folder", "bower bench learn DIR")
    bench, result = load("bench.learn"), {"bench": "learn", **load("bench.record").circumstances()}
    if options.year:
        data = {**result, "months": bench.year(options.folders[0], call.progress()), "written": []}
        if options.out:
            data["written"] = [load("bench.record").write(options.out, "year", data)]
        return Outcome(data)
    found, written = bench.measure(options.folders[0], options.out, call.progress())
    data = {**result, **found, "written": written}
    return Outcome(data)


def _recall(call: Call) -> Outcome:
    options = call.options
    sets, jobs = _sets(call)
    if len(sets) > 1:
        raise BadInput("bench recall measures one set at a time", "name one folder")
    evaluation = sets[0]
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
    return Outcome(data)


def _speed(call: Call) -> Outcome:
    options = call.options
    if options.folders:
        raise BadInput(
            f"bench {options.what} makes its own corpus",
            f"bower bench {options.what} --corpus-size {_DEFAULT_SIZE}",
        )
    growth = options.what == "growth"
    wanted = sizes(options.corpus_size) or (_GROWTH_SIZES if growth else (_DEFAULT_SIZE,))
    bench = load(f"bench.{options.what}")
    iterations = bench.ITERATIONS if options.iterations is None else options.iterations
    if iterations < 1:
        raise BadInput("--iterations counts from 1", "leave it out for the default")
    seed = 1 if options.seed is None else options.seed
    more = {name: getattr(options, name) for name in _OF_GROWTH} if growth else {}
    progress = call.progress()
    results: list[dict[str, Any]] = []
    written: list[str] = []
    try:
        for size in wanted:
            found = bench.measure(size, iterations=iterations, seed=seed, progress=progress, **more)
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
    if growth:
        data["growth"] = bench.grown(results)
    return Outcome(data)


def sizes(text: str | None) -> list[int]:
    """The sizes asked for; none where nothing was. Raises BadInput."""
    if text is None:
        return []
    found = []
    for part in text.lower().replace("_", "").split(","):
        unit = _UNITS.get(part.strip()[-1:], 1)
        digits = part.strip().removesuffix("k").removesuffix("m")
        if not (digits.isascii() and digits.isdigit() and int(digits) * unit >= _SMALLEST):
            raise BadInput(
                f"--corpus-size {text!r} is no number of passages",
                f"{_SMALLEST} or more: 1000,10k",
            )
        found.append(int(digits) * unit)
    return found
