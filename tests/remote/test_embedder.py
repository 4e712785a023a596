"""An embedder behind a server: what it sends, what it takes, and what it makes of failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.config import Config
from bowerbird.core.errors import BadConfig, ModelError, UnknownName
from bowerbird.core.types import ModelIdentity
from bowerbird.lifecycle import admit, reread
from bowerbird.models import http
from bowerbird.models.embed.centred import STRANGERS
from bowerbird.models.embed.remote import RemoteEmbedder
from bowerbird.models.embed.wires import WIRES
from bowerbird.models.http import Endpoint
from bowerbird.models.registry import embedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any

    from tests.remote.conftest import EmbeddingServer

    Reader = Callable[..., RemoteEmbedder]

# Of no provider: made up for this test, in the shape of theirs.
KEY = "sk-test-0123456789abcdefghijklmnop"

SECRET = "AKIA" + "IOSFODNN7EXAMPLF"


@pytest.fixture
def reader() -> Iterator[Callable[..., RemoteEmbedder]]:
    made = []

    def make(server: EmbeddingServer, key: str = "", **more: Any) -> RemoteEmbedder:
        made.append(RemoteEmbedder("compatible", "tiny", Endpoint(server.address, key), **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


def cosine(one: bytes, other: bytes) -> float:
    a, b = (memoryview(side).cast("b").tolist() for side in (one, other))
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return float(dot / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5)


def test_texts_come_back_as_vectors_in_their_order(reader: Reader, server: EmbeddingServer) -> None:
    model = reader(server, KEY)
    texts = ["the walrus sleeps", "", "deploy on friday", "   "]
    vectors = model.embed(texts)
    assert [bool(vector.norm) for vector in vectors] == [True, False, True, False]
    assert cosine(vectors[0].values, model.embed_query("a sleeping walrus").values) > 0.5
    assert cosine(vectors[2].values, model.embed_query("a sleeping walrus").values) < 0.4
    assert model.identity == ModelIdentity("compatible", "tiny", 256, server.address[7:])
    # What says nothing is not sent; the rest in the words of the wire format.
    assert server.asked[0] == {
        "model": "tiny",
        "input": ["the walrus sleeps", "deploy on friday"],
        "encoding_format": "float",
    }
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_many_texts_go_in_requests_of_a_hundred_and_of_so_many_characters(
    reader: Reader,
    server: EmbeddingServer,
) -> None:
    model = reader(server)
    wire = WIRES["compatible"]
    texts = [f"number {i}" for i in range(2 * wire.texts + 1)] + ["x " * 11_000] * 20
    assert len(model.embed(texts)) == len(texts)
    sizes = [asked["input"] for asked in server.asked]
    assert max(map(len, sizes)) == wire.texts
    assert max(sum(map(len, one)) for one in sizes) <= wire.characters
    assert model.embed(texts)[137] == model.embed(["number 137"])[0]


def test_secrets_leave_neither_in_texts_nor_in_questions(
    reader: Reader, server: EmbeddingServer
) -> None:
    model = reader(server)
    model.embed([f"the key is {SECRET}", "the walrus sleeps"])
    model.embed_query(f"who uses {SECRET}")
    assert SECRET not in str(server.asked)
    assert "[REDACTED:" in str(server.asked)


def test_dimensions_are_asked_for_where_they_are_set(
    reader: Reader, server: EmbeddingServer
) -> None:
    model = reader(server, wanted_dims=64)
    assert model.identity.dims == 64
    assert len(model.embed_query("walrus").values) == 64
    assert server.asked[0]["dimensions"] == 64


def test_a_busy_server_is_asked_again_when_it_says(
    reader: Reader, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(http, "sleep", waited.append)
    server.fail(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "7"})
    server.fail(503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    server.fail(500, b"<html>", {"Retry-After": "\u00b2"})
    assert reader(server).embed_query("walrus").norm
    assert waited == [7.0, 0.0, 0.0]
    assert len(server.asked) == 4


def test_a_server_that_loads_its_model_is_waited_for(
    reader: Reader, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "LOADING_WAIT", 0.0)
    loading = b'{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}'
    for _ in range(3 * http.ATTEMPTS):
        server.fail(503, loading)
    assert len(reader(server).embed(["walrus"])) == 1
    monkeypatch.setattr(http, "LOADING_WAIT", 60.0)
    server.fail(503, loading)
    with pytest.raises(ModelError, match="Loading model") as raised:
        reader(server, timeout=1.0).embed(["seal"])
    assert raised.value.remedy.startswith("try again when it has")


def test_a_server_that_asks_for_more_than_there_is_time_is_not_waited_for(
    reader: Reader,
    server: EmbeddingServer,
) -> None:
    server.fail(429, b'{"error": {"message": "quota"}}', {"Retry-After": "3600"})
    with pytest.raises(ModelError, match="answers 429: quota") as caught:
        reader(server).embed_query("walrus")
    assert "quota" in caught.value.remedy
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "embed.key"), (404, "embed.model"), (307, "embed.endpoint")]
)
def test_what_is_refused_is_reported_with_what_to_do(
    reader: Reader, server: EmbeddingServer, status: int, remedy: str
) -> None:
    said = f'{{"error": {{"message": "no such thing for {KEY}"}}}}'
    server.fail(status, said.encode(), {"Location": "http://127.0.0.1:9/"})
    with pytest.raises(ModelError, match=f"answers {status}: no such thing") as caught:
        reader(server, KEY).embed_query("walrus")
    assert remedy in caught.value.remedy
    assert KEY not in caught.value.message
    assert len(server.asked) == 1


@pytest.mark.parametrize("how", ["hangs", "drips"])
def test_a_slow_answer_ends_with_the_time_there_is(
    reader: Reader, server: EmbeddingServer, how: str
) -> None:
    server.fail(hangs=how == "hangs", drips=how == "drips")
    with pytest.raises(ModelError, match=r"did not answer within 0\.3 s") as caught:
        reader(server, timeout=0.3).embed_query("walrus")
    assert "embed.timeout" in caught.value.remedy


def test_a_server_that_asked_for_rest_before_it_was_slow_is_not_told_as_slow(
    reader: Reader, server: EmbeddingServer
) -> None:
    server.fail(429, b'{"error": {"message": "slow down"}}')
    server.fail(hangs=True)
    with pytest.raises(ModelError, match="answers 429: slow down"):
        reader(server, timeout=0.9).embed_query("walrus")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (lambda _answer: "none", "something else than JSON"),
        (lambda _answer: [], "0 vectors for 1 texts"),
        (lambda _answer: {"data": []}, "0 vectors for 1 texts"),
        (lambda answer: {"data": answer["data"] * 2 + [3]}, ""),
        (lambda _answer: {"data": [{"index": 0, "embedding": ["a"]}]}, "finite numbers"),
        (lambda _answer: {"data": [{"index": 0, "embedding": [float("nan")]}]}, "finite numbers"),
        (lambda _answer: {"data": [{"index": 0, "embedding": [10**400]}]}, "finite numbers"),
        (lambda _answer: {"data": [{"index": 5, "embedding": [1.0]}]}, "0 vectors for 1 texts"),
        (lambda _answer: {"data": [{"index": [], "embedding": [1.0]}]}, "0 vectors for 1 texts"),
    ],
)
def test_answers_that_are_none_are_refused(
    reader: Reader, server: EmbeddingServer, changed: Any, expected: str
) -> None:
    server.changed = changed
    if expected:
        model = reader(server)
        with pytest.raises(ModelError, match=expected):
            model.embed_query("walrus")
        # Nothing is learnt from it, either.
        server.changed = lambda answer: answer
        assert model.embed_query("walrus").norm
    else:
        assert reader(server).embed_query("walrus").norm


def test_another_number_of_dimensions_is_another_model(
    reader: Reader, server: EmbeddingServer
) -> None:
    model = reader(server)
    model.embed_query("walrus")
    server.changed = lambda _answer: {"data": [{"index": 0, "embedding": [1.0, 2.0]}]}
    with pytest.raises(ModelError, match="2 numbers a text, not 256") as caught:
        model.embed_query("walrus")
    assert "bower model use compatible/tiny" in str(caught.value.remedy)


def test_a_server_that_fails_twice_is_left_alone_for_a_while(
    reader: Reader, server: EmbeddingServer
) -> None:
    model = reader(server)
    for _ in range(2):
        server.fail(400, b'{"error": "out of order"}')
        with pytest.raises(ModelError, match="out of order"):
            model.embed_query("walrus")
    with pytest.raises(ModelError, match="failed 2 times in a row"):
        model.embed_query("walrus")
    assert len(server.asked) == 2


def test_a_server_that_is_not_there_is_reported(server: EmbeddingServer) -> None:
    address = server.address
    server.__exit__()
    with pytest.raises(ModelError, match="cannot be reached: connection refused") as caught:
        RemoteEmbedder("compatible", "tiny", Endpoint(address)).embed_query("walrus")
    assert "start the model's server" in caught.value.remedy


def test_a_connection_that_was_closed_meanwhile_is_made_again(
    reader: Reader, server: EmbeddingServer
) -> None:
    server.fail(400, b"{}", {"Connection": "close"})
    model = reader(server)
    with pytest.raises(ModelError):
        model.embed_query("walrus")
    assert model.embed_query("walrus").norm


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("ftp://example.com/v1", "embed.endpoint"),
        ("127.0.0.1:1234", "embed.endpoint"),
        ("http://example.com:port/v1", "embed.endpoint"),
        ("http://[::1", "embed.endpoint"),
        ("https://me:secret@example.com/v1", "name or password"),
        ("http://example.com/v1", "unencrypted"),
    ],
)
def test_addresses_that_cannot_be_or_would_show_the_key_are_refused(
    address: str, expected: str
) -> None:
    with pytest.raises(BadConfig, match=expected):
        Endpoint(address, KEY)


def test_settings_name_the_model() -> None:
    config = Config()
    config.put("embed.provider", "olama", "flag")
    with pytest.raises(UnknownName) as caught:
        embedder(config)
    assert caught.value.remedy == "did you mean ollama?"
    config.put("embed.provider", "ollama", "flag")
    with pytest.raises(BadConfig, match=r"embed\.model"):
        embedder(config)
    config.put("embed.model", "nomic-embed-text", "flag")
    with pytest.raises(ModelError, match="has read nothing here yet"):
        _ = embedder(config).identity
    config.put("embed.provider", "compatible", "flag")
    with pytest.raises(BadConfig, match=r"embed\.endpoint"):
        embedder(config)


def test_a_write_does_not_wait_for_a_model_that_never_answers(
    server: EmbeddingServer, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {
        "embed.provider": "compatible",
        "embed.model": "tiny",
        "embed.endpoint": server.address,
        "embed.timeout": 60,
    }
    with Bowerbird.open(store_path, settings=settings) as bird:
        bird.remember("the walrus on the ice")
        for module in (admit, reread):
            monkeypatch.setattr(module, "VECTOR_SECONDS", 0.3)
        server.fail(hangs=True)
        kept = bird.remember("The billing service is called Heron.")
        assert kept.decision == "created"
        assert "not read by the model yet" in kept.reason
        assert "did not answer within 0.3 s" in kept.reason
        server.fail(hangs=True)
        bird.edit(kept.id, text="The billing service is called Egret.")
    with Bowerbird.open(store_path, settings=settings) as bird:
        assert bird.query("Egret")[0].text == "The billing service is called Egret."
        bird.admin.warm()
        assert "The billing service is called Egret." in server.texts[-1:]
        assert bird.admin.cache_state().vectors == 2 + len(STRANGERS)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"embed.endpoint": ""}, "embed.endpoint is not set"),
        ({"embed.endpoint": "http://192.0.2.2/v1", "embed.key": KEY}, "192.0.2.2 unencrypted"),
        ({"embed.endpoint": "nowhere"}, "embed.endpoint = 'nowhere'"),
        ({"embed.model": ""}, "embed.model is not set"),
        ({"embed.provider": "olama"}, "olama"),
    ],
)
def test_a_fault_in_the_settings_leaves_words_and_what_is_new_waits(
    server: EmbeddingServer, store_path: str, tmp_path: Path, fault: dict[str, str], said: str
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.md").write_text("The cormorant dries its wings on the buoy.")
    settings = {
        "embed.provider": "compatible",
        "embed.model": "tiny",
        "embed.endpoint": server.address,
    }
    with Bowerbird.open(store_path, settings=settings) as bird:
        bird.remember("the walrus on the ice")
    with Bowerbird.open(store_path, settings=settings | fault) as bird:
        assert said in bird.remember("The billing service is called Heron.").reason
        report = bird.index(tmp_path / "notes")
        assert report.added == 1
        assert said in report.unread
        hits = bird.query("walrus")
        assert hits[0].text == "the walrus on the ice"
        assert any(said in str(one) for one in hits.trace.degraded)
        told = [one for one in bird.status().notes if said in str(one)]
        assert len(told) == 1
        done = bird.consolidate()
        assert done.compressed == 0
        assert any(said in str(one) for one in done.notes)
    with Bowerbird.open(store_path, settings=settings) as bird:
        bird.admin.warm()
        assert bird.query("heron").trace.degraded == []
