"""Calls embedders and rerankers of every provider over a server that fails in every way that is known.

    python benchmarks/model_chaos.py [--calls 1000] [--seed 0]

Each call meets a failure drawn at random, or none: statuses, error pages, half responses, wrong numbers
and shapes, NaN, redirects, delays beyond the time limit, endless headers, closed connections. Each has to
end in time by an answer of the right shape, or by an error of ours with a remedy; no key may be in one,
and no thread may be left at the end. Exits with 1 otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
import socketserver
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bowerbird.core.config import Config
from bowerbird.core.errors import BowerbirdError
from bowerbird.models.registry import other_embedder, reranker

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bowerbird.core.types import Vector

KEY = "sk-test-0123456789abcdefghijklmnop"
# Seconds of a request, and those in which it must have ended, retries and threads included.
LIMIT, END = 1.0, 8.0
DIMS = 8
TEXTS = ("tea", "ice", "walrus")
EMBEDDERS = (
    "openai",
    "compatible",
    "ollama",
    "gemini",
    "voyage",
    "cohere",
    "jina",
    "cloudflare",
    "tei",
)
RERANKERS = ("compatible", "cohere", "jina", "voyage", "cloudflare", "tei")
STATUSES = (301, 400, 401, 402, 403, 404, 408, 413, 418, 422, 429, 500, 502, 503, 529)
FAULTS = (
    "none", "none", "status", "status with a long wait", "page", "empty", "half", "closed", "hangs",
    "drips", "nan", "huge numbers", "too few", "too many", "other dims", "wrong types", "list",
    "nested", "echo of the key", "endless header", "zeros",
)  # fmt: skip


class Kept:
    """Keeps no score, so that every call asks."""

    def known(self, _model: str, _hashes: Collection[bytes]) -> dict[bytes, Vector]:
        """None."""
        return {}

    def keep(self, _model: str, _vectors: Mapping[bytes, Vector]) -> None:
        """Forget them."""


class WrongError(Exception):
    """A call ended as none may."""


class Server(socketserver.ThreadingTCPServer):
    """Answers with the fault of the moment."""

    daemon_threads = True
    allow_reuse_address = True
    fault = "none"
    role = "embed"
    draw = random.Random(0)  # noqa: S311 no secret depends on it


class Handler(socketserver.StreamRequestHandler):
    """One connection, one request."""

    server: Server

    def handle(self) -> None:
        """Answer; a client that has given up is as it should be."""
        with suppress(OSError):
            self._answer()

    def _answer(self) -> None:
        size = 0
        path = self.rfile.readline().split(b" ")[1].decode()
        while (line := self.rfile.readline().strip()) and line:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        asked = json.loads(self.rfile.read(size) or b"{}")
        fault, draw = self.server.fault, self.server.draw
        if fault == "closed":
            return
        if fault == "hangs":
            time.sleep(LIMIT * 1.5)
            return
        if fault == "endless header":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for _ in range(300):
                self.wfile.write(b"X-More: " + b"x" * 500 + b"\r\n")
            return
        status, headers, body = self._reply(fault, path, asked, draw)
        head = f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        self.wfile.write((head + "".join(f"{one}\r\n" for one in headers) + "\r\n").encode())
        if fault == "half":
            self.wfile.write(body[: len(body) // 2])
        elif fault == "drips":
            for at in range(0, min(len(body), 60), 3):
                self.wfile.write(body[at : at + 3])
                time.sleep(LIMIT / 10)
        else:
            self.wfile.write(body)

    def _reply(
        self, fault: str, path: str, asked: dict[str, Any], draw: random.Random
    ) -> tuple[int, list[str], bytes]:
        if fault == "status":
            said = draw.choice(
                (
                    b'{"error": {"message": "no"}}',
                    b'{"detail": [{"msg": "no"}]}',
                    b"",
                    b"<html>",
                    b'{"error":',
                )
            )
            return draw.choice(STATUSES), ["Location: http://127.0.0.1:1/"], said
        if fault == "status with a long wait":
            wait = draw.choice(
                ("Retry-After: 900", "Retry-After: nan", "Retry-After: -5", "Retry-After: x")
            )
            return draw.choice((429, 503)), [wait], b"{}"
        if fault == "echo of the key":
            return 401, [], json.dumps({"error": {"message": f"the key {KEY} is wrong"}}).encode()
        special = {
            "page": b"<html>Welcome</html>", "empty": b"", "list": b"[]", "nested": b"[" * 100_000,
        }  # fmt: skip
        if fault in special:
            return 200, [], special[fault]
        text = json.dumps(_right(self.server.role, path, asked, fault))
        return 200, [], text.replace('"HUGE"', "1e999").encode()


def _right(role: str, path: str, asked: dict[str, Any], fault: str) -> Any:
    """The answer of a provider, with the fault in its numbers."""
    number: Any = {
        "nan": float("nan"),
        "huge numbers": "HUGE",
        "wrong types": "a",
        "zeros": 0.0,
    }.get(fault, 0.5)
    texts = _texts(asked)
    count = len(texts) + {"too few": -1, "too many": 1}.get(fault, 0)
    if role == "rerank":
        rows = [
            {"index": at, "id": at, "relevance_score": number, "score": number}
            for at in range(count)
        ]
        if "texts" in asked:
            return rows
        if "contexts" in asked:
            return {"result": {"response": rows}, "success": True}
        return {"results": rows, "data": rows}
    vectors = [[number] * (DIMS + (fault == "other dims")) for _ in range(count)]
    if "requests" in asked:
        return {"embeddings": [{"values": one} for one in vectors]}
    if "embedding_types" in asked:
        return {"embeddings": {"float": vectors}}
    if "/run/" in path:
        return {"result": {"data": vectors}, "success": True}
    if "/api/" in path:
        return {"embeddings": vectors}
    if "inputs" in asked:
        return vectors
    return {"data": [{"index": at, "embedding": one} for at, one in enumerate(vectors)]}


def _texts(asked: dict[str, Any]) -> list[Any]:
    names = ("input", "texts", "inputs", "text", "requests", "documents", "contexts", "queries")
    return next((asked[name] for name in names if isinstance(asked.get(name), list)), [])


def _called(role: str, provider: str, address: str) -> str:
    """One call over fresh connections: `answer`, or the class of its error. Raises WrongError."""
    config = Config()
    named = {"provider": provider, "model": "m", "endpoint": address, "key": KEY, "timeout": LIMIT}
    for key, value in named.items():
        config.put(f"{role}.{key}", value, "flag")
    try:
        right = _embedded(config) if role == "embed" else _ordered(config)
    except BowerbirdError as error:
        if not error.remedy:
            raise WrongError(f"no remedy: {error.message}") from error
        if KEY in f"{error.message} {error.remedy}":
            raise WrongError("the key is in the error") from error
        return type(error).__name__
    if not right:
        raise WrongError("the answer has another shape than was asked for")
    return "answer"


def _embedded(config: Config) -> bool:
    """Whether there is a vector for each text, of one length."""
    model = other_embedder(config)
    try:
        vectors = model.embed(TEXTS)
    finally:
        model.close()
    return len(vectors) == len(TEXTS) and len({len(one.values) for one in vectors}) == 1


def _ordered(config: Config) -> bool:
    """Whether each text has its place."""
    model = reranker(config, Kept())
    try:
        return sorted(model.order(TEXTS[0], TEXTS)) == [*range(len(TEXTS))]
    finally:
        model.close()


class Run:
    """What became of the calls."""

    def __init__(self) -> None:
        self.found: Counter[tuple[str, str]] = Counter()
        self.wrong: list[str] = []
        self.slowest = 0.0

    def call(self, server: Server, provider: str, address: str) -> None:
        """Make one call, and look at how it ended."""
        what = f"{server.role} {provider}, {server.fault}"
        start = time.monotonic()
        try:
            became = _called(server.role, provider, address)
        except Exception as error:  # noqa: BLE001 what is not ours is what this looks for
            became = "WRONG"
            self.wrong.append(f"{what}: {error!r}")
        took = time.monotonic() - start
        self.slowest = max(self.slowest, took)
        if took > END:
            self.wrong.append(f"{what}: {took:.1f} s")
        self.found[server.fault, became] += 1

    def tell(self) -> None:
        """Print how often each fault ended how."""
        for (fault, became), count in sorted(self.found.items()):
            print(f"{fault:26} {became:14} {count:4}")
        calls = sum(self.found.values())
        print(f"{calls} calls, the slowest took {self.slowest:.1f} s; wrong: {len(self.wrong)}")
        print("\n".join(self.wrong[:20]))


def main() -> int:
    """Make the calls, and print what came of them."""
    parser = argparse.ArgumentParser(description="Calls models over a server that fails.")
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    draw, run = random.Random(given.seed), Run()  # noqa: S311 no secret depends on it
    with Server(("127.0.0.1", 0), Handler) as server:
        server.draw = draw
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        before = threading.active_count()
        for _ in range(given.calls):
            server.role, server.fault = draw.choice(("embed", "rerank")), draw.choice(FAULTS)
            run.call(
                server, draw.choice(EMBEDDERS if server.role == "embed" else RERANKERS), address
            )
        end = time.monotonic() + END
        while threading.active_count() > before and time.monotonic() < end:
            time.sleep(LIMIT / 20)
        if threading.active_count() > before:
            run.wrong.append(f"{threading.active_count() - before} threads are left")
        server.shutdown()
    run.tell()
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
