"""A server reads by itself, and when asked, what was written while its model was away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.remote.conftest import EmbeddingServer

from bowerbird import Bowerbird, Client

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.http.conftest import Server

FACTS = ("The walrus sleeps on the ice", "Releases go out on Tuesday", "Redis listens on 6379")


def settings(folder: Path, address: str) -> None:
    """The user's own configuration names a model behind that address."""
    file = folder / "config" / "bowerbird" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'[embed]\nprovider = "compatible"\nmodel = "tiny"\nendpoint = "{address}"\n')


def keep(server: Server) -> None:
    for fact in FACTS:
        said = server.post("curate", content=fact, project="shop")
        assert said.status == 200, said.body


def test_what_was_written_while_the_model_was_down_is_read_when_it_is_up(
    tmp_path: Path, serve: Callable[..., Server], port: str
) -> None:
    settings(tmp_path, f"http://127.0.0.1:{port}/v1")
    server = serve("--warm-interval", "1s")
    keep(server)
    asked = {"query": "where does the walrus sleep", "project": "shop"}
    before = server.post("query", **asked).data
    assert "dense" in before["degraded"][0]
    # It tells that it tried, and goes on.
    server.wait_for('"event": "warm"', '"error"')
    with EmbeddingServer(int(port)) as model:
        line = server.wait_for('"event": "warm"', '"newly_cached"')
        assert f'"newly_cached": {len(FACTS)}, "total": {len(FACTS)}' in line
        after = server.post("query", **asked).data
        assert after["degraded"] == []
        assert after["model_used"].startswith("compatible/tiny")
        assert server.post("warm").data == {"newly_cached": 0, "total": len(FACTS)}
        assert sorted(set(FACTS) & set(model.texts)) == sorted(FACTS)


def test_nothing_is_read_by_itself_where_that_is_off(
    tmp_path: Path, serve: Callable[..., Server]
) -> None:
    with EmbeddingServer() as model:
        with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
            for fact in FACTS:
                bird.remember(fact)
        settings(tmp_path, model.address)
        server = serve("--warm-interval", "off")
        with Client(server.address, token=server.token, project="shop") as client:
            done = client.warm(recent=1)
            assert (done.newly_cached, done.total) == (1, len(FACTS))
            assert FACTS[-1] in model.texts
            assert FACTS[0] not in model.texts
            assert client.warm().newly_cached == len(FACTS) - 1
            assert client.warm().newly_cached == 0
        assert server.post("warm", recent=0).status == 422
        reader = server.new_token("reader", "--read-only")
        assert server.post("warm", reader).status == 403
        bound = server.new_token("bound", "--only", "shop")
        assert server.post("warm", bound).status == 403
    with pytest.raises(AssertionError, match="--warm-interval cannot be 'now'"):
        server.bower("serve", "--port", "0", "--warm-interval", "now")


def test_a_server_follows_a_change_of_the_model(
    tmp_path: Path, serve: Callable[..., Server]
) -> None:
    server = serve("--warm-interval", "1s")
    keep(server)
    asked = {"query": "where does the walrus sleep", "project": "shop"}
    assert "256 dims" in server.post("query", **asked).data["model_used"]
    done = server.bower("model", "use", "contextual", "--wait")
    assert done["notes"] == ["contextual is in use"]
    after = server.post("query", **asked).data
    assert after["degraded"] == []
    assert "384 dims" in after["model_used"]
    # Nothing is left to read, for the server either.
    assert server.post("warm").data == {"newly_cached": 0, "total": len(FACTS)}
    # With a file that cannot be read it goes on as before.
    file = tmp_path / "config" / "bowerbird" / "config.toml"
    file.write_text("[embed\n")
    assert "384 dims" in server.post("query", **asked).data["model_used"]


def test_a_built_in_model_has_nothing_to_warm(serve: Callable[..., Server]) -> None:
    server = serve("--warm-interval", "1s")
    assert server.post("warm").status == 404
    keep(server)
    assert server.post("warm").data == {"newly_cached": 0, "total": len(FACTS)}
    assert not [line for line in server.lines if '"event": "warm"' in line]
