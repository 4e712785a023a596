"""How a server begins, what it does by itself, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.http.serving import Serving, require_servable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran
    from tests.surface.http.conftest import Server


def address_file(server: Server) -> dict[str, object]:
    (file,) = (server.folder / "state" / "bowerbird").glob("serve-*/address.json")
    found: dict[str, object] = json.loads(file.read_text())
    return found


def test_it_says_where_it_is_and_takes_that_back(serve: Callable[..., Server]) -> None:
    server = serve()
    published = address_file(server)
    assert published["url"] == server.address
    assert published["pid"] == server.process.pid
    assert published["store"] == server.store
    assert server.end() == 0
    assert not list((server.folder / "state" / "bowerbird").glob("serve-*/address.json"))
    assert list((server.folder / "state" / "bowerbird").glob("serve-*/token"))


def test_the_next_start_knows_the_same_token(serve: Callable[..., Server]) -> None:
    first = serve()
    first.end()
    second = serve()
    assert second.token == first.token
    second.post("curate", content="Something to be kept", project="shop")
    assert second.ask("GET", "/api/v1/list?project=shop", token=first.token).status == 200


def test_a_term_signal_lets_what_is_under_way_end(serve: Callable[..., Server]) -> None:
    """Every write that was answered is there afterwards, and none was cut off halfway."""
    server = serve()
    asked = Event()

    def write(number: int) -> str | None:
        if number == 20:
            asked.set()
        try:
            said = server.post(
                "curate", content=f"Shelf {number} holds crate {number * 7}", project="shop"
            )
        except OSError:
            return None  # it came after the door was shut
        assert said.status == 200
        return str(said.data["id"])

    with ThreadPoolExecutor(8) as pool:
        written = [pool.submit(write, number) for number in range(200)]
        asked.wait(600)
        server.process.send_signal(signal.SIGTERM)
        ids = {one.result() for one in written} - {None}
    assert server.end() == 0
    assert len(ids) >= 8
    listed = server.bower("list", "--project", "shop", "--limit", "500")
    assert ids <= {one["id"] for one in listed["entries"]}
    assert server.bower("doctor")["healthy"]
    assert '"stopped"' in server.lines[-1]


def test_a_kill_leaves_no_lock_and_no_port(serve: Callable[..., Server], port: str) -> None:
    server = serve("--port", port)
    server.post("curate", content="Written before the kill", project="shop")
    server.process.kill()
    server.process.wait(600)
    assert server.bower("list", "--project", "shop")["count"] == 1
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", server.port))


def test_folders_are_taken_in_at_the_start_and_again(
    serve: Callable[..., Server], notes: Path, tmp_path: Path
) -> None:
    server = serve("--index", str(notes), "--index-interval", "1s", "--project", "shop")

    def found(question: str) -> list[str]:
        said = server.post("query", query=question, project="shop", fuzzy=False)
        assert said.status == 200, said.body
        return [hit["text"] for hit in said.data["results"]]

    server.wait_for('"event": "index"', '"unchanged": 0')
    assert found("why is the build of the warehouse red?")
    assert not found("okapi")
    # There as a whole or not at all: a round may pass at any moment.
    (tmp_path / "later.md").write_text("# Later\n\nThe okapi eats at noon.\n")
    (tmp_path / "later.md").rename(notes / "later.md")
    server.wait_for('"event": "index"', '"added": 1')
    assert "The okapi eats at noon." in found("okapi")[0]
    assert "okapi" not in "\n".join(server.lines)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "10.0.0.1", "example.org"])
def test_an_address_that_others_reach_needs_tls(host: str) -> None:
    with pytest.raises(BadInput, match="reached by others"):
        require_servable(Serving(host=host))
    require_servable(Serving(host=host, behind_proxy=True))
    require_servable(Serving(host=host, certfile="a", keyfile="b"))


def test_calls_that_cannot_be_are_refused_before_anything_listens(
    bower: Callable[..., Ran], tmp_path: Path
) -> None:
    none = str(tmp_path / "none.pem")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, expected in (
            (["--host", "0.0.0.0"], "reached by others"),
            (["--certfile", none], "belong together"),
            (["--certfile", none, "--keyfile", none, "--port", "0"], "cannot be used"),
            (["--port", port], "cannot listen"),
            (["--port", "99999"], "cannot listen"),
            (["--index-interval", "soon"], "--index-interval"),
            (["--read-only"], "about a token"),
            (["--new-token", "a", "--list-tokens"], "only one option"),
        ):
            ran = bower("serve", *arguments)
            assert ran.code == 2, arguments
            assert expected in ran.data["error"]
            assert ran.data["remedy"]


def test_a_setting_that_would_refuse_every_write_is_reported_at_the_start(
    bower: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_GUARD_ALLOW", "github-tokn")
    # Else it would serve: an address that cannot be had ends it all the same.
    ran = bower("serve", "--port", "99999")
    assert ran.code == 2
    assert "github-tokn" in ran.data["error"]
    assert "github-token?" in ran.data["remedy"]


def test_a_name_that_was_allowed_is_taken_and_no_other(serve: Callable[..., Server]) -> None:
    server = serve("--allow-host", "memory.example.com")
    own = {"Host": "memory.example.com", "Origin": "https://memory.example.com"}
    assert server.ask("GET", "/health", headers=own).status == 200
    assert server.ask("GET", "/health", headers={"Host": "example.com"}).status == 403
    other = {"Host": "memory.example.com:81"}
    assert server.ask("GET", "/health", headers=other).status == 403


@pytest.mark.parametrize("options", [["--port", "0"], ["--new-token", "ci"]])
def test_a_state_folder_that_cannot_be_made_is_reported_with_what_to_do(
    bower: Callable[..., Ran], options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file" / "state"))
    ran = bower("serve", *options)
    assert ran.code == 2
    assert "token" in ran.data["error"]
    assert "cannot be used" in ran.data["error"]
    assert "XDG_STATE_HOME" in ran.data["remedy"]


def test_without_its_packages_it_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "sys.modules['starlette'] = sys.modules['uvicorn'] = None\n"
        "from bowerbird.surfaces.cli.app import main\n"
        "sys.exit(main(['serve', '--port', '0', '--format', 'json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False,
        env=os.environ | {"BOWER_STORE": str(tmp_path / "m.db")},
    )  # fmt: skip
    assert done.returncode == 1
    assert "pip install 'bowerbird[http]'" in json.loads(done.stdout)["data"]["remedy"]


def test_a_folder_that_is_not_there_is_not_served(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        require_servable(Serving(folders=(str(tmp_path / "nowhere"),)))
    require_servable(Serving(folders=(str(tmp_path),)))
