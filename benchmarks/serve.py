"""How fast the server answers, beside a bare route of the same framework, in one run.

    python benchmarks/serve.py [--passages 100000] [--seconds 5] [--store FILE]

Writes benchmarks/results/serve-COMMIT.json. Clients keep their connections; they run in a process of
their own, on the same machine.
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
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

from bowerbird import Bowerbird
from bowerbird.surfaces.bench.corpus import write_corpus
from bowerbird.surfaces.checkout import own_commit

CLIENTS = (1, 8, 64)
QUESTIONS = 500
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
        told: Any = process.stderr
        found = next((one for line in told if (one := _ADDRESS.search(line))), None)
        if found is None:
            raise RuntimeError("the server did not start")
        # The log of requests has to go somewhere, or the server waits for its reader.
        drain = Thread(target=told.read, daemon=True)
        drain.start()
        yield int(found[1]), process.pid
    finally:
        process.terminate()
        process.wait()


async def load(port: int, requests: list[bytes], clients: int, seconds: float) -> dict[str, float]:
    """So many clients, each asking again as soon as it is answered; times in milliseconds."""
    times: list[float] = []
    failed = 0
    end = time.perf_counter() + seconds

    async def one(number: int) -> None:
        nonlocal failed
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        turn = number * 7
        while time.perf_counter() < end:
            begin = time.perf_counter()
            writer.write(requests[turn % len(requests)])
            head = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", head)
            await reader.readexactly(int(size[1]) if size else 0)
            times.append((time.perf_counter() - begin) * 1000)
            failed += b" 200 " not in head[:20]
            turn += 1
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(clients)))
    took = time.perf_counter() - began
    times.sort()
    return {
        "clients": clients,
        "requests_per_second": round(len(times) / took, 1),
        "p50_ms": round(times[len(times) // 2], 2),
        "p99_ms": round(times[int(len(times) * 0.99)], 2),
        "failed": failed,
    }


def post(path: str, port: int, token: str, fields: dict[str, Any]) -> bytes:
    """One request as it goes over the wire."""
    body = json.dumps(fields).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def resident_mb(pid: int) -> float:
    """The memory that a process holds, in MB."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return round(int(found[1]) / 1024, 1) if found else 0.0


def main() -> int:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {f"XDG_{n}_HOME": folder for n in ("DATA", "STATE", "CONFIG")}
        store = os.path.join(folder, "memory.db")
        made = write_corpus(os.path.join(folder, "corpus"), options.passages, 1, QUESTIONS)
        with Bowerbird.open(store, project="bench") as bird:
            bird.index(os.path.join(folder, "corpus"))
            passages = bird.status().total_passages
        rows: dict[str, list[dict[str, float]]] = {"bare": [], "query": [], "again": []}
        with running([sys.executable, "-c", BARE], environment) as (port, _):
            asked = [post("/bare", port, "-", {"query": one}) for one in made.questions]
            for clients in CLIENTS:
                rows["bare"].append(asyncio.run(load(port, asked, clients, options.seconds)))
        serve = [sys.executable, "-m", "bowerbird", "serve", "--port", "0", "--store", store]
        with running(serve, environment | {"BOWER_SERVE_TOKEN": "b" * 43}) as (port, pid):
            for name, questions in (("query", made.questions), ("again", made.questions[:1])):
                asked = [
                    post("/api/v1/query", port, "b" * 43, {"query": one, "project": "bench"})
                    for one in questions
                ]
                for clients in CLIENTS:
                    rows[name].append(asyncio.run(load(port, asked, clients, options.seconds)))
            memory = resident_mb(pid)
    told = {
        "passages": passages,
        "resident_mb": memory,
        "load_average": os.getloadavg()[0],
        "cpus": os.cpu_count(),
        "client_cpu_s": round(resource.getrusage(resource.RUSAGE_SELF).ru_utime, 1),
        "rows": rows,
    }
    place = Path(__file__).parent / "results" / f"serve-{(own_commit() or 'none')[:10]}.json"
    place.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(told, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
