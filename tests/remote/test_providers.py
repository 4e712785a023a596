"""Every provider, in every role: what it is sent, where its answer is read, and what its errors say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.remote.providers import DIMS, EMBED, KEY, LONGEST, RERANK, ProviderServer

from bowerbird.core.config import Config
from bowerbird.core.errors import BadConfig, ModelError
from bowerbird.models import http
from bowerbird.models.embed.remote import RemoteEmbedder
from bowerbird.models.http import Endpoint
from bowerbird.models.providers import PROVIDERS, endpoint, is_local
from bowerbird.models.registry import other_embedder, reranker
from bowerbird.models.rerank.scored import ScoringReranker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from bowerbird.core.types import Vector

    Embed = Callable[..., tuple[ProviderServer, RemoteEmbedder]]

LONG = "word " * (2 * LONGEST)
TEXTS = ["walrus on the ice", "deploy on friday", "tea with milk"]


@pytest.fixture
def embed() -> Iterator[Embed]:
    running: list[ProviderServer] = []
    made: list[RemoteEmbedder] = []

    def make(provider: str, model: str = "m", **more: Any) -> tuple[ProviderServer, RemoteEmbedder]:
        path, answer = EMBED[provider]
        running.append(ProviderServer(path.format(model=model), answer).__enter__())
        config = Config()
        named = {"provider": provider, "model": model, "endpoint": running[-1].address, "key": KEY}
        for key, value in (named | more).items():
            config.put(f"embed.{key}", value, "flag")
        embedder = other_embedder(config)
        assert isinstance(embedder, RemoteEmbedder)
        made.append(embedder)
        return running[-1], embedder

    yield make
    for embedder in made:
        embedder.close()
    for server in running:
        server.__exit__()


@pytest.mark.parametrize("provider", EMBED)
def test_texts_become_vectors_at_every_provider(embed: Embed, provider: str) -> None:
    server, model = embed(provider)
    vectors = model.embed([*TEXTS, "", TEXTS[0]])
    assert [len(one.values) for one in vectors] == [DIMS] * 5
    assert vectors[0] == vectors[4] != vectors[1]
    assert not vectors[3].norm
    assert len(server.asked) == 1
    header = PROVIDERS[provider].key_header.lower()
    assert KEY in server.headers[0][header]
    assert model.embed_query(TEXTS[0]).norm


@pytest.mark.parametrize("provider", EMBED)
def test_more_texts_than_a_provider_takes_go_in_several_requests(
    embed: Embed, provider: str
) -> None:
    _, model = embed(provider)
    texts = [f"number {i}" for i in range(231)]
    assert model.embed(texts)[137] == model.embed(["number 137"])[0]


@pytest.mark.parametrize("provider", [one for one in EMBED if one != "gemini"])
def test_a_text_that_is_too_long_is_cut_and_no_other(embed: Embed, provider: str) -> None:
    server, model = embed(provider)
    vectors = model.embed([*TEXTS, LONG, *TEXTS])
    assert vectors[:3] == vectors[4:] == model.embed(TEXTS)
    assert vectors[3].norm
    # Refusals are no failures: each part is sent once, and nothing rests.
    assert len(server.asked) < 12


@pytest.mark.parametrize(
    ("provider", "model", "question", "passage"),
    [
        ("voyage", "m", {"input_type": "query"}, {"input_type": "document"}),
        ("cohere", "m", {"input_type": "search_query"}, {"input_type": "search_document"}),
        ("jina", "m", {"task": "retrieval.query"}, {"task": "retrieval.passage"}),
        ("cloudflare", "@cf/qwen3-embedding", {"queries": ["tea"]}, {"documents": ["tea"]}),
        (
            "ollama", "nomic-embed-text",
            {"input": ["search_query: tea"]}, {"input": ["search_document: tea"]},
        ),
        ("compatible", "multilingual-e5-small", {"input": ["query: tea"]}, {"input": ["passage: tea"]}),
        ("cloudflare", "@cf/baai/bge-m3", {"text": ["tea"]}, {"text": ["tea"]}),
    ],
)  # fmt: skip
def test_a_question_and_a_passage_are_told_apart(
    embed: Embed, provider: str, model: str, question: dict[str, Any], passage: dict[str, Any]
) -> None:
    server, embedder = embed(provider, model)
    embedder.embed_query("tea")
    embedder.embed(["tea"])
    for asked, part in zip(server.asked, (question, passage), strict=True):
        assert asked | part == asked


@pytest.mark.parametrize(
    ("model", "question"),
    [
        ("gemini-embedding-001", ("tea", "RETRIEVAL_QUERY")),
        ("gemini-embedding-2", ("task: search result | query: tea", None)),
    ],
)
def test_gemini_has_roles_by_field_or_by_prefix(
    embed: Embed, model: str, question: tuple[str, str | None]
) -> None:
    server, embedder = embed("gemini", model)
    embedder.embed_query("tea")
    (one,) = server.asked[0]["requests"]
    assert (one["content"]["parts"][0]["text"], one.get("taskType")) == question
    assert one["model"] == f"models/{model}"
    assert server.headers[0]["x-goog-api-key"] == KEY
    assert KEY not in json.dumps(server.asked)


def test_what_makes_other_vectors_makes_another_identity(embed: Embed) -> None:
    _, plain = embed("compatible", "all-minilm")
    _, prefixed = embed("compatible", "e5-small")
    for model in (plain, prefixed):
        model.embed(["tea"])
    assert " " not in plain.identity.revision
    assert " " in prefixed.identity.revision
    _, pooled = embed("cloudflare", "@cf/baai/bge-base-en-v1.5")
    pooled.embed(["tea"])
    assert " " in pooled.identity.revision


def test_dimensions_are_cut_only_of_models_that_can_be(embed: Embed) -> None:
    # llama.cpp ignores the request for fewer: the rest is cut here.
    _, model = embed("compatible", "qwen3-embedding-0.6b", dims=4)
    assert len(model.embed_query("tea").values) == 4
    with pytest.raises(BadConfig, match="alone are no vector"):
        embed("compatible", "all-minilm-l6-v2", dims=4)
    _, unknown = embed("compatible", "unknown", dims=4)
    with pytest.raises(ModelError, match="8 numbers a text, not 4"):
        unknown.embed_query("tea")


@pytest.mark.parametrize(
    ("status", "headers", "body", "waits"),
    [
        (429, {"Retry-After": "3"}, {"error": {"message": "slow"}}, 3.0),
        (429, {"Retry-After": "1.5"}, {"detail": "slow"}, 1.5),
        (429, {"Retry-After-Ms": "250", "Retry-After": "9"}, {}, 0.25),
        (
            429,
            {},
            {"error": {"details": [{"@type": "RetryInfo", "retryDelay": "34s"}]}},
            34.0,
        ),
        (529, {}, {"type": "error", "error": {"type": "overloaded_error"}}, 0.0),
    ],
)
def test_a_busy_provider_is_asked_again_after_the_time_that_it_names(
    embed: Embed,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    headers: dict[str, str],
    body: dict[str, Any],
    waits: float,
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(http, "sleep", waited.append)
    server, model = embed("openai", timeout=60)
    server.failures.append((status, headers, json.dumps(body).encode()))
    assert model.embed(["tea"])
    assert waited == [pytest.approx(waits)]


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (400, {"detail": "unknown model"}, "answers 400: unknown model"),
        (422, {"detail": [{"loc": ["x"], "msg": "field required"}]}, "field required"),
        (403, {"errors": [{"code": 7, "message": "no such account"}]}, "no such account"),
        (401, {"id": "x", "message": f"invalid token {KEY}"}, "invalid token …"),
        (404, {"error": "model not found"}, "model not found"),
        (418, {"error": ["odd"]}, "odd"),
        (404, "plain", "answers 404: plain"),
    ],
)
def test_what_a_provider_says_is_shown_wherever_it_stands(
    embed: Embed, status: int, body: Any, said: str
) -> None:
    server, model = embed("openai")
    server.failures.append((status, {}, json.dumps(body).encode()))
    with pytest.raises(ModelError, match=said) as caught:
        model.embed_query("tea")
    assert KEY not in str(caught.value)
    assert caught.value.remedy


def test_a_provider_that_asks_for_minutes_is_not_waited_for(embed: Embed) -> None:
    server, model = embed("openai", timeout=600)
    server.failures.append((429, {"Retry-After": "300"}, b"{}"))
    with pytest.raises(ModelError, match="answers 429"):
        model.embed(["tea"])
    server.failures.append((429, {"x-should-retry": "false"}, b"{}"))
    with pytest.raises(ModelError, match=r"left alone|answers 429"):
        model.embed_query("tea")
    assert len(server.asked) <= 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[]", "0 vectors for 1 texts"),
        (b'{"embeddings": [[1, 2]', "something else than JSON"),
        (b'{"embeddings": [[NaN, 1]]}', "finite numbers"),
        (b'{"embeddings": [[0, 0]]}', "zeros alone"),
        (b'{"embeddings": [[1e999, 1]]}', "finite numbers"),
        (b'{"embeddings": [["a"]]}', "finite numbers"),
        (b'{"embeddings": [[1], [2]]}', "2 vectors for 1 texts"),
        (b'{"embeddings": null}', "0 vectors for 1 texts"),
    ],
)
def test_half_answers_and_numbers_that_are_none_are_refused(
    embed: Embed, body: bytes, said: str
) -> None:
    server, model = embed("ollama")
    server.failures.append((200, {}, body))
    with pytest.raises(ModelError, match=said):
        model.embed_query("tea")
    # Nothing was learnt from it.
    assert model.embed_query("tea").norm


class Kept:
    """Keeps scores in memory."""

    def __init__(self) -> None:
        self.vectors: dict[tuple[str, bytes], Vector] = {}

    def known(self, model: str, hashes: Collection[bytes]) -> dict[bytes, Vector]:
        return {hash: self.vectors[model, hash] for hash in hashes if (model, hash) in self.vectors}

    def keep(self, model: str, vectors: Mapping[bytes, Vector]) -> None:
        self.vectors |= {(model, hash): one for hash, one in vectors.items()}


def _reranking(provider: str, server: ProviderServer, kept: Kept) -> ScoringReranker:
    config = Config()
    named = {"provider": provider, "model": "m", "endpoint": server.address, "key": KEY}
    for key, value in named.items():
        config.put(f"rerank.{key}", value, "flag")
    made = reranker(config, kept)
    assert isinstance(made, ScoringReranker)
    return made


@pytest.mark.parametrize("provider", RERANK)
def test_texts_are_ordered_by_every_reranking_provider(provider: str) -> None:
    kept = Kept()
    with ProviderServer(*RERANK[provider]) as server:
        model = _reranking(provider, server, kept)
        texts = ["tea", "a walrus on ice", "walrus", "the ice of a walrus on ice"]
        secret = "AKIA" + "IOSFODNN7EXAMPLF"
        order = model.order(f"walrus on ice {secret}", texts)
        # Equal ones keep their order.
        assert order == [1, 3, 2, 0]
        assert secret not in json.dumps(server.asked)
        # The scores are known: nothing is asked, in whatever order the texts come.
        assert model.order(f"walrus on ice {secret}", texts[::-1]) == [0, 2, 1, 3]
        assert len(server.asked) == 1
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
        model.close()


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b'{"results": [{"index": 0, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 5, "relevance_score": 1}]}',
    ],
)
def test_scores_that_are_missing_or_none_are_refused(body: bytes) -> None:
    with ProviderServer(*RERANK["cohere"]) as server:
        model = _reranking("cohere", server, Kept())
        server.failures.append((200, {}, body))
        with pytest.raises(ModelError, match="a score for each text") as caught:
            model.order("tea", ["a", "b"])
        assert "rerank.endpoint" in caught.value.remedy
        server.failures.append((401, {}, b"{}"))
        with pytest.raises(ModelError, match="answers 401") as caught:
            model.order("tea", ["a", "b"])
        assert (
            caught.value.remedy
            == "the key that was sent is wrong: put yours in rerank.key or BOWER_RERANK_KEY"
        )
        model.close()


def test_what_ollama_passes_on_is_not_local() -> None:
    here = endpoint("ollama", "embed", "", "")
    assert here.name == "127.0.0.1:11434"
    assert endpoint("ollama", "embed", "http://127.0.0.1:11434/v1/", "").name == here.name
    assert is_local(here, "nomic-embed-text:latest")
    assert not is_local(here, "gpt-oss:cloud")
    assert not is_local(here, "gpt-oss:120b-cloud")
    assert not is_local(Endpoint("https://example.com/v1"), "m")
    with pytest.raises(BadConfig, match=r"rerank\.endpoint is not set"):
        endpoint("tei", "rerank", "", "")


def test_a_proxy_is_used_for_https_and_never_for_this_machine(
    embed: Embed, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ProviderServer("/", lambda _asked: (200, {})) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address.replace("//", "//me:pass%20word@"))
        monkeypatch.setenv("NO_PROXY", "inside.example.com")
        host = proxy.address.removeprefix("http://")
        outside = Endpoint("https://api.example.com/v1")
        assert outside.proxy == host
        assert not Endpoint("https://inside.example.com/v1").proxy
        assert not Endpoint("https://127.0.0.1:9/v1").proxy
        # It speaks HTTP, and knows no CONNECT.
        with pytest.raises(ModelError, match=f"by the proxy {host}: .*501") as caught:
            outside.post("/embeddings", {}, 5.0)
        assert "HTTPS_PROXY" in caught.value.remedy
        assert "pass" not in str(caught.value)
        _, model = embed("openai")
        assert model.embed_query("tea").norm
    monkeypatch.setenv("HTTPS_PROXY", "socks5://127.0.0.1:9")
    with pytest.raises(BadConfig, match="not one of http"):
        Endpoint("https://api.example.com/v1")
