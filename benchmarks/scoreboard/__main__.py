"""Other memory systems beside the product: finding, paraphrase, false recall, times, size and kills.

    make scoreboard                        # installs each peer into .scoreboard/ first; takes minutes
    PYTHONPATH=benchmarks python -m scoreboard mem0 --out docs/scoreboard.md

The set is bundled: 36 notes of a bakery and 36 questions, written for this table by the makers of the
product and for no other use (MIT). Peers get our built-in model's vectors, as their own models would have
to be downloaded: the comparison is of search. CPU time is that of whole processes.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

import numpy as np

from bowerbird import Bowerbird
from bowerbird.bench.record import circumstances, load
from growth import worker

HERE = Path(__file__).parent
PEERS = HERE.parent / "peers"
PLACE = HERE.parent.parent / ".scoreboard"
# What each peer needs besides numpy; the newest versions are taken.
PACKAGES = {
    "mem0": ("mem0ai", "chromadb", "langchain"),
    "basic_memory": ("basic-memory",),
    "chromadb": ("chromadb",),
    "lancedb": ("lancedb",),
    "memsearch": ("memsearch", "milvus-lite"),
}
# What cannot be measured without a key, a download or a server.
LEFT_OUT = {
    "claude-mem": "needs Bun, a language model and a service that stays",
    "qmd": "needs some 2 GB of models from elsewhere than a package index",
    "MemPalace": "needs the model of Chroma from elsewhere; its search is Chroma's",
    "Graphiti": "needs a graph database and a language model",
    "Letta": "needs a server and a language model",
}
# Hits among which the answer has to be.
AMONG = 3
LIMIT = 10
KILLS = 5
SECONDS = 300


def main() -> int:
    """Measure, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers", nargs="*", help=", ".join(PACKAGES))
    parser.add_argument("--out", help="the page to write")
    given = parser.parse_args()
    texts, asked = (_lines(name) for name in ("rows.jsonl", "questions.jsonl"))
    with tempfile.TemporaryDirectory(prefix="bower-scoreboard-") as folder:
        job = _job(Path(folder), texts, asked)
        measured: dict[str, dict[str, Any] | str] = {}
        measured["Bowerbird"] = _measured(Path(sys.executable), HERE / "product.py", job, asked)
        for name in given.peers or PACKAGES:
            try:
                python = _environment(name)
                measured[name] = _measured(python, PEERS / f"{name}_peer.py", job, asked)
            except (OSError, subprocess.SubprocessError) as error:
                measured[name] = _reason(error)
    page = _page(measured)
    if given.out:
        Path(given.out).write_text(page, encoding="utf-8")
    sys.stdout.write(page)
    return 0


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def _job(folder: Path, texts: list[dict[str, Any]], asked: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows, questions and the vectors of both, as the workers take them."""
    rows, vectors = folder / "rows.jsonl", folder / "vectors"
    rows.write_text("".join(json.dumps(one["text"]) + "\n" for one in texts), encoding="utf-8")
    with Bowerbird.open(str(folder / "none.db"), project="bench") as bird:
        _unit([one.values for one in bird.admin.embed([one["text"] for one in texts])]).tofile(
            vectors
        )
        of_questions = _unit([bird.admin.embed_query(one["ask"]).values for one in asked])
    questions = [
        {"text": one["ask"], "vector": vector.tolist()}
        for one, vector in zip(asked, of_questions, strict=True)
    ]
    return {"rows": str(rows), "vectors": str(vectors), "questions": questions}


def _unit(values: list[bytes]) -> Any:
    matrix = np.stack([np.frombuffer(one, np.int8).astype(np.float32) for one in values])
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.maximum(lengths, 1e-9).astype(np.float32)


def _environment(name: str) -> Path:
    """The interpreter of a peer's own environment, made the first time."""
    place = PLACE / name
    python = place / "bin" / "python"
    done = place / "installed"
    if not done.exists():
        venv.create(place, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "-q", "numpy", *PACKAGES[name]]
        subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 our own words
        done.touch()
    return python


def _measured(
    python: Path, system: Path, job: dict[str, Any], asked: list[dict[str, Any]]
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="bower-scoreboard-") as folder:
        files = {"folder": folder, "rows": job["rows"], "vectors": job["vectors"]}
        begun = time.monotonic()
        _run(python, system, {"do": "load", **files})
        took = time.monotonic() - begun
        asking = {"do": "ask", "folder": folder, "before": 0, "limit": LIMIT}
        every = _run(python, system, {**asking, "questions": job["questions"]})
        cold = _cpu(python, system, {**asking, "questions": job["questions"][:1]})
        size = sum(one.stat().st_size for one in Path(folder).rglob("*") if one.is_file())
    found = dict[str, list[bool]]()
    for one, rows in zip(asked, every["rows"], strict=True):
        right = bool(rows) if one["kind"] == "unanswered" else one["row"] in rows[:AMONG]
        found.setdefault(one["kind"], []).append(right)
    return {
        "version": every["version"],
        **{kind: sum(some) / len(some) for kind, some in found.items()},
        "cold_ms": cold,
        "warm_ms": sorted(every["cpu_ms"])[len(every["cpu_ms"]) // 2],
        "size_mb": size / 1e6,
        "rss_mb": every["rss_mb"],
        "kills": _kills(python, system, job, took),
    }


def _kills(python: Path, system: Path, job: dict[str, Any], took: float) -> int:
    """How often it answers, having been killed at some point of its loading and loaded again."""
    drawn = random.Random(7)  # noqa: S311 no secret
    answered = 0
    for _ in range(KILLS):
        with tempfile.TemporaryDirectory(prefix="bower-scoreboard-") as folder:
            files = {"folder": folder, "rows": job["rows"], "vectors": job["vectors"]}
            running = subprocess.Popen(  # noqa: S603 our own words, no shell
                [str(python), worker.__file__, str(system)],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            told = json.dumps({"do": "load", **files}).encode()
            try:
                running.communicate(told, timeout=took * drawn.uniform(0.5, 1.0))
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
            asking = {"do": "ask", "folder": folder, "before": 0, "limit": LIMIT}
            try:
                _run(python, system, {"do": "load", **files})
                _run(python, system, {**asking, "questions": job["questions"][:1]})
            except subprocess.SubprocessError:
                continue
            answered += 1
    return answered


def _run(python: Path, system: Path, job: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603 our own words, no shell
        [str(python), worker.__file__, str(system)],
        input=json.dumps(job), capture_output=True, text=True, check=True, timeout=SECONDS,
    )  # fmt: skip
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _cpu(python: Path, system: Path, job: dict[str, Any]) -> float:
    """CPU milliseconds of a new process that answers one question, the least of three."""
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        _run(python, system, job)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(took) * 1000


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError) and error.stderr:
        return str(error.stderr).strip().splitlines()[-1][:120]
    return type(error).__name__


def _page(measured: dict[str, dict[str, Any] | str]) -> str:
    about = circumstances()
    said = (
        f"Commit `{str(about['commit'])[:8]}`, {str(about['date'])[:10]}, Python {about['python']},"
        f" {about['machine']}, load {' '.join(f'{one:g}' for one in load())}."
    )
    rows = "\n".join(_row(name, one) for name, one in measured.items())
    left_out = "; ".join(f"{name} {why}" for name, why in LEFT_OUT.items())
    page = (HERE / "page.txt").read_text(encoding="utf-8")
    return page.format(about=said, rows=rows, left_out=left_out)


def _row(name: str, one: dict[str, Any] | str) -> str:
    if isinstance(one, str):
        return f"| {name} | | failed: {one.replace('|', ' ')} | | | | | | | |"
    shares = " | ".join(f"{one[kind]:.0%}" for kind in ("finding", "paraphrase", "unanswered"))
    return (
        f"| {name} | {one['version']} | {shares} | {one['cold_ms']:,.0f} ms | {one['warm_ms']:.1f} ms"
        f" | {one['size_mb']:.1f} MB | {one['rss_mb']:.0f} MB | {one['kills']} of {KILLS} |"
    )


if __name__ == "__main__":
    sys.exit(main())
