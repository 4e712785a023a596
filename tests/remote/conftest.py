"""A model's server on the loopback that speaks OpenAI's ``/embeddings``, and fails as asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

import pytest

from bowerbird.models import http
from bowerbird.models.embed.centred import STRANGERS
from bowerbird.models.embed.static import StaticEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from bowerbird.core.types import Vector
    from bowerbird.models.cache import Embeddings


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask a server that fails again at once."""
    monkeypatch.setattr(http, "FIRST_WAIT", 0.0)


class Failing:
    """An answer that is none: a status, headers and a body, or no answer in time."""

    def __init__(
        self,
        status: int,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        *,
        hangs: bool = False,
        drips: bool = False,
    ) -> None:
        self.status = status
        self.body = body
        self.headers = headers or {}
        self.hangs = hangs
        self.drips = drips


class EmbeddingServer:
    """Reads texts with the built-in model's weights; what it was asked stands in `asked`,
    how often what all texts share, in `strangers`.

    `fail` says what it does instead of its next answer; `changed` alters what it answers.
    """

    def __init__(self, port: int = 0) -> None:
        self.asked: list[dict[str, Any]] = []
        self.strangers = 0
        self.headers: list[dict[str, str]] = []
        self._failures: list[Failing] = []
        self.changed: Callable[[dict[str, Any]], object] | None = None
        self.over = threading.Event()
        self._model = StaticEmbedder.builtin()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def fail(
        self,
        status: int = 200,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        *,
        hangs: bool = False,
        drips: bool = False,
    ) -> None:
        """Answer so once, after what it was told before."""
        self._failures.append(Failing(status, body, headers, hangs=hangs, drips=drips))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def texts(self) -> list[str]:
        """Every text that it was sent, in order."""
        return [text for asked in self.asked for text in asked["input"]]

    def answer(self, asked: dict[str, Any]) -> object:
        """What an OpenAI-compatible server says."""
        with self._lock:
            vectors = self._model.embed(asked["input"])
        data = []
        for index, vector in enumerate(vectors):
            values = memoryview(vector.values).cast("b").tolist()
            numbers = [value / 127 for value in values][: asked.get("dimensions")]
            data.append({"object": "embedding", "index": index, "embedding": numbers})
        # The wire format promises an index, not an order.
        answer: dict[str, Any] = {"object": "list", "model": asked["model"], "data": data[::-1]}
        answer["usage"] = {"prompt_tokens": 1, "total_tokens": 1}
        return self.changed(answer) if self.changed else answer

    def next_failure(self, asked: dict[str, Any], headers: dict[str, str]) -> Failing | None:
        """Write down what was asked, and say how to fail, if at all."""
        with self._lock:
            if tuple(asked["input"]) == STRANGERS:
                self.strangers += 1
            else:
                self.asked.append(asked)
                self.headers.append(headers)
            return self._failures.pop(0) if self._failures else None

    def _handler(self) -> type[_Handler]:
        return type("Handler", (_Handler,), {"ours": self})


class _Handler(BaseHTTPRequestHandler):
    ours: EmbeddingServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        asked = json.loads(body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        failing = self.ours.next_failure(asked, headers)
        if failing is None and self.path != "/v1/embeddings":
            failing = Failing(404, b'{"error": {"message": "no such path"}}')
        if failing is None:
            self._send(200, json.dumps(self.ours.answer(asked)).encode(), {})
        elif failing.hangs:
            self.ours.over.wait()
        elif failing.drips:
            self._drip()
        else:
            self._send(failing.status, failing.body, failing.headers)

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        try:
            while not self.ours.over.wait(0.02):
                self.wfile.write(b" ")
        except OSError:
            pass  # whom it was for has gone

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


class NoStore:
    """Keeps nothing."""

    def known(self, model: str, hashes: Collection[bytes]) -> dict[bytes, Vector]:
        return {}

    def keep(self, model: str, vectors: Mapping[bytes, Vector], used: Collection[bytes]) -> None:
        pass

    def note(self, model: str, hash: bytes, vector: Vector) -> None:
        pass


@pytest.fixture
def no_store() -> Embeddings:
    """For a model whose vectors only memory keeps."""
    return NoStore()
