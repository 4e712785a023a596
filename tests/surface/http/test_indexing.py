"""Taking in on request: the server's own folders, one run at a time, with the command's report."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird, Client
from bowerbird.core import errors
from bowerbird.daemon.indexing import Indexing
from bowerbird.daemon.log import Log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.http.conftest import Server


@pytest.fixture
def server(serve: Callable[..., Server], notes: Path) -> Server:
    """It has taken in the notes once, and does so again on request alone."""
    started = serve("--index", str(notes), "--project", "shop")
    started.wait_for('"event": "index"', '"added": 3')
    # The line comes just before the end of the run.
    assert started.get("index", wait=25).data["state"] == "done"
    return started


@contextmanager
def nobody_writes(server: Server) -> Iterator[None]:
    """Another process's write that lasts: a run that finds something new waits for it."""
    with Bowerbird.open(server.store) as bird:
        store = bird._wiring.writer()
        with store.transaction():
            yield


def test_the_report_is_that_of_the_command(server: Server, notes: Path) -> None:
    (notes / "okapi.md").write_text("# Okapi\n\nThe okapi eats at noon.\n")
    (notes / "release.md").unlink()
    here = server.post("index")
    assert here.status == 200
    assert [here.data[name] for name in ("added", "changed", "removed", "unchanged")] == [
        1,
        0,
        1,
        2,
    ]
    there = server.bower("index", str(notes), "--project", "shop")
    assert set(here.data) == set(there)
    assert here.data["project"] == there["project"]
    said = server.post("query", query="okapi", project="shop", fuzzy=False).data["results"]
    assert "The okapi eats at noon." in said[0]["text"]
    last = server.get("index").data
    assert (last["state"], last["report"], last["error"]) == ("done", here.data, None)
    assert server.get("index", run=last["run"] + 1).status == 404
    assert "okapi" not in "\n".join(server.lines)


def test_its_owner_alone_may_and_its_own_folders_alone(
    server: Server, notes: Path, tmp_path: Path
) -> None:
    agent, reader = server.new_token("agent"), server.new_token("reader", "--read-only")
    bound = server.new_token("bound", "--only", "shop")
    for token in (agent, reader, bound):
        assert server.post("index", token).status == 403
        assert server.get("index", token).status == 403
    secret = tmp_path / "private"
    secret.mkdir()
    (secret / "diary.md").write_text("# Diary\n\nThe quagga is mine.\n")
    (notes / "way.md").symlink_to(secret / "diary.md")
    for path in (
        str(secret), str(notes / "auth.md"), f"{notes}/../private", f"{notes}/", "private",
        "notes", "", ".", "/", "~", "/etc/passwd",
    ):  # fmt: skip
        said = server.post("index", paths=[path])
        assert (said.status, said.data["error_type"]) == (422, "BadInput"), path
        assert str(notes) in said.data["remedy"]
        assert server.post("index", paths=[str(notes), path]).status == 422
    assert server.post("index", paths=[str(notes) + "\0"]).status == 400
    assert server.get("index").data["run"] == 1
    assert server.post("index", paths=[str(notes)], wait=26).status == 422
    (notes / "way.md").unlink()
    assert server.post("index", paths=[str(notes), str(notes)]).data["unchanged"] == 3
    assert not server.post("query", query="quagga", project="shop", fuzzy=False).data["results"]


def test_one_run_at_a_time_and_it_goes_on_unwatched(server: Server, notes: Path) -> None:
    (notes / "okapi.md").write_text("# Okapi\n\nThe okapi eats at noon.\n")
    with nobody_writes(server):
        begun = server.post("index", wait=0)
        assert (begun.status, begun.data["state"], begun.data["report"]) == (202, "running", None)
        run = begun.data["run"]
        second = server.post("index")
        assert (second.status, second.data["error_type"]) == (409, "StoreBusy")
        assert f"GET /api/v1/index?run={run}" in second.data["remedy"]
        assert server.get("index", run=run).data["state"] == "running"
        # Meanwhile everything else is answered.
        assert server.post("query", query="auth tests", project="shop").data["results"]
    done = server.get("index", run=run, wait=25)
    assert (done.status, done.data["state"], done.data["report"]["added"]) == (200, "done", 1)
    assert server.post("index").data["unchanged"] == 4


