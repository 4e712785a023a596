"""Time and size by the number of entries, compared with other systems.

The product's passages are given to full-text search alone, a numpy scan and the installed peers, with
vectors of the product's own model if they accept vectors. Every system answers the same questions in its
own process, in the same run, with ten rows and their texts.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import partial
from itertools import islice
from time import perf_counter, process_time

import numpy as np

from bowerbird.bench import target
from bowerbird.bench.corpus import write_corpus, written
from bowerbird.bench.processes import Processes, against, bare, bower, bytecode
from bowerbird.bench.record import circumstances, load
from bowerbird.bench.target import Target
from bowerbird.bird import Bowerbird
from bowerbird.core.errors import MissingExtra
from growth.kept import Kept
from growth.system import WARM_UP, System
from growth.systems.product import PROJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.types import Vector

ITERATIONS = 100
# Growth targets apply from this size: below it, a query costs as much as on an empty store.
FROM = 10_000
PRODUCT = "bowerbird"
_HERE = os.path.dirname(__file__)
_WORKER = os.path.join(_HERE, "worker.py")
_SYSTEMS = {"FTS5 alone": "fts5", "numpy scan": "scan"}
_SUFFIX = "_peer.py"
# Most cold rounds, and entries or texts per batch.
_ROUNDS = 7
_PAGE = 50_000
# Suffixes of the store's files.
_BESIDE = ("", "-wal", "-shm", ".hnsw")


def measure(
    size: int,
    *,
    iterations: int,
    seed: int,
    peers_python: str | None = None,
    stores: str | None = None,
    progress: "Progress | None" = None,
) -> "dict[str, Any]":
    """The figures of one corpus size, in a temporary folder or below `stores`, where it resumes.

    Raises BadInput if that folder was made with other parameters.
    """
    asked = {"size": size, "seed": seed, "questions": iterations + WARM_UP}
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as aside:
        folder = os.path.abspath(os.path.join(stores or aside, f"{size}-{seed}"))
        kept = Kept(folder, asked)
        return _Run(kept, aside, progress).measured(asked, peers_python)


class _Run:
    """One size: the steps that are done once, and the measurements of each run."""

    def __init__(self, kept: Kept, aside: str, progress: "Progress | None") -> None:
        self._kept = kept
        self._aside = aside
        self._processes = Processes(aside)
        self._progress = progress
        self._store = os.path.join(kept.folder, "bench.db")
        self._corpus = os.path.join(kept.folder, "corpus")
        self._named = ("--store", self._store, "--project", PROJECT, "--format", "json")

    def measured(self, asked: "dict[str, int]", peers_python: str | None) -> "dict[str, Any]":
        """All figures, with those of earlier runs."""
        before = load()
        self._report("corpus")
        corpus = self._kept.once("corpus", lambda: self._build_corpus(asked))
        texts = corpus.pop("questions")
        self._processes.run(bower("version"))  # writes the bytecode
        self._report("rows for the others")
        with Bowerbird.open(os.path.join(self._aside, "none.db")) as bird:
            rows = self._kept.once("rows", lambda: _written(self._corpus, self._kept.folder, bird))
            questions = [
                {"text": text, "vector": _unit(bird.admin.embed_query(text)).tolist()}
                for text in texts
            ]
        systems = self._all_loaded(peers_python)
        taken = self._kept.once("index", self._taken)
        passages = taken["passages"]
        # An existing store: a newer commit may have to migrate its tables.
        again = self._processes.run(bower("index", self._corpus, *self._named))
        indexed: dict[str, Any] = {}
        if passages >= target.HNSW_FROM:
            indexed = self._kept.once("hnsw", self._indexed)
        self._report("what it finds of the exact answer")
        with Bowerbird.open(self._store, project=PROJECT, resident=True) as bird:
            status = bird.status(measure=True)
        self._report("cold")
        rounds = min(_ROUNDS, asked["questions"] - WARM_UP)
        queries = [bower("query", text, *self._named) for text in texts[:rounds]]
        costs = self._processes.rounds(rounds, {"bare": [bare()], "query": queries})
        self._ask_all(systems, peers_python, questions, taken["bytes_read"] / 1e6)
        systems = {PRODUCT: systems.pop(PRODUCT), **systems}
        data = {
            "bench": "growth",
            "corpus_size": asked["size"],
            "passages": passages,
            "corpus": corpus | {"questions": len(texts)},
            "seed": asked["seed"],
            "iterations": asked["questions"] - WARM_UP,
            "store_mb": round(status.total_size_bytes / 1e6, 1),
            "model_used": status.model_used,
            "vector_index_tier": status.vector_index_tier,
            "measured_recall": status.measured_recall,
            **circumstances(),
            "load": {"before": before, "after": load()},
            "bytecode": bytecode(),
            "cold": {name: against(found, costs["bare"]) for name, found in costs.items()},
            "hnsw_rows": indexed.get("rows"),
            "hnsw_build_s": indexed.get("seconds"),
            "hnsw_build_cpu_s": indexed.get("cpu_s"),
            "index_peak_rss_mb": taken["peak_rss_mb"],
            "index_cpu_s": taken["cpu_s"],
            "again_cpu_s": round(again.cpu, 2),
            "again_s": round(again.wall, 2),
            "again_changed": json.loads(again.output)["data"]["changed"],
            "embedding_the_rows_s": rows["embedding_s"],
            "systems": systems,
        }
        data["targets"] = [one.raw_dict() for one in _targets(data)]
        return data

    def _all_loaded(self, peers_python: str | None) -> "dict[str, Any]":
        """Every system with the rows loaded, by name."""
        systems: dict[str, Any] = {}
        # The product last: it needs no rows, and another process may be loading it meanwhile.
        for name, path, python in sorted(_systems(peers_python), key=lambda one: one[0] == PRODUCT):
            self._report(f"taking in: {name}")
            systems[name] = self._loaded(name, self._system(name, path, python))
        return systems

    def _ask_all(
        self,
        systems: "dict[str, Any]",
        peers_python: str | None,
        questions: "list[dict[str, Any]]",
        text_mb: float,
    ) -> None:
        """Times the questions on every system, and computes each one's recall of the exact answer."""
        for name, path, python in _systems(peers_python):
            self._report(name)
            found = systems[name]
            if "skipped" not in found:
                found |= _attempt(partial(self._system(name, path, python).asked, questions))
                found["ingest_mb_per_s"] = round(text_mb / found["load_s"], 3)
                found["ingest_mb_per_cpu_s"] = round(text_mb / found["load_cpu_s"], 3)
        scanned = systems["numpy scan"].pop("rows")
        for name, found in systems.items():
            answered = found.pop("rows", None)
            if answered and name not in (PRODUCT, "FTS5 alone"):
                found["of_exact_ten"] = round(_shared(answered, scanned), 3)

    def _build_corpus(self, asked: "dict[str, int]") -> "dict[str, Any]":
        shutil.rmtree(self._corpus, ignore_errors=True)
        os.mkdir(self._corpus)
        return write_corpus(
            self._corpus, asked["size"], asked["seed"], asked["questions"]
        ).raw_dict()

    def _taken(self) -> "dict[str, Any]":
        """Indexes the corpus into a new store, in a separate process."""
        for suffix in _BESIDE:
            with suppress(FileNotFoundError):
                os.unlink(self._store + suffix)
        taken = self._processes.run(bower("index", self._corpus, *self._named))
        report = json.loads(taken.output)["data"]
        return {
            "passages": report["passages"],
            "bytes_read": report["bytes_read"],
            "wall_s": round(taken.wall, 2),
            "cpu_s": round(taken.cpu, 2),
            "peak_rss_mb": round(taken.peak / 1e6, 1),
        }

    def _indexed(self) -> "dict[str, Any]":
        """Builds the vector index of a large store; a resident process would do so in the background."""
        begin, before_cpu = perf_counter(), process_time()
        try:
            with Bowerbird.open(self._store, project=PROJECT) as bird:
                rows = bird.admin.build_index(progress=self._progress)
        except MissingExtra:
            return {}
        return {
            "rows": rows,
            "seconds": round(perf_counter() - begin, 1),
            "cpu_s": round(process_time() - before_cpu, 1),
        }

    def _system(self, name: str, path: str, python: str) -> System:
        mine = name == PRODUCT
        folder = self._kept.folder if mine else os.path.join(self._kept.folder, _plain(name))
        environment = dict(self._processes.environment)
        if python != sys.executable:
            # These paths are for another interpreter than the peer's.
            environment.pop("PYTHONPATH", None)
        return System([python, _WORKER, path], folder, environment)

    def _loaded(self, name: str, system: System) -> "dict[str, Any]":
        """The time to load the rows and their size on disk, or why it failed."""
        if name == PRODUCT:
            step, paths = "index", [self._store + one for one in _BESIDE]
            taken = self._kept.once(step, self._taken)
            found = {"load_s": taken["wall_s"], "load_cpu_s": taken["cpu_s"]}
        else:
            step, paths = f"load {name}", [system.folder]
            found = _attempt(lambda: self._kept.once(step, lambda: self._emptied(system)))
        if "skipped" not in found:
            found["store_mb"] = round(sum(map(_megabytes, paths)), 1)
            found["taken_in"] = self._kept.by(step)
        return found

    def _emptied(self, system: System) -> "dict[str, Any]":
        """Loads the rows from scratch; a time-out is kept as a result, so that it is not repeated."""
        shutil.rmtree(system.folder, ignore_errors=True)
        os.mkdir(system.folder)
        try:
            return dict(system.loaded(*_paths(self._kept.folder)))
        except subprocess.TimeoutExpired as error:
            return {"skipped": f"not taken in within {error.timeout:g} s"}

    def _report(self, what: str) -> None:
        if self._progress is not None:
            self._progress.start(what, 1)


