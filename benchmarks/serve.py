"""Throughput and latency of the server, compared with a bare route of the same framework in one run.

    python benchmarks/serve.py [--passages 100000] [--folder FOLDER] [--workers 1 2]

Writes benchmarks/results/serve-COMMIT.json. Clients keep their connections; they run in a process of
their own, on the same machine. Each level of load asks the same questions, each once, in the same
order, distributed over the clients: more questions than the server caches answers for.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from threading import Thread
from typing import Any

from bowerbird import Bowerbird
from bowerbird.bench.corpus import write_corpus
from bowerbird.host.repository import own_commit

CLIENTS = (1, 8, 32, 64)
QUESTIONS = 500
# Number of times that one question is repeated, and requests to the bare route.
AGAIN = 2_000
BARE_ASKED = 8_000
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
BARE = """
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

async def bare(request):
    await request.body()
    return Response(b'{"status": "ok"}', media_type="application/json")

app = Starlette(routes=[Route("/bare", bare, methods=["POST"])])
config = uvicorn.Config(app, port=0, access_log=False, log_level="info")
uvicorn.Server(config).run()
"""


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[tuple[int, int]]:
    """A server: its port and its process id."""
    process = subprocess.Popen(  # noqa: S603 two servers of our own
        command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    try:
        stderr: Any = process.stderr
        found = next((one for line in stderr if (one := _ADDRESS.search(line))), None)
        if found is None:
            raise RuntimeError("the server did not start")
        # The request log must be drained, or the server blocks on a full pipe.
        drain = Thread(target=stderr.read, daemon=True)
        drain.start()
        yield int(found[1]), process.pid
    finally:
        process.terminate()
        process.wait()


async def load(port: int, requests: Sequence[bytes], clients: int) -> dict[str, float]:
    """Send requests from this number of clients, without pauses; returns times in milliseconds."""
    times: list[float] = []
    failed = 0
    left = iter(requests)

    async def one() -> None:
        nonlocal failed
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in left:
            begin = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", head)
            await reader.readexactly(int(size[1]) if size else 0)
            times.append((time.perf_counter() - begin) * 1000)
            failed += b" 200 " not in head[:20]
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(clients)))
    took = time.perf_counter() - began
    times.sort()
    return {
        "clients": clients,
        "requests": len(times),
        "requests_per_second": round(len(times) / took, 1),
        "p50_ms": round(times[len(times) // 2], 2),
        "p95_ms": round(times[int(len(times) * 0.95)], 2),
        "p99_ms": round(times[int(len(times) * 0.99)], 2),
        "failed": failed,
    }


def with_readers(pid: int) -> list[int]:
    """A server's process and those that it started."""
    started = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [pid, *map(int, started)]


def processor_s(pid: int) -> float:
    """The CPU time of a server, in seconds."""
    ticks = 0
    for one in with_readers(pid):
        fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def levels(port: int, pid: int, requests: Sequence[bytes]) -> list[dict[str, float]]:
    """The same requests at each level of load, with the server's CPU time for each."""
    results = []
    for clients in CLIENTS:
        before = processor_s(pid)
        row = asyncio.run(load(port, requests, clients))
        results.append(
            row | {"cpu_ms": round((processor_s(pid) - before) * 1000 / len(requests), 2)}
        )
    return results


def post(path: str, port: int, token: str, fields: dict[str, Any]) -> bytes:
    """The bytes of one request."""
    body = json.dumps(fields).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def memory_mb(pid: int) -> float:
    """The memory of a server in MB: what its processes share counts once."""
    found = 0
    for one in with_readers(pid):
        text = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii")
        found += int(re.findall(r"\nPss:\s+(\d+)", text)[0])
    return round(found / 1024, 1)


def main() -> int:
    """Measure, print and save."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--folder", help="where store and corpus stay, to be measured again")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = options.folder or passing
        environment = os.environ | {f"XDG_{n}_HOME": passing for n in ("DATA", "STATE", "CONFIG")}
        store = os.path.join(folder, "memory.db")
        made = write_corpus(os.path.join(folder, "corpus"), options.passages, 1, QUESTIONS)
        with Bowerbird.open(store, project="bench") as bird:
            bird.index(os.path.join(folder, "corpus"))
            passages = bird.status().total_passages
        rows: dict[str, list[dict[str, float]]] = {}
        with running([sys.executable, "-c", BARE], environment) as (port, pid):
            asked = [post("/bare", port, "-", {"query": one}) for one in made.questions]
            rows["bare"] = levels(port, pid, [*islice(cycle(asked), BARE_ASKED)])
        serve = [sys.executable, "-m", "bowerbird", "serve", "--port", "0", "--store", store]
        memory: dict[int, float] = {}
        for workers in options.workers:
            command = [*serve, "--workers", str(workers)]
            with running(command, environment | {"BOWER_SERVE_TOKEN": "b" * 43}) as (port, pid):
                asked = [
                    post("/api/v1/query", port, "b" * 43, {"query": one, "project": "bench"})
                    for one in made.questions
                ]
                # The first requests load words and vectors.
                rows[f"first, {workers}"] = [asyncio.run(load(port, asked, workers))]
                rows[f"query, {workers}"] = levels(port, pid, asked)
                rows[f"again, {workers}"] = levels(port, pid, asked[:1] * AGAIN)
                memory[workers] = memory_mb(pid)
    results = {
        "passages": passages,
        "memory_mb": memory,
        "load_average": os.getloadavg()[0],
        "cpus": os.cpu_count(),
        "client_cpu_s": round(resource.getrusage(resource.RUSAGE_SELF).ru_utime, 1),
        "rows": rows,
    }
    place = Path(__file__).parent / "results" / f"serve-{(own_commit() or 'none')[:10]}.json"
    place.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