def test_who_waits_for_a_run_does_not_hold_up_the_end(store_path: str, notes: Path) -> None:
    indexing = Indexing(store_path, (str(notes),), None, Log(quiet=True))
    with Bowerbird.open(store_path) as bird, ThreadPoolExecutor(2) as pool:
        store = bird._wiring.writer()
        with store.transaction():
            run = indexing.ask([])
            waiting = [pool.submit(indexing.wait, run, 86_400.0), pool.submit(indexing.round)]
            indexing.stop()
            for one in waiting:
                one.result()
            assert not run.done
            assert indexing.run(None) is run


def test_what_fails_is_reported_with_what_to_do(
    serve: Callable[..., Server], tmp_path: Path, notes: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    server = serve("--index", str(gone), "--project", "shop")
    server.wait_for('"event": "index"')
    gone.rmdir()
    said = server.post("index")
    server.wait_for('"event": "index"', '"error"')
    assert (said.status, said.data["error_type"]) == (422, "BadInput")
    last = server.get("index").data
    assert (last["state"], last["report"]) == ("failed", None)
    assert last["error"]["error"] == said.data["error"]
    server.end()
    other = serve()
    said = other.post("index", paths=[str(notes)])
    assert said.status == 422
    assert "bower serve --index" in said.data["remedy"]
    assert other.get("index").status == 404


def test_the_client_takes_in_as_a_bowerbird_does(server: Server, notes: Path) -> None:
    (notes / "okapi.md").write_text("# Okapi\n\nThe okapi eats at noon.\n\n\0\n")
    (notes / "image.png").write_bytes(b"\x89PNG\0\0\0")
    with (
        Client(server.address, token=server.token, project="shop") as client,
        Bowerbird.open(server.store, project="shop") as bird,
    ):
        there = client.index(str(notes))
        here = bird.index(notes)
        changed = {"added": 0, "changed": 0, "unchanged": 0, "passages": 0, "embedded": 0}
        changed |= {"bytes_read": 0, "took_ms": 0}
        assert there.replace(**changed) == here.replace(**changed)
        assert there.added + there.unchanged == here.unchanged
        assert {one.path for one in there.skipped} >= {str(notes / "image.png")}
        assert client.at(str(notes / "auth.md"), 3).text == bird.at(notes / "auth.md", 3).text
        assert client.at("auth.md").path == str(notes / "auth.md")
        with pytest.raises(errors.NotFound):
            client.at("/etc/passwd")
        with pytest.raises(errors.BadInput, match="not started with"):
            client.index("/etc")
        assert client.cache_state() == bird.admin.cache_state()
        assert client.prune_cache() == client.prune_cache(older_than="30d") == 0


def test_the_client_waits_for_a_run_for_as_long_as_it_takes(
    server: Server, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (notes / "okapi.md").write_text("# Okapi\n\nThe okapi eats at noon.\n")
    # The server lets it ask after the run again and again, however slow the machine is.
    monkeypatch.setattr("bowerbird.surfaces.http.client.WAIT_S", 0.5)
    asked = ('"GET"', '"/api/v1/index"')
    server.wait_for(*asked)  # by the fixture
    with (
        Client(server.address, token=server.token, timeout=600) as client,
        ThreadPoolExecutor(1) as pool,
    ):
        with nobody_writes(server):
            waiting = pool.submit(client.index)
            while sum(all(word in line for word in asked) for line in [*server.lines]) < 2:
                server.wait_for_news()
            assert not waiting.done()
            with pytest.raises(errors.StoreBusy):
                client.index()
        assert waiting.result(600).added == 1
