"""The client: the same verbs, values and errors as the Bowerbird behind the server."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird, Client
from bowerbird.core import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.surface.http.conftest import Server


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.address, token=server.token, project="shop") as opened:
        yield opened


def test_it_remembers_finds_and_tells_as_a_bowerbird_does(serve: Callable[..., Server]) -> None:
    server = serve()  # of its own: what others keep for every project would be found, too
    client = Client(server.address, token=server.token, project="shop")
    kept = client.remember("Redis must be up before auth tests", kind="gotcha", tags=("auth",))
    assert kept.decision == "created"
    assert client.remember("Redis must be up before auth tests").decision == "known"
    with Bowerbird.open(server.store, project="shop") as bird:
        here, there = client.get(kept.id), bird.get(kept.id)
        shown = ("id", "text", "kind", "tags", "created", "trust", "state", "project", "summary")
        assert [getattr(here, name) for name in shown] == [getattr(there, name) for name in shown]
        assert here.details is not None
        assert there.details is not None
        assert here.details.fields == there.details.fields
        hits, found = client.query("auth tests", limit=3), bird.query("auth tests", limit=3)
        assert [hit.id for hit in hits] == [hit.id for hit in found] == [kept.id]
        assert hits[0].relevance == pytest.approx(found[0].relevance, abs=1e-4)
        assert hits[0].text == found[0].text
        pack, packed = (
            client.context("what must be up before auth tests"),
            bird.context("what must be up before auth tests"),
        )
        assert [item.citation for item in pack] == [item.citation for item in packed]
        assert pack.spent == packed.spent > 0
        assert [one.id for one in client.list(memories_only=True)] == [kept.id]
        only = client.query("auth tests", memories_only=True, states=["active"], min_trust="normal")
        assert [hit.id for hit in only] == [kept.id]
        for text, found_by in (("red* NOT staging", [kept.id]), ("auth NOT redis", [])):
            assert [one.id for one in client.list(matching=text)] == found_by
            assert [hit.id for hit in client.query("auth tests", matching=text)] == found_by
        with pytest.raises(errors.BadInput):
            client.query("auth tests", operators=True, matching="redis")
        assert client.status().total_memories == bird.status().total_memories
        linked = client.link(kept.id, "file:auth.py", "informs")
        assert bird.history(kept.id).relations == (linked,)
        history = client.history(kept.id)
        assert [one.text for one in history.versions] == [here.text]
        assert history.events[0].action == "created"
        client.forget(kept.id, reason="moved")
        assert list(bird.list()) == []
        assert client.revert(kept.id).state == "active"
        assert client.used([kept.id])
    assert all(finding.level for finding in client.doctor())
    assert client.reindex() == 0
    client.close()


def test_errors_are_of_the_same_classes(server: Server, client: Client) -> None:
    stranger = Client(server.address, token="x" * 43)
    nowhere = Client(server.address, token=server.token)
    client.remember("Redis must be up before auth tests")  # before the first there is no store
    for call, kind in (
        (lambda: client.get("019a2f6c-81d4-7000"), errors.NotFound),
        (lambda: client.remember("Use tabs", kind="gotscha"), errors.UnknownName),
        (lambda: client.query(""), errors.BadInput),
        (lambda: client.query("x", limit=99), errors.BadInput),
        (lambda: stranger.query("x"), errors.Denied),
        (lambda: nowhere.query("x"), errors.BadInput),
        (lambda: Client("ftp://x", token="t"), errors.BadInput),
    ):  # fmt: skip
        with pytest.raises(kind) as raised:
            call()
        assert raised.value.remedy
    stranger.close()
    nowhere.close()


def test_projects_are_asked_together_on_request(client: Client) -> None:
    client.remember("The whole world is round", everywhere=True)
    assert "The whole world is round" in {one.text for one in client.list(all_projects=True)}


def test_it_finds_the_server_of_a_store_on_this_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", server.environment["XDG_STATE_HOME"])
    with Client(store=server.store, project="found") as client:
        assert client.status().db_path == server.store
    with pytest.raises(errors.Unreachable):
        Client(store=server.store + ".other")


def test_threads_may_share_one(client: Client) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: client.status().project, range(40)))
    assert found == ["shop"] * 40


def half_answering(answers: list[bytes]) -> tuple[str, Thread, list[bytes]]:
    """A server that answers each connection with the next of some texts, and tells what it heard."""
    listening = socket.create_server(("127.0.0.1", 0))
    heard: list[bytes] = []

    def run() -> None:
        with listening:
            for answer in answers:
                connection, _ = listening.accept()
                with connection:
                    heard.append(connection.recv(65_536))
                    connection.sendall(answer)

    thread = Thread(target=run, daemon=True)
    thread.start()
    return f"http://127.0.0.1:{listening.getsockname()[1]}", thread, heard


def test_what_changes_nothing_is_asked_again_and_a_write_is_not() -> None:
    good = b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"read": 7} '
    busy = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    url, thread, heard = half_answering([b"", busy, good])
    with Client(url, token="t" * 43, project="shop", timeout=600) as client:
        assert client._asked("GET", "status", again=True) == {"read": 7}
    thread.join(600)
    assert len(heard) == 3
    url, thread, heard = half_answering([b""])
    with (
        Client(url, token="t" * 43, project="shop", timeout=600) as client,
        pytest.raises(errors.Unreachable),
    ):
        client.remember("Not twice")
    thread.join(600)
    assert len(heard) == 1


def test_what_looks_at_a_whole_store_may_take_long_and_is_asked_once() -> None:
    heard: list[bytes] = []
    late = Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with listening:
            while len(heard) < 2:
                connection, _ = listening.accept()
                with connection:
                    heard.append(connection.recv(65_536))
                    # Longer than whoever asks has patience with a question.
                    late.wait(0.5)
                    answer = (
                        b'HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\n{"read": 7, "findings": []} '
                    )
                    with suppress(OSError):
                        connection.sendall(answer)

    thread = Thread(target=run, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with Client(url, token="t" * 43, project="shop", timeout=0.1) as client:
        assert client.doctor() == ()
        assert client.reindex() == 7
    thread.join(600)
    assert [one.split(b" HTTP")[0] for one in heard] == [
        b"GET /api/v1/doctor?secrets=false",
        b"POST /api/v1/reindex",
    ]


def test_a_server_that_began_again_is_met_again(serve: Callable[..., Server], port: str) -> None:
    first = serve("--port", port)
    client = Client(first.address, token=first.token, project="shop")
    client.remember("Before the end")
    assert len(client.list()) == 1
    first.end()
    second = serve("--port", port)
    assert second.port == first.port
    assert len(client.list()) == 1
    client.close()


def test_a_client_disputes_and_sees_the_team(client: Client) -> None:
    kept = client.remember("The search listens at port 9411", kind="fact")
    opened = client.dispute(kept.id, "it is 9412 by now")
    assert [one.text for one in client.thread(kept.id).thread] == ["it is 9412 by now"]
    assert kept.id in [one.id for one in client.disputes().disputes]
    closed = client.close_dispute(kept.id, "kept")
    assert (bool(opened.disputed), closed.disputed) == (True, "")
    assert opened.confidence == pytest.approx(closed.confidence * 0.8, abs=0.01)
    assert kept.id in [one.id for one in client.onboarding()]
    assert client.team().members == ()
