"""Compares what we send to providers with what their official SDKs send for the same call.

    pip install openai cohere google-genai ollama voyageai
    python benchmarks/provider_sdks.py

Both ask one local server, which keeps path and body. The bodies have to be equal but for what is listed
with each call: how vectors are encoded, and fields that say what is the provider's default. SDKs change
monthly and take seconds to import, so that this is no part of `make test`. Exits with 1 if one differs.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from bowerbird.models.embed.known import known
from bowerbird.models.embed.wires import WIRES as EMBED
from bowerbird.models.rerank.wires import WIRES as RERANK

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS = ["a walrus on ice", "deploy on friday"]
QUESTION = "walrus"
KEY = "sk-test-0123456789abcdefghijklmnop"
_VECTOR = [0.25, 0.5, 0.75]

Body = dict[str, Any]


class Recorder:
    """Answers every request with something that each SDK can read; `asked` is the last path and body."""

    def __init__(self) -> None:
        self.asked: tuple[str, Body] = ("", {})
        ours = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                ours.asked = (self.path, json.loads(self.rfile.read(size)))
                body = json.dumps(_answer(self.path)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_arguments: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


def _answer(path: str) -> Body:
    results = [{"index": at, "relevance_score": 0.5} for at in range(len(TEXTS))]
    vectors = [_VECTOR for _ in TEXTS]
    if "rerank" in path:
        usage = {"total_tokens": 1}
        return {"id": "x", "object": "list", "results": results, "data": results, "usage": usage}
    if "api/embed" in path:
        return {"model": "m", "embeddings": vectors}
    if "batchEmbedContents" in path:
        return {"embeddings": [{"values": one} for one in vectors]}
    if "v2/embed" in path:
        return {"id": "x", "embeddings": {"float": vectors}, "texts": TEXTS}
    data = [
        {"index": at, "embedding": one, "object": "embedding"} for at, one in enumerate(vectors)
    ]
    return {
        "object": "list",
        "data": data,
        "model": "m",
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


class Call:
    """One call of an SDK, and what we send for the same.

    `may_differ` are fields that one of the two leaves out or says otherwise, with the reason.
    """

    def __init__(
        self,
        package: str,
        name: str,
        sdk: Callable[[Any, str], object],
        ours: Callable[[], tuple[str, Body]],
        may_differ: dict[str, str] | None = None,
    ) -> None:
        self.package = package
        self.name = name
        self.sdk = sdk
        self.ours = ours
        self.may_differ = may_differ or {}

    def differences(self, server: Recorder) -> list[str]:
        """What differs, a line each."""
        self.sdk(importlib.import_module(self.package), server.address)
        path, theirs = server.asked
        our_path, ours = self.ours()
        lines = [] if path.endswith(our_path) else [f"path {path}, ours ends in {our_path}"]
        fields = sorted({*theirs, *ours} - {*self.may_differ})
        return lines + [
            f"{field}: {theirs.get(field)!r}, ours {ours.get(field)!r}"
            for field in fields
            if theirs.get(field) != ours.get(field)
        ]


def _embedding(
    provider: str, model: str, dims: int = 0, *, question: bool = False
) -> tuple[str, Body]:
    wire, facts = EMBED[provider], known(model)
    fields = wire.fields(model, question)
    prefix = "" if fields else facts.query if question else facts.text
    body = wire.body(model, [prefix + text for text in TEXTS], dims, fields)
    return wire.path(model), body


def _reranking(provider: str, model: str) -> tuple[str, Body]:
    wire = RERANK[provider]
    return wire.path(model), wire.body(model, QUESTION, TEXTS)


def _openai(sdk: Any, address: str) -> object:
    client = sdk.OpenAI(api_key=KEY, base_url=f"{address}/v1")
    return client.embeddings.create(
        model="text-embedding-3-small", input=TEXTS, dimensions=256, encoding_format="float"
    )


def _ollama(sdk: Any, address: str) -> object:
    return sdk.Client(host=address).embed(
        model="nomic-embed-text",
        input=[known("nomic-embed-text").text + text for text in TEXTS],
        truncate=False,
        options={"num_ctx": known("nomic-embed-text").tokens},
    )


def _gemini(sdk: Any, address: str) -> object:
    client = sdk.Client(api_key=KEY, http_options={"base_url": address})
    contents = [{"role": "user", "parts": [{"text": text}]} for text in TEXTS]
    config = {"task_type": "RETRIEVAL_DOCUMENT", "output_dimensionality": 256}
    return client.models.embed_content(
        model="gemini-embedding-001", contents=contents, config=config
    )


def _voyage(sdk: Any, address: str) -> object:
    client = sdk.Client(api_key=KEY, base_url=f"{address}/v1")
    return client.embed(
        TEXTS, "voyage-4", input_type="query", truncation=False, output_dimension=256
    )


def _voyage_rerank(sdk: Any, address: str) -> object:
    client = sdk.Client(api_key=KEY, base_url=f"{address}/v1")
    return client.rerank(QUESTION, TEXTS, "rerank-3", top_k=len(TEXTS), truncation=True)


def _cohere(sdk: Any, address: str) -> object:
    return sdk.ClientV2(api_key=KEY, base_url=address).embed(
        model="embed-v4.0",
        texts=TEXTS,
        input_type="search_document",
        embedding_types=["float"],
        truncate="NONE",
        output_dimension=256,
    )


def _cohere_rerank(sdk: Any, address: str) -> object:
    return sdk.ClientV2(api_key=KEY, base_url=address).rerank(
        model="rerank-v4.0-fast", query=QUESTION, documents=TEXTS, top_n=len(TEXTS)
    )


CALLS = (
    Call("openai", "embed", _openai, lambda: _embedding("openai", "text-embedding-3-small", 256)),
    Call("ollama", "embed", _ollama, lambda: _embedding("ollama", "nomic-embed-text")),
    Call(
        "google.genai", "embed", _gemini, lambda: _embedding("gemini", "gemini-embedding-001", 256)
    ),
    Call(
        "voyageai",
        "embed",
        _voyage,
        lambda: _embedding("voyage", "voyage-4", 256, question=True),
        {
            "encoding_format": "the SDK asks for base64, which it decodes; we ask for numbers",
            "output_dtype": "float is the default",
        },
    ),
    Call("voyageai", "rerank", _voyage_rerank, lambda: _reranking("voyage", "rerank-3")),
    Call("cohere", "embed", _cohere, lambda: _embedding("cohere", "embed-v4.0", 256)),
    Call("cohere", "rerank", _cohere_rerank, lambda: _reranking("cohere", "rerank-v4.0-fast")),
)


def main() -> int:
    """Compare every call; 1 if one differs, 2 if an SDK is missing."""
    server, code = Recorder(), 0
    for call in CALLS:
        try:
            found = call.differences(server)
        except ImportError as error:
            print(f"{call.package} {call.name}: not compared, {error}")
            code = code or 2
            continue
        version = getattr(sys.modules[call.package], "__version__", "")
        print(f"{call.package} {version} {call.name}: {'equal' if not found else 'DIFFERENT'}")
        for line in found:
            print(f"    {line}")
            code = 1
        for field, why in call.may_differ.items():
            print(f"    {field} is left out: {why}")
    return code


if __name__ == "__main__":
    sys.exit(main())
