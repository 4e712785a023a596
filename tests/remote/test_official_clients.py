"""The providers' own clients and ours ask one server the same: path, key and body have to be equal.

A client that is not installed is left out: `pip install -e '.[clients]'` brings them all. They change
monthly and take seconds to import, so that neither the package nor its tests need one.
"""

from __future__ import annotations

import importlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import pytest

from bowerbird.core.config import Config
from bowerbird.core.thinking import TEXT, Prompt, list_of, object_of
from bowerbird.models.embed.known import known
from bowerbird.models.llm.registry import language_model
from bowerbird.models.registry import other_embedder, reranker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from bowerbird.core.types import Vector

# Of no provider: made up for this test.
KEY = "sk-test-0123456789abcdefghijklmnop"
TEXTS = ["a walrus on ice", "deploy on friday"]
QUESTION = "walrus"
DIMS = 256
SCHEMA = object_of(words=list_of(TEXT))
PROMPT = Prompt("Name the words.", "one two", SCHEMA, "words", 50)
MESSAGES = [
    {"role": "system", "content": PROMPT.instructions},
    {"role": "user", "content": PROMPT.message},
]
STRICT = {"type": "json_schema", "json_schema": {"name": "words", "strict": True, "schema": SCHEMA}}
SAID = '{"words": ["one"]}'
# Headers by which providers know who asks.
KEYS = ("authorization", "x-goog-api-key", "x-api-key")


class Request(NamedTuple):
    """What was asked: path, the key's header, body."""

    path: str
    key: dict[str, str]
    body: dict[str, Any]


