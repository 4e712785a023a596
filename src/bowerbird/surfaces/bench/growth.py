"""``bench growth``: what becomes of time and room as the store grows, beside others at the same work.

The passages that the product cuts are handed to full-text search alone, a numpy scan and the peers
that are installed, with vectors of the product's own model where they take any. Every system
answers the same questions in a process of its own, in the same run, with ten rows and their texts.
"""

import json
import os
import subprocess
import sys
import tempfile
from array import array
from time import perf_counter

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import MissingExtra
from bowerbird.surfaces.bench import target
from bowerbird.surfaces.bench.corpus import write_corpus
from bowerbird.surfaces.bench.latency import percentiles
from bowerbird.surfaces.bench.processes import Processes, against, bare, bower, bytecode
from bowerbird.surfaces.bench.record import circumstances, load
from bowerbird.surfaces.bench.systems.product import PROJECT
from bowerbird.surfaces.bench.target import Target
from bowerbird.surfaces.checkout import ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.ports import Progress
    from bowerbird.core.types import Vector

ITERATIONS = 100
LIMIT = 10
PRODUCT = "bowerbird"
_HERE = os.path.dirname(__file__)
_WORKER = os.path.join(_HERE, "worker.py")
_SYSTEMS = {"FTS5 alone": "fts5", "numpy scan": "scan"}
_SUFFIX = "_peer.py"
# Cold rounds, and entries or texts handled at a time.
_ROUNDS = 7
_PAGE = 50_000
# A peer that takes longer than this over one job is left out, with that as the reason.
_PATIENCE_S = 1_200
# Questions before the clock counts: what a process keeps is read by then, at 1,000,000 too.
WARM_UP = 15


def measure(
    size: int,
    *,
    iterations: int,
    seed: int,
    peers_python: str | None = None,
    progress: "Progress | None" = None,
) -> "dict[str, Any]":
    """The figures of one size of corpus, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        made = write_corpus(corpus, size, seed, iterations + WARM_UP)
        before = load()
        processes = Processes(folder)
        processes.run(bower("version"))  # writes the bytecode
        _tell(progress, f"taking in {size:,} passages")
        store = os.path.join(folder, "bench.db")
        named = ("--store", store, "--project", PROJECT, "--format", "json")
        taken = processes.run(bower("index", corpus, *named))
        report = json.loads(taken.output)["data"]
        _tell(progress, "cold")
        costs = processes.rounds(
            _ROUNDS,
            {
                "bare": [bare()],
                "query": [bower("query", text, *named) for text in made.questions[:_ROUNDS]],
            },
        )
        _tell(progress, "rows for the others")
        with Bowerbird.open(store, project=PROJECT) as bird:
            begin = perf_counter()
            indexed = _build_index(bird, report["passages"])
            index_s = round(perf_counter() - begin, 1)
            rows = _Rows(bird, folder)
            questions = [
                {"text": text, "vector": _unit(bird.admin.embed_query(text))}
                for text in made.questions
            ]
            status = bird.status()
        text_mb = report["bytes_read"] / 1e6
        systems: dict[str, Any] = {}
        for name, path, python in _systems(peers_python):
            _tell(progress, name)
            mine = name == PRODUCT
            place = folder if mine else os.path.join(folder, name.replace(" ", "-"))
            system = _System([python, _WORKER, path], place, processes.environment)
            found = system.run(rows, questions, loads=not mine)
            if "skipped" not in found:
                seconds = taken.wall if mine else found["load_s"]
                found["store_mb"] = _megabytes(store) if mine else _megabytes(place)
                found["ingest_mb_per_s"] = round(text_mb / seconds, 3)
            systems[name] = found
    scanned = systems["numpy scan"].pop("rows")
    for name, found in systems.items():
        answered = found.pop("rows", None)
        if answered and name not in (PRODUCT, "FTS5 alone"):
            found["of_exact_ten"] = round(_shared(answered, scanned), 3)
    data = {
        "bench": "growth",
        "corpus_size": size,
        "passages": report["passages"],
        "corpus": made.replace(questions=()).to_dict() | {"questions": len(made.questions)},
        "seed": seed,
        "iterations": iterations,
        "store_mb": round(status.total_size_bytes / 1e6, 1),
        "model_used": status.model_used,
        "vector_index_tier": status.vector_index_tier,
        **circumstances(),
        "load": {"before": before, "after": load()},
        "bytecode": bytecode(),
        "cold": {name: against(found, costs["bare"]) for name, found in costs.items()},
        "hnsw_rows": indexed,
        "hnsw_build_s": index_s if indexed else None,
        "index_peak_rss_mb": round(taken.peak / 1e6, 1),
        "embedding_the_rows_s": round(rows.embedding_s, 2),
        "systems": systems,
    }
    data["targets"] = [one.to_dict() for one in _targets(data)]
    return data


def factor(results: "Sequence[dict[str, Any]]", system: str = PRODUCT) -> float | None:
    """By what the p50 of a system, in CPU, grows from the first to the last of some sizes."""
    known = [one["systems"].get(system, {}).get("cpu_ms") for one in results]
    found = [ms["p50"] for ms in known if ms]
    return round(found[-1] / found[0], 2) if len(found) > 1 else None


def _tell(progress: "Progress | None", what: str) -> None:
    if progress is not None:
        progress.start(what, 1)


def _build_index(bird: Bowerbird, passages: int) -> int | None:
    """The index over a large store's vectors, which a process that stays would build aside."""
    if passages < target.HNSW_FROM:
        return None
    try:
        return bird.admin.build_index()
    except MissingExtra:
        return None


