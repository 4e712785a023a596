"""``bower cache``, and a model's server named by the environment, as a user runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_an_empty_cache_is_reported_and_makes_no_store(bower: Bower, store_path: str) -> None:
    assert bower("cache").data == {
        "hits": 0,
        "max_entries": 100_000,
        "models": {},
        "size_bytes": 0,
        "vectors": 0,
    }
    assert bower("cache", "prune", "--older-than", "30d").data["removed"] == 0
    assert bower("cache", "clear", "--format", "text").out.startswith("removed: 0 vectors")
    assert "none yet" in bower("status", "--format", "text").out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("cache", "prune"), "say how old"),
        (("cache", "prune", "--older-than", "old"), "age"),
        (("cache", "--older-than", "30d"), "says nothing to status"),
    ],
)
def test_a_wrong_call_is_reported(bower: Bower, words: tuple[str, ...], expected: str) -> None:
    ran = bower(*words)
    assert ran.code == 2
    assert expected in ran.out


def test_without_its_server_the_command_keeps_finds_and_tells(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sea.md").write_text("The walrus sleeps on the ice.\n")
    monkeypatch.setenv("BOWER_EMBED_PROVIDER", "ollama")
    wrong = bower("index", str(tmp_path / "sea.md"))
    told = "embed.model is not set; name a model that ollama has"
    assert (wrong.code, wrong.data["unread"]) == (0, told)
    monkeypatch.setenv("BOWER_EMBED_MODEL", "nomic-embed-text")
    monkeypatch.setenv("BOWER_EMBED_ENDPOINT", "http://127.0.0.1:9/v1")
    ran = bower("index", str(tmp_path / "sea.md"))
    assert ran.code == 0
    assert "cannot be reached" in ran.data["unread"]
    found = bower("query", "walrus", "--format", "text")
    assert "The walrus sleeps" in found.out
    assert "has read nothing here yet" in found.err
    assert "has read nothing here yet" in bower("query", "walrus").data["degraded"][0]


def test_reindex_says_what_was_read_and_makes_no_store(
    bower: Bower, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = bower("reindex")
    assert (missing.code, "no store" in missing.data["error"]) == (1, True)
    monkeypatch.setenv("BOWER_EMBED_PROVIDER", "onnx")
    monkeypatch.setenv("BOWER_EMBED_MODEL", "nowhere")
    assert bower("curate", "Redis runs on port 6379").code == 0
    ran = bower("reindex")
    assert (ran.code, "holds no model.onnx" in ran.data["error"]) == (1, True)
    monkeypatch.delenv("BOWER_EMBED_PROVIDER")
    output = bower("doctor", "--format", "text").out
    assert "bower reindex" in " ".join(output.split())
    assert bower("reindex", "--format", "text").out.startswith("1 text read by builtin/")
    assert bower("reindex").data["read"] == 0
    assert "had read everything" in bower("reindex", "--format", "text").out


def test_prune_takes_what_nobody_used_along(bower: Bower, store_path: str) -> None:
    bower("curate", "Redis runs on port 6379")
    with Bowerbird.open(store_path) as bird:
        (vector,) = bird.admin.embed(["one"])
    store = Store.open(store_path, lambda: 0, write=True)
    with store.transaction():
        store.embeddings(9).keep("m", {b"1": vector}, ())
    store.close()
    output = bower("prune", "--dry-run", "--format", "text").out
    assert "from the cache would go 1 vector not used for 30 days" in output
    assert "leave out --dry-run" in output
    assert bower("cache").data["vectors"] == 1
    assert bower("prune").data["unused_vectors"] == 1
    assert "cache" not in bower("prune", "--format", "markdown").out
    assert bower("cache").data["vectors"] == 0