class Recorder:
    """Answers every request with something that each client can read; `asked` is the last one."""

    def __init__(self) -> None:
        self.asked: Request | None = None
        handler = type("Handler", (_Handler,), {"ours": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
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


class _Handler(BaseHTTPRequestHandler):
    ours: Recorder

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        key = {name: headers[name] for name in KEYS if name in headers}
        self.ours.asked = Request(self.path, key, body)
        data = json.dumps(answer(self.path, body)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def answer(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """What the provider with that path answers."""
    vectors = [[0.25] * DIMS for _ in body.get("input", TEXTS)]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    message = {"role": "assistant", "content": SAID}
    whole: dict[str, Any]
    if path.endswith("/rerank"):
        results = [{"index": at, "relevance_score": 0.5} for at in range(len(TEXTS))]
        return {"id": "x", "object": "list", "results": results, "data": results, "usage": usage}
    if path.endswith("/api/embed"):
        return {"model": "m", "embeddings": vectors}
    if path.endswith("/v2/embed"):
        return {"id": "x", "embeddings": {"float": vectors}, "texts": TEXTS}
    if path.endswith(":batchEmbedContents"):
        return {"embeddings": [{"values": one} for one in vectors]}
    if path.endswith(":generateContent"):
        content = {"role": "model", "parts": [{"text": SAID}]}
        return {"candidates": [{"content": content, "finishReason": "STOP"}]}
    if path.endswith("/messages"):
        text = {"type": "text", "text": SAID}
        used = {"input_tokens": 1, "output_tokens": 1}
        whole = {"id": "x", "type": "message", "role": "assistant", "model": "m"}
        return whole | {"content": [text], "stop_reason": "end_turn", "usage": used}
    if path.endswith("/api/chat"):
        return {"model": "m", "message": message, "done": True, "done_reason": "stop"}
    if path.endswith("/chat/completions"):
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
        return whole | {"choices": [choice], "usage": usage}
    data = [{"index": at, "embedding": one} for at, one in enumerate(vectors)]
    return {"object": "list", "data": data, "model": "m", "usage": usage}


class Kept:
    """Keeps no score."""

    def known(self, _model: str, _hashes: Collection[bytes]) -> dict[bytes, Vector]:
        return {}

    def keep(self, _model: str, _vectors: Mapping[bytes, Vector]) -> None:
        """Do nothing."""


def configured(role: str, provider: str, model: str, address: str, **more: Any) -> Config:
    config = Config()
    named = {"provider": provider, "model": model, "endpoint": address, "key": KEY}
    for key, value in (named | more).items():
        config.put(f"{role}.{key}", value, "flag")
    return config


def embed(
    provider: str, model: str, address: str, *, question: bool = False, dims: int = 0
) -> None:
    """Ours: two texts, or one question."""
    embedder = other_embedder(configured("embed", provider, model, address, dims=dims))
    if question:
        embedder.embed_query(QUESTION)
    else:
        embedder.embed(TEXTS)
    embedder.close()


def rerank(provider: str, model: str, address: str) -> None:
    """Ours: two texts for a question."""
    model_of = reranker(configured("rerank", provider, model, address), Kept())
    model_of.order(QUESTION, TEXTS)
    model_of.close()


def write(provider: str, model: str, address: str) -> None:
    """Ours: one prompt."""
    made = language_model(configured("llm", provider, model, address), model, "llm.model", {})
    assert made.answer(PROMPT, 5.0).text == SAID


def _openai(sdk: Any, address: str) -> Any:
    return sdk.OpenAI(api_key=KEY, base_url=f"{address}/v1", max_retries=0)


def _anthropic(sdk: Any, address: str) -> Any:
    return sdk.Anthropic(api_key=KEY, base_url=address, max_retries=0)


def _gemini(sdk: Any, address: str) -> Any:
    # The version of the API that its pages show; the client's own default is another.
    options = {"base_url": address, "api_version": "v1beta"}
    return sdk.Client(api_key=KEY, http_options=options)


def _voyage(sdk: Any, address: str) -> Any:
    return sdk.Client(api_key=KEY, base_url=f"{address}/v1")


def _cohere(sdk: Any, address: str) -> Any:
    return sdk.ClientV2(api_key=KEY, base_url=address)


def _ollama(sdk: Any, address: str) -> Any:
    return sdk.Client(host=address)


class Call(NamedTuple):
    """One call of a client, and ours of the same. `differs`: fields of which only one side speaks."""

    package: str
    what: str
    client: Callable[[Any, str], Any]
    theirs: Callable[[Any], object]
    ours: Callable[[str], None]
    differs: tuple[str, ...] = ()


CALLS = (
    Call(
        "openai",
        "embed",
        _openai,
        lambda client: client.embeddings.create(
            model="text-embedding-3-small", input=TEXTS, dimensions=DIMS, encoding_format="float"
        ),
        lambda at: embed("openai", "text-embedding-3-small", f"{at}/v1", dims=DIMS),
    ),
    Call(
        "openai",
        "write",
        _openai,
        lambda client: client.chat.completions.create(
            model="gpt-6-luna",
            messages=MESSAGES,
            response_format=STRICT,
            max_completion_tokens=PROMPT.most_tokens,
            store=False,
        ),
        lambda at: write("openai", "gpt-6-luna", f"{at}/v1"),
    ),
    # The client that most servers with OpenAI's paths are used with.
    Call(
        "openai",
        "write, compatible",
        _openai,
        lambda client: client.chat.completions.create(
            model="m",
            messages=MESSAGES,
            response_format=STRICT,
            max_tokens=PROMPT.most_tokens,
            temperature=0,
        ),
        lambda at: write("compatible", "m", f"{at}/v1"),
    ),
    Call(
        "anthropic",
        "write",
        _anthropic,
        lambda client: client.messages.create(
            model="claude-haiku-5-5",
            max_tokens=PROMPT.most_tokens,
            system=PROMPT.instructions,
            messages=MESSAGES[1:],
            output_config={"format": {"type": "json_schema", "schema": SCHEMA}},
        ),
        lambda at: write("anthropic", "claude-haiku-5-5", f"{at}/v1"),
    ),
    Call(
        "ollama",
        "embed",
        _ollama,
        lambda client: client.embed(
            model="nomic-embed-text",
            input=[known("nomic-embed-text").text + text for text in TEXTS],
            truncate=False,
            options={"num_ctx": known("nomic-embed-text").tokens},
        ),
        lambda at: embed("ollama", "nomic-embed-text", at),
    ),
    Call(
        "ollama",
        "write",
        _ollama,
        lambda client: client.chat(
            model="qwen3:4b",
            messages=MESSAGES,
            stream=False,
            format=SCHEMA,
            think=False,
            options={"temperature": 0, "num_ctx": 8_192, "num_predict": PROMPT.most_tokens},
        ),
        lambda at: write("ollama", "qwen3:4b", at),
        # The client has the field for the model's calls of tools; we have none.
        ("tools",),
    ),
    Call(
        "google.genai",
        "embed",
        _gemini,
        lambda client: client.models.embed_content(
            model="gemini-embedding-001",
            contents=[{"role": "user", "parts": [{"text": text}]} for text in TEXTS],
            config={"task_type": "RETRIEVAL_DOCUMENT", "output_dimensionality": DIMS},
        ),
        lambda at: embed("gemini", "gemini-embedding-001", f"{at}/v1beta", dims=DIMS),
    ),
    Call(
        "google.genai",
        "write",
        _gemini,
        lambda client: client.models.generate_content(
            model="gemini-3.1-flash-lite",
            contents=PROMPT.message,
            config={
                "system_instruction": PROMPT.instructions,
                "temperature": 0,
                "max_output_tokens": PROMPT.most_tokens,
                "response_mime_type": "application/json",
                "response_json_schema": SCHEMA,
            },
        ),
        lambda at: write("gemini", "gemini-3.1-flash-lite", f"{at}/v1beta"),
    ),
    Call(
        "voyageai",
        "embed",
        _voyage,
        lambda client: client.embed(
            [QUESTION], "voyage-4", input_type="query", truncation=False, output_dimension=DIMS
        ),
        lambda at: embed("voyage", "voyage-4", f"{at}/v1", question=True, dims=DIMS),
        # The client asks for base64, which it decodes, and for floats, which are the default.
        ("encoding_format", "output_dtype"),
    ),
    Call(
        "voyageai",
        "rerank",
        _voyage,
        lambda client: client.rerank(
            QUESTION, TEXTS, "rerank-3", top_k=len(TEXTS), truncation=True
        ),
        lambda at: rerank("voyage", "rerank-3", f"{at}/v1"),
    ),
    Call(
        "cohere",
        "embed",
        _cohere,
        lambda client: client.embed(
            model="embed-v4.0",
            texts=TEXTS,
            input_type="search_document",
            embedding_types=["float"],
            truncate="NONE",
            output_dimension=DIMS,
        ),
        lambda at: embed("cohere", "embed-v4.0", f"{at}/v2", dims=DIMS),
    ),
    Call(
        "cohere",
        "rerank",
        _cohere,
        lambda client: client.rerank(
            model="rerank-v4.0-fast", query=QUESTION, documents=TEXTS, top_n=len(TEXTS)
        ),
        lambda at: rerank("cohere", "rerank-v4.0-fast", f"{at}/v2"),
    ),
)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    with Recorder() as running:
        yield running


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.package} {call.what}")
def test_a_client_asks_the_same(recorder: Recorder, call: Call) -> None:
    try:
        sdk = importlib.import_module(call.package)
    except ImportError:
        pytest.skip(f"{call.package} is not installed")
    client = call.client(sdk, recorder.address)
    call.theirs(client)
    theirs = recorder.asked
    call.ours(recorder.address)
    ours = recorder.asked
    assert theirs is not None
    assert ours is not None
    assert (ours.path, ours.body) == (
        theirs.path,
        {name: value for name, value in theirs.body.items() if name not in call.differs},
    )
    if call.package != "ollama":  # it takes no key of ours
        assert ours.key == theirs.key
