"""While a server reads its store anew with another model, others write and ask."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Self

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.http.conftest import Server


class SlowModel:
    """A model's server that answers what it is asked about walruses when it is told to."""

    def __init__(self) -> None:
        self.asked, self.go_on = Event(), Event()
        ours = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                if any("walrus" in text for text in asked["input"]):
                    ours.asked.set()
                    ours.go_on.wait()
                data = [
                    {"index": place, "embedding": [float(1 + text.count(c)) for c in "abcdefgh"]}
                    for place, text in enumerate(asked["input"])
                ]
                body = json.dumps({"data": data}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.go_on.set()
        self._server.shutdown()
        self._server.server_close()


def test_others_write_while_it_reads_again(tmp_path: Path, serve: Callable[..., Server]) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        for number in range(3):
            bird.remember(f"The walrus of pool {number} eats at {number} o'clock")
    settings = tmp_path / "config" / "bowerbird" / "config.toml"
    settings.parent.mkdir(parents=True)
    with SlowModel() as model, ThreadPoolExecutor(1) as beside:
        settings.write_text(
            f'[embed]\nprovider = "compatible"\nmodel = "slow"\nendpoint = "{model.address}"\n'
        )
        server = serve()
        run = beside.submit(server.post, "reindex")
        while not model.asked.wait(0.1):
            assert not run.done(), run.result().body
        kept = server.post("curate", content="Crate 7 stands on shelf 9", project="shop")
        assert kept.status == 200
        assert server.post("forget", ids=[kept.data["id"]], project="shop").status == 200
        assert server.post("query", query="crate", fast=True, project="shop").status == 200
        assert not run.done()
        model.go_on.set()
        said = run.result()
    assert said.status == 200
    assert said.data["read"] >= 3
    assert server.post("reindex").data["read"] == 0
