"""A real llama.cpp server over HTTP, with tiny models: what it is sent, refuses and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.remote import tiny_gguf
from tests.remote.language import tiers

from bowerbird import Bowerbird
from bowerbird.core.errors import ModelError
from bowerbird.core.thinking import FAST, Task, object_of, one_of

if TYPE_CHECKING:
    from pathlib import Path

xllamacpp = pytest.importorskip("xllamacpp", reason="the extra `gguf` is not installed")

# Of no provider: made up for this test.
KEY = "sk-test-0123456789abcdefghijklmnop"
TEXTS = (
    "Tests of the beach service need a seal image.",
    "Deploys of the gate service happen at nine.",
    "Ice machines are billed per service call.",
)


ANIMALS = ("walrus", "seal")
ANIMAL = Task("animal", FAST, "Name the animal.", object_of(animal=one_of(*ANIMALS)), 300)


def server(path: Path, pooling: str = "", tokens: int = tiny_gguf.TOKENS) -> Any:
    """Running; without a `pooling` it writes."""
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [KEY]
    params.n_ctx = params.n_batch = params.n_ubatch = tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.verbosity = -1
    if pooling:
        params.embedding = True
        params.pooling_type = getattr(xllamacpp.llama_pooling_type, f"LLAMA_POOLING_TYPE_{pooling}")
    return xllamacpp.Server(params)


def settings(role: str, running: Any, key: str = KEY) -> dict[str, object]:
    """The settings of a role. A bert of 64 tokens is no model that is known by its name."""
    named = {
        "provider": "compatible",
        "model": "tiny",
        "endpoint": f"{running.listening_address}/v1",
        "key": key,
    }
    return {f"{role}.{name}": value for name, value in named.items()}


def test_a_store_is_embedded_by_a_server(tmp_path: Path, store_path: str) -> None:
    running = server(tiny_gguf.write(tmp_path / "tiny.gguf", tiny_gguf.MEAN), "MEAN")
    with Bowerbird.open(store_path, settings=settings("embed", running)) as bird:
        for text in TEXTS:
            bird.remember(text)
        # It refuses more tokens than it reads: the text is halved until it does not, and no other is.
        long = bird.remember(" ".join(f"seal {i} on the ice" for i in range(100)))
        hits = bird.query("ice machines", min_score=0.0)
        assert hits.trace.degraded == []
        assert f"({tiny_gguf.DIMS} dims)" in hits.model
        assert bird.get(long.id).text
        (role,) = (one for one in bird.status().models if one.role == "embed")
        assert role.requests > 1
        assert role.tokens > 0
        assert (role.failures, role.cost, role.leaves) == (0, 0.0, "")
    wrong = settings("embed", running, "sk-test-wrong-key-of-no-provider-000")
    with Bowerbird.open(store_path + ".other", settings=wrong) as bird:
        with pytest.raises(ModelError, match="answers 401") as caught:
            bird.admin.embed(["tea"])
        assert (
            caught.value.remedy
            == "the key that was sent is wrong: put yours in embed.key or BOWER_EMBED_KEY"
        )
        kept = bird.remember("tea with milk")
        assert [hit.id for hit in bird.query("tea")] == [kept.id]
        assert [one.failures > 0 for one in bird.status().models] == [True]
    # What one model failed in is no failure of the next.
    with Bowerbird.open(store_path + ".other", settings={"embed.provider": "contextual"}) as bird:
        assert [one.failures for one in bird.status().models] == [0]


def test_hits_are_ordered_by_a_server(tmp_path: Path, store_path: str) -> None:
    ranks = server(tiny_gguf.write(tmp_path / "ranks.gguf", tiny_gguf.RANK), "RANK")
    with Bowerbird.open(store_path, settings=settings("rerank", ranks)) as bird:
        for text in TEXTS:
            bird.remember(text)
        hits = bird.query("how is the service monitored", explain=True, min_score=0.0)
        (stage,) = (one for one in hits.trace.stages if one.name == "rerank")
        assert (stage.count, hits.trace.degraded) == (len(TEXTS), [])
        (role,) = (one for one in bird.status().models if one.role == "rerank")
        assert (role.requests, role.failures) == (1, 0)
    # A server of another role: the order stays, and the answer says why.
    embeds = server(tiny_gguf.write(tmp_path / "tiny.gguf", tiny_gguf.MEAN), "MEAN")
    with Bowerbird.open(store_path, settings=settings("rerank", embeds)) as bird:
        hits = bird.query("how is the service monitored", min_score=0.0)
        assert len(hits) == len(TEXTS)
        assert any("does not support reranking" in one for one in hits.trace.degraded)
        (role,) = (one for one in bird.status().models if one.role == "rerank")
        assert (role.requests, role.failures) == (2, 1)
        (finding,) = (
            one for one in bird.admin.doctor() if one.check == "models" and "rerank" in one.found
        )
        assert finding.level == "warning"
        assert "does not support reranking" in finding.remedy


def test_a_task_is_done_by_a_server(tmp_path: Path) -> None:
    path = tiny_gguf.write_writer(tmp_path / "writes.gguf")
    running = server(path, tokens=tiny_gguf.WRITER_TOKENS)
    named = {"provider": "compatible", "model": "m", "endpoint": f"{running.listening_address}/v1"}
    asked = tiers(tmp_path, lambda: 0, key=KEY, **named)
    assert asked.ask(ANIMAL, "a walrus on the ice")["animal"] in ANIMALS
    assert not asked.models[FAST].remote
    with pytest.raises(ModelError, match=r"answers 400: .*context size") as raised:
        asked.ask(ANIMAL, "ice " * tiny_gguf.WRITER_TOKENS)
    assert raised.value.remedy == "shorten the text, or use a model in llm.model that reads more"
    asked.close()
    wrong = tiers(tmp_path, lambda: 0, key=KEY + "x", **named)
    with pytest.raises(ModelError, match="answers 401") as raised:
        wrong.ask(ANIMAL, "a seal")
    assert (
        raised.value.remedy
        == "the key that was sent is wrong: put yours in llm.key or BOWER_LLM_KEY"
    )
    wrong.close()
