"""``bench latency``: the time of an answer, cold as a whole process and warm inside one.

Cold is CPU time as a ratio to the same interpreter doing nothing, in the same round. Warm is compared
with FTS5 alone, with the same words that the product searches for, in the same run.
"""

import json
import os
import tempfile
from functools import partial
from statistics import median
from time import perf_counter, process_time

import apsw

from bowerbird.bench import target
from bowerbird.bench.corpus import write_corpus
from bowerbird.bench.processes import Processes, against, bare, bower, bytecode
from bowerbird.bench.record import circumstances, load
from bowerbird.bench.target import Target
from bowerbird.bird import Bowerbird
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bowerbird.core.ports.progress import Progress

PROJECT = "bench"
# Fixed, so that the machine's own settings do not affect a measurement.
SETTINGS = {"query.min_score": 0.0, "query.budget": 0, "query.limit": 10}
# Default number of warm queries; a tenth as many rounds are run cold, but at least _FEWEST_ROUNDS of them
# where there are as many queries.
ITERATIONS = 200
_FEWEST_ROUNDS = 5
# Untimed queries first: caches fill, the model's pages are mapped.
_WARM_UP = 10
# Number of timed runs of the other operations.
_OTHERS = 50
_PAGE = 50_000


def measure(
    size: int, *, iterations: int, seed: int, progress: "Progress | None" = None
) -> "dict[str, Any]":
    """The figures of one corpus size, in a separate store in a temporary folder."""
    rounds = min(iterations, max(_FEWEST_ROUNDS, iterations // 10))
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
        corpus, store = os.path.join(folder, "corpus"), os.path.join(folder, "bench.db")
        os.mkdir(corpus)
        written = write_corpus(corpus, size, seed, iterations + _WARM_UP)
        before = load()
        processes = Processes(folder)
        _report(progress, f"taking in {size:,} passages", 1)
        named = ("--store", store, "--project", PROJECT, "--format", "json")
        report = json.loads(processes.run(bower("index", corpus, *named)).output)["data"]
        _report(progress, "cold", 1)
        cold = _cold(processes, written.questions, named, rounds)
        _report(progress, "warm", 1)
        opened = partial(Bowerbird.open, store, project=PROJECT, settings=SETTINGS, resident=True)
        with opened() as bird, opened() as quick:
            warm = _warm(bird, quick, folder, written.questions)
            status = bird.status()
        data = {
            "bench": "latency",
            "corpus_size": size,
            "passages": report["passages"],
            "corpus": written.replace(questions=()).raw_dict()
            | {"questions": len(written.questions)},
            "seed": seed,
            "iterations": iterations,
            "rounds": rounds,
            "store_mb": round(status.total_size_bytes / 1e6, 1),
            "model_used": status.model_used,
            "vector_index_tier": status.vector_index_tier,
            **circumstances(),
            "load": {"before": before, "after": load()},
            "bytecode": bytecode(),
            "cold": cold,
            "warm": warm,
        }
    data["targets"] = [one.raw_dict() for one in _targets(data)]
    return data


def _report(progress: "Progress | None", what: str, total: int) -> None:
    if progress is not None:
        progress.start(what, total)


def _cold(
    processes: Processes, questions: "Sequence[str]", named: "Sequence[str]", rounds: int
) -> "dict[str, Any]":
    """Whole processes; every round runs each kind."""
    asked = questions[:rounds]
    facts = [f"Fact {number} of the cold run: {text}" for number, text in enumerate(asked, 1)]
    costs = processes.rounds(
        rounds,
        {
            "bare": [bare()],
            "version": [bower("version")],
            "status": [bower("status", *named)],
            "query": [bower("query", text, *named) for text in asked],
            "query --fast": [bower("query", text, "--fast", *named) for text in asked],
            "curate": [bower("curate", text, *named) for text in facts],
        },
    )
    return {name: against(found, costs["bare"]) for name, found in costs.items()}


def _warm(
    bird: Bowerbird, quick: Bowerbird, folder: str, questions: "Sequence[str]"
) -> "dict[str, Any]":
    """One resident process: queries of the product and of FTS5, and other operations of a session.

    `quick` are the queries by words alone: different ones, so that their pages are not cached yet.
    """
    alone = _FullTextAlone(os.path.join(folder, "alone.db"), bird)
    times: dict[str, list[Took]] = {"query": [], "query --fast": [], "fts5": []}
    stages: dict[str, list[float]] = {}
    asked = questions[_WARM_UP:]
    for number, text in enumerate(questions):
        took, hits = timed(lambda text=text: bird.query(text))  # type: ignore[misc]
        fast, _ = timed(lambda text=text: quick.query(text, fast=True))  # type: ignore[misc]
        words = [*hits.trace.words]
        base, _ = timed(lambda words=words: alone.best(words))  # type: ignore[misc]
        if number < _WARM_UP:
            continue
        for name, found in (("query", took), ("query --fast", fast), ("fts5", base)):
            times[name].append(found)
        for stage in hits.trace.stages:
            stages.setdefault(stage.name, []).append(stage.ms)
    alone.close()
    times["misspelt"] = [
        timed(lambda text=text: bird.query(_misspelt(text)))[0]  # type: ignore[misc]
        for text in asked[:_OTHERS]
    ]
    times["remember"] = []
    times["query after a write"] = []
    for text in asked[:_OTHERS]:
        took, _ = timed(lambda text=text: bird.remember(f"Of the warm run: {text}"))  # type: ignore[misc]
        times["remember"].append(took)
        took, _ = timed(lambda text=text: bird.query(text))  # type: ignore[misc]
        times["query after a write"].append(took)
    figures = {name: percentiles([one.wall for one in found]) for name, found in times.items()}
    cpu = {name: percentiles([one.cpu for one in found]) for name, found in times.items()}
    # Of CPU time: on a busy machine the slower one is interrupted more than in proportion.
    ratio = {
        point: round(cpu["query"][point] / cpu["fts5"][point], 2) for point in ("p50", "p95", "p99")
    }
    each = [own.cpu / base.cpu for own, base in zip(times["query"], times["fts5"], strict=True)]
    return {
        "ms": figures,
        "cpu_ms": cpu,
        "ratio_to_fts5": ratio,
        "median_ratio_a_question": round(median(each), 2),
        "stages_ms": {name: round(sum(ms) / len(asked), 3) for name, ms in stages.items()},
    }


class Took(Record):
    """The duration of one operation in milliseconds: wall time, and CPU time of all threads."""

    wall: float
    cpu: float


def timed(work: "Callable[[], Any]") -> "tuple[Took, Any]":
    """What some work took, and what it returned."""
    begin, spent = perf_counter(), process_time()
    found = work()
    return Took((perf_counter() - begin) * 1000, (process_time() - spent) * 1000), found


def _misspelt(text: str) -> str:
    """The question with two letters of its longest word swapped."""
    word = max(text.split(), key=len)
    return text.replace(word, word[:2] + word[3:4] + word[2:3] + word[4:], 1)


def percentiles(values: "Sequence[float]") -> dict[str, float]:
    """p50, p95 and p99 by the nearest rank, in milliseconds."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        name: round(ordered[round(share * last)], 3)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }


class _FullTextAlone:
    """The same passages in one FTS5 table in one file; returns the ten best with their texts."""

    def __init__(self, path: str, bird: Bowerbird) -> None:
        self._connection = apsw.Connection(path)
        self._connection.pragma("cache_size", -8_192)
        self._connection.pragma("mmap_size", 256 * 1024 * 1024)
        self._connection.execute(
            "CREATE VIRTUAL TABLE row USING fts5("
            "text, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        offset = 0
        while entries := bird.list(limit=_PAGE, offset=offset):
            with self._connection:
                self._connection.executemany(
                    "INSERT INTO row (text) VALUES (?)", [(entry.text,) for entry in entries]
                )
            offset += len(entries)
        self._connection.execute("INSERT INTO row (row) VALUES ('optimize')")

    def best(self, words: "Sequence[str]") -> "list[tuple[Any, ...]]":
        """The ten best rows that contain any of the words."""
        match = " OR ".join(f'"{word}"' for word in words)
        found = self._connection.execute(
            "SELECT rowid, text, rank FROM row WHERE row MATCH ? ORDER BY rank LIMIT 10", (match,)
        )
        return list(found)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _targets(data: "dict[str, Any]") -> list[Target]:
    passages, warm = data["passages"], data["warm"]
    cold = [
        Target(f"cold {name} ÷ bare Python", data["cold"][name]["ratio"]["median"], limit)
        for name, pair in target.COLD_RATIO.items()
        if (limit := target.at(pair, passages))
    ]
    rss = max(data["cold"][name]["peak_rss_mb"] for name in target.COLD_RATIO)
    return [
        *cold,
        Target("cold peak RSS, MB", rss, target.at(target.COLD_RSS_MB, passages)),
        Target(
            "warm p50 ÷ FTS5 alone, CPU",
            warm["ratio_to_fts5"]["p50"],
            target.at(target.WARM_RATIO, passages),
        ),
        Target(
            "warm remember p50, ms of CPU",
            warm["cpu_ms"]["remember"]["p50"],
            target.at(target.REMEMBER_MS, passages),
        ),
        Target(
            "warm misspelt p50, ms of CPU",
            warm["cpu_ms"]["misspelt"]["p50"],
            target.at(target.MISSPELT_MS, passages),
        ),
    ]