class _Rows:
    """The product's passages with vectors of its model, as files that any system can read."""

    def __init__(self, bird: Bowerbird, folder: str) -> None:
        self.texts = os.path.join(folder, "rows.jsonl")
        self.vectors = os.path.join(folder, "rows.f32")
        self.embedding_s = 0.0
        offset = 0
        with (
            open(self.texts, "w", encoding="utf-8") as texts,
            open(self.vectors, "wb") as vectors,
        ):
            while entries := bird.list(limit=_PAGE, offset=offset):
                offset += len(entries)
                texts.writelines(json.dumps(entry.text) + "\n" for entry in entries)
                begin = perf_counter()
                found = bird.admin.embed([entry.text for entry in entries])
                self.embedding_s += perf_counter() - begin
                for vector in found:
                    array("f", _unit(vector)).tofile(vectors)


def _unit(vector: "Vector") -> list[float]:
    """The vector with length 1, as others want it."""
    values = memoryview(vector.values).cast("b").tolist()
    length = sum(value * value for value in values) ** 0.5 or 1.0
    return [value / length for value in values]


def _systems(peers_python: str | None) -> "Iterator[tuple[str, str, str]]":
    """Each system's name, its file, and the interpreter that runs it."""
    here = os.path.join(_HERE, "systems")
    yield PRODUCT, os.path.join(here, "product.py"), sys.executable
    for name, file in _SYSTEMS.items():
        yield name, os.path.join(here, file + ".py"), sys.executable
    peers = os.path.join(ROOT, "benchmarks", "peers")
    for file in sorted(os.listdir(peers)) if os.path.isdir(peers) else ():
        if file.endswith(_SUFFIX):
            path = os.path.join(peers, file)
            yield file.removesuffix(_SUFFIX), path, peers_python or sys.executable


class _System:
    """One system, in processes of its own: one that loads, one that answers."""

    def __init__(
        self, command: "Sequence[str]", folder: str, environment: "dict[str, str]"
    ) -> None:
        self._command = command
        self._folder = folder
        self._environment = environment

    def run(
        self, rows: _Rows, questions: "Sequence[dict[str, Any]]", *, loads: bool
    ) -> "dict[str, Any]":
        """Load and ask; why not, where that fails."""
        try:
            figures: dict[str, Any] = {}
            if loads:
                os.mkdir(self._folder)
                job = {"do": "load", "rows": rows.texts, "vectors": rows.vectors}
                figures["load_s"] = round(self._do(job)["seconds"], 3)
            answered = self._do(
                {"do": "ask", "questions": questions, "before": WARM_UP, "limit": LIMIT}
            )
        except (OSError, subprocess.SubprocessError) as error:
            told = getattr(error, "stderr", None) or str(error)
            return {"skipped": told.strip().splitlines()[-1][:200]}
        return {
            "version": answered["version"],
            "ms": percentiles(answered["ms"]),
            "cpu_ms": percentiles(answered["cpu_ms"]),
            "rss_mb": round(answered["rss_mb"], 1),
            **figures,
            "rows": answered["rows"],
        }

    def _do(self, job: "dict[str, Any]") -> "dict[str, Any]":
        done = subprocess.run(  # noqa: S603 our own worker, no shell
            self._command,
            input=json.dumps({**job, "folder": self._folder}),
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=_PATIENCE_S,
        )
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


def _megabytes(path: str) -> float:
    """What a system keeps: a folder with all in it, or the store with what stands beside it."""
    if os.path.isdir(path):
        files = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names]
    else:
        files = [path + suffix for suffix in ("", "-wal", ".hnsw")]
    return round(sum(os.stat(file).st_size for file in files if os.path.exists(file)) / 1e6, 1)


def _shared(answered: "Sequence[Sequence[int]]", exact: "Sequence[Sequence[int]]") -> float:
    """The share of the exact scan's rows that another answer holds."""
    pairs = zip(answered, exact, strict=True)
    return sum(len({*a} & {*b}) / max(len(b), 1) for a, b in pairs) / max(len(exact), 1)


def _targets(data: "dict[str, Any]") -> list[Target]:
    passages, systems = data["passages"], data["systems"]
    alone = systems["FTS5 alone"]["cpu_ms"]["p50"]
    cold = data["cold"]["query"]
    ratio = round(systems[PRODUCT]["cpu_ms"]["p50"] / alone, 2)
    return [
        Target("warm p50 ÷ FTS5 alone, CPU", ratio, target.at(target.WARM_RATIO, passages)),
        Target(
            "cold query ÷ bare Python",
            cold["ratio"]["median"],
            target.at(target.COLD_RATIO["query"], passages),
        ),
        Target("cold peak RSS, MB", cold["peak_rss_mb"], target.at(target.COLD_RSS_MB, passages)),
        Target("store, MB", data["store_mb"], target.at(target.STORE_MB, passages)),
        Target(
            "ingest, MB/s",
            systems[PRODUCT]["ingest_mb_per_s"],
            target.at(target.INGEST_MB_S, passages),
            floor=True,
        ),
    ]
