"""``bench resources``: the cost of indexing a corpus, and the size of the store."""

import json
import os
import tempfile
from statistics import median

from bowerbird.bench import target
from bowerbird.bench.corpus import write_corpus
from bowerbird.bench.latency import PROJECT
from bowerbird.bench.processes import Processes, bower, bytecode, spread
from bowerbird.bench.record import circumstances, load
from bowerbird.bench.target import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bench.processes import Cost
    from bowerbird.core.ports.progress import Progress

# Default number of indexing runs.
ITERATIONS = 3


def measure(
    size: int, *, iterations: int, seed: int, progress: "Progress | None" = None
) -> "dict[str, Any]":
    """The figures of one corpus size, every run into a new store in a temporary folder."""
    if progress is not None:
        progress.start(f"taking in {size:,} passages", iterations)
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        written = write_corpus(corpus, size, seed, 0)
        before = load()
        processes = Processes(folder)
        processes.run(bower("version"))  # writes the bytecode
        runs: list[Cost] = []
        report: dict[str, Any] = {}
        named: list[str] = []
        for number in range(iterations):
            store = os.path.join(folder, f"bench-{number}.db")
            named = ["--store", store, "--project", PROJECT, "--format", "json"]
            runs.append(processes.run(bower("index", corpus, *named)))
            report = json.loads(runs[-1].output)["data"]
            if progress is not None:
                progress.advance(1)
        again = processes.run(bower("index", corpus, *named))
        status = json.loads(processes.run(bower("status", *named)).output)["data"]
    size_mb = report["bytes_read"] / 1e6
    data = {
        "bench": "resources",
        "corpus_size": size,
        "passages": report["passages"],
        "corpus": written.replace(questions=()).raw_dict() | {"questions": 0},
        "seed": seed,
        "iterations": iterations,
        "model_used": status["model_used"],
        **circumstances(),
        "load": {"before": before, "after": load()},
        "bytecode": bytecode(),
        "ingest": {
            "text_mb": round(size_mb, 3),
            "mb_per_s_wall": spread([size_mb / run.wall for run in runs], 3),
            "mb_per_s_cpu": spread([size_mb / run.cpu for run in runs], 3),
            "seconds": spread([run.wall for run in runs], 3),
            "cpu_seconds": spread([run.cpu for run in runs], 3),
            "peak_rss_mb": round(max(run.peak for run in runs) / 1e6, 1),
        },
        "nothing_changed": {"seconds": round(again.wall, 3), "cpu_seconds": round(again.cpu, 3)},
        "store_mb": round(status["total_size_bytes"] / 1e6, 2),
        "store_bytes_a_passage": round(status["total_size_bytes"] / max(report["passages"], 1)),
        "store_to_text": round(status["total_size_bytes"] / report["bytes_read"], 2),
    }
    data["targets"] = [one.raw_dict() for one in _targets(data, median(run.wall for run in runs))]
    return data


def _targets(data: "dict[str, Any]", seconds: float) -> list[Target]:
    passages = data["passages"]
    speed = round(data["ingest"]["text_mb"] / seconds, 2)
    return [
        Target("ingest, MB/s", speed, target.at(target.INGEST_MB_S, passages), floor=True),
        Target("store, MB", data["store_mb"], target.at(target.STORE_MB, passages)),
    ]
