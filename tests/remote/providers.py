"""A server that speaks the wire format of each provider, and refuses what that provider refuses.

Bodies and responses are those that the official SDKs send and read, which `test_official_clients.py`
compares. Every text gets the vector of its words; every pair the number of words that they share.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = tuple[int, Any]

# Of no provider: made up for these tests, in the shape of theirs.
KEY = "sk-test-0123456789abcdefghijklmnop"
DIMS = 8
# The longest text that each reads, in words.
LONGEST = 50


def vector(text: str, dims: int | None = None) -> list[float]:
    values = [0.01] * DIMS
    for word in text.lower().split():
        values[sum(map(ord, word)) % DIMS] += 1.0
    return values[: dims or DIMS]


def shared(question: str, text: str) -> int:
    return len(set(question.lower().split()) & set(text.lower().split()))


def _too_long(texts: list[str]) -> bool:
    return any(len(text.split()) > LONGEST for text in texts)


def _openai(asked: dict[str, Any], most: int = 2_048) -> Answer:
    texts = asked["input"]
    if len(texts) > most or not all(texts):
        return 400, {"error": {"message": "'$.input' is invalid", "type": "invalid_request_error"}}
    if _too_long(texts):
        message = "This model's maximum context length is 8192 tokens"
        return 400, {"error": {"message": message, "type": "invalid_request_error"}}
    dims = asked.get("dimensions") or asked.get("output_dimension")
    data = [{"index": at, "embedding": vector(text, dims)} for at, text in enumerate(texts)]
    return 200, {"data": data[::-1], "model": asked["model"], "usage": {"total_tokens": 7}}


def _llama(asked: dict[str, Any]) -> Answer:
    if _too_long(asked["input"]):
        message = "input (5001 tokens) is too large to process. increase the physical batch size"
        return 500, {"error": {"code": 500, "message": message, "type": "server_error"}}
    return _openai({"input": asked["input"], "model": "m"})


def _ollama(asked: dict[str, Any]) -> Answer:
    assert asked["truncate"] is False
    if asked["model"] == "missing":
        return 404, {"error": 'model "missing" not found, try pulling it first'}
    if _too_long(asked["input"]):
        return 400, {"error": "the input length exceeds the context length"}
    vectors = [vector(text, asked.get("dimensions")) for text in asked["input"]]
    return 200, {"model": asked["model"], "embeddings": vectors, "prompt_eval_count": 7}


def _gemini(asked: dict[str, Any]) -> Answer:
    if len(asked["requests"]) > 100:
        message = "at most 100 requests can be in one batch"
        return 400, {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}
    vectors = []
    for one in asked["requests"]:
        (part,) = one["content"]["parts"]
        vectors.append({"values": vector(part["text"], one.get("outputDimensionality"))})
    return 200, {"embeddings": vectors, "usageMetadata": {"promptTokenCount": 7}}


def _voyage(asked: dict[str, Any]) -> Answer:
    assert asked["input_type"] in {"query", "document"}
    assert asked["truncation"] is False
    if _too_long(asked["input"]):
        return 400, {"detail": "The example at index 0 has too many tokens and does not fit"}
    return _openai(asked, 1_000)


def _cohere(asked: dict[str, Any]) -> Answer:
    assert asked["embedding_types"] == ["float"]
    if len(asked["texts"]) > 96:
        return 400, {
            "id": "x",
            "message": "invalid request: total number of texts must be at most 96",
        }
    if _too_long(asked["texts"]):
        return 400, {"id": "x", "message": "text at index 0 is too long: set truncate"}
    vectors = [vector(text, asked.get("output_dimension")) for text in asked["texts"]]
    meta = {"billed_units": {"input_tokens": 7}}
    return 200, {"id": "x", "embeddings": {"float": vectors}, "texts": asked["texts"], "meta": meta}


def _jina(asked: dict[str, Any]) -> Answer:
    if _too_long(asked["input"]):
        return 422, {"detail": [{"loc": ["input"], "msg": "Input text exceeds maximum length"}]}
    return _openai(asked, 100)


def _cloudflare(asked: dict[str, Any]) -> Answer:
    texts = asked.get("text") or asked.get("queries") or asked["documents"]
    if len(texts) > 100 or _too_long(texts):
        errors = [{"code": 5006, "message": "Error: input is too long for this model"}]
        return 400, {"result": None, "success": False, "errors": errors, "messages": []}
    result = {"data": [vector(text) for text in texts], "shape": [len(texts), DIMS]}
    return 200, {"result": result, "success": True, "errors": [], "messages": []}


def _tei(asked: dict[str, Any]) -> Answer:
    if len(asked["inputs"]) > 32:
        return 422, {"error": "batch size 33 > maximum allowed batch size 32", "error_type": "x"}
    if _too_long(asked["inputs"]):
        message = "`inputs` must have less than 512 tokens. Given: 1000"
        return 413, {"error": message, "error_type": "Validation"}
    return 200, [vector(text) for text in asked["inputs"]]


def _scored(asked: dict[str, Any], at: str, name: str, texts: str = "documents") -> Any:
    """Best first, as every provider does."""
    found = [
        {at: place, name: shared(asked["query"], text) - 0.5}
        for place, text in enumerate(asked[texts])
    ]
    return sorted(found, key=lambda one: -one[name])


def _contexts(asked: dict[str, Any]) -> Answer:
    texts = {"query": asked["query"], "t": [one["text"] for one in asked["contexts"]]}
    return 200, {"result": {"response": _scored(texts, "id", "score", "t")}, "success": True}


EMBED = {
    "openai": ("/embeddings", _openai),
    "compatible": ("/embeddings", _llama),
    "ollama": ("/api/embed", _ollama),
    "gemini": ("/models/{model}:batchEmbedContents", _gemini),
    "voyage": ("/embeddings", _voyage),
    "cohere": ("/embed", _cohere),
    "jina": ("/embeddings", _jina),
    "cloudflare": ("/run/{model}", _cloudflare),
    "tei": ("/embed", _tei),
}
RERANK: dict[str, tuple[str, Callable[[dict[str, Any]], Answer]]] = {
    "cohere": (
        "/rerank",
        lambda asked: (200, {"results": _scored(asked, "index", "relevance_score")}),
    ),
    "jina": (
        "/rerank",
        lambda asked: (200, {"results": _scored(asked, "index", "relevance_score")}),
    ),
    "compatible": (
        "/rerank",
        lambda asked: (200, {"results": _scored(asked, "index", "relevance_score")}),
    ),
    "voyage": (
        "/rerank",
        lambda asked: (200, {"data": _scored(asked, "index", "relevance_score")}),
    ),
    "cloudflare": ("/run/m", _contexts),
    "tei": ("/rerank", lambda asked: (200, _scored(asked, "index", "score", "texts"))),
}


class ProviderServer:
    """Speaks as one provider in one role; `asked` and `headers` hold what it was sent."""

    def __init__(self, path: str, answer: Callable[[dict[str, Any]], Answer]) -> None:
        self.path, self.answer = path, answer
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        # What it answers instead, the first first: a status, headers and a body.
        self.failures: list[tuple[int, dict[str, str], bytes]] = []
        handler = type("Handler", (_Handler,), {"ours": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"


class _Handler(BaseHTTPRequestHandler):
    ours: ProviderServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.ours.asked.append(asked)
        self.ours.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.ours.failures:
            status, headers, body = self.ours.failures.pop(0)
        elif self.path != self.ours.path:
            status, headers, body = 404, {}, json.dumps({"error": f"no path {self.path}"}).encode()
        else:
            status, answer = self.ours.answer(asked)
            headers, body = {}, json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""