def grown(results: "Sequence[dict[str, Any]]") -> "dict[str, Any]":
    """The growth factor of each system's p50 CPU time up to the last size: from 10,000, else the first.

    Systems without a figure at either size are left out.
    """
    first = next((one for one in results[:-1] if one["corpus_size"] == FROM), results[0])
    last = results[-1]
    by = {}
    for name, found in last["systems"].items():
        before = first["systems"].get(name, {})
        if first is not last and "cpu_ms" in found and "cpu_ms" in before:
            by[name] = round(found["cpu_ms"]["p50"] / before["cpu_ms"]["p50"], 2)
    return {"from": first["passages"], "to": last["passages"], "by": by}


def _attempt(do: "Callable[[], dict[str, Any]]") -> "dict[str, Any]":
    """The result of a system's process, or the reason why it failed."""
    try:
        return do()
    except (OSError, subprocess.SubprocessError) as error:
        reason = getattr(error, "stderr", None) or str(error)
        return {"skipped": reason.strip().splitlines()[-1][:200]}


def _paths(folder: str) -> tuple[str, str]:
    """The files of the rows: texts, one JSON string per line, and vectors as float32."""
    return os.path.join(folder, "rows.jsonl"), os.path.join(folder, "rows.f32")


def _written(corpus: str, folder: str, bird: Bowerbird) -> "dict[str, Any]":
    """Writes the corpus' passages and their vectors to files that any system can read."""
    of_texts, of_vectors = _paths(folder)
    seconds, count, passages = 0.0, 0, written(corpus)
    with open(of_texts, "w", encoding="utf-8") as texts, open(of_vectors, "wb") as vectors:
        while some := list(islice(passages, _PAGE)):
            count += len(some)
            texts.writelines(json.dumps(text) + "\n" for text in some)
            begin = perf_counter()
            found = bird.admin.embed(some)
            seconds += perf_counter() - begin
            np.stack([_unit(vector) for vector in found]).tofile(vectors)
    return {"rows": count, "embedding_s": round(seconds, 2)}


def _plain(name: str) -> str:
    return name.replace(" ", "-")


def _unit(vector: "Vector") -> "NDArray[np.float32]":
    """The vector normalised to length 1, as other systems expect it."""
    values = np.frombuffer(vector.values, np.int8).astype(np.float32)
    return values / np.float32(np.linalg.norm(values) or 1.0)


def _systems(peers_python: str | None) -> "Iterator[tuple[str, str, str]]":
    """Each system's name, its file, and the interpreter to run it."""
    here = os.path.join(_HERE, "systems")
    yield PRODUCT, os.path.join(here, "product.py"), sys.executable
    for name, file in _SYSTEMS.items():
        yield name, os.path.join(here, file + ".py"), sys.executable
    peers = os.path.join(os.path.dirname(_HERE), "peers")
    for file in sorted(os.listdir(peers)):
        if file.endswith(_SUFFIX):
            path = os.path.join(peers, file)
            yield file.removesuffix(_SUFFIX), path, peers_python or sys.executable


def _megabytes(path: str) -> float:
    """The size of a file or a folder; 0 if it does not exist."""
    if not os.path.exists(path):
        return 0.0
    files = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names]
    return sum(os.stat(file).st_size for file in files or [path]) / 1e6


def _shared(answered: "Sequence[Sequence[int]]", exact: "Sequence[Sequence[int]]") -> float:
    """The share of the exact scan's rows that another answer contains."""
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
