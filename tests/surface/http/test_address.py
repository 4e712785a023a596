"""Several servers over one store, of which clients find one that runs."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Client
from bowerbird.core.errors import Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.http.conftest import Server

    Serve = Callable[..., Server]


def reported(server: Server) -> dict[str, Any]:
    (file,) = (server.folder / "state" / "bowerbird").glob("serve-*/address.json")
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def asks(server: Server, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a client that is given no address finds a server of this store."""
    monkeypatch.setenv("XDG_STATE_HOME", str(server.folder / "state"))
    with Client(store=server.store, project="shop") as client:
        return client.status().total_memories == 0


def test_who_comes_later_leaves_the_first_one_found(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = serve(), serve()
    assert reported(first)["url"] == first.address
    assert second.end() == 0
    assert reported(first)["url"] == first.address
    assert asks(first, monkeypatch)
    assert first.end() == 0
    with pytest.raises(Unreachable):
        asks(first, monkeypatch)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_when_the_first_one_ends_another_is_found(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    first, second, third = serve(), serve(), serve()
    os.kill(first.process.pid, how)
    first.process.wait(600)
    rest = {second.address: second, third.address: third}
    while not (heirs := [one for one in rest.values() if any("announced" in s for s in one.lines)]):
        second.wait_for_news()
    (heir,) = heirs
    assert reported(heir)["url"] == heir.address
    assert reported(heir)["pid"] == heir.process.pid
    assert asks(heir, monkeypatch)
    (last,) = (one for one in rest.values() if one is not heir)
    assert heir.end() == 0
    last.wait_for("announced")
    assert reported(last)["url"] == last.address
    assert asks(last, monkeypatch)
    assert last.end() == 0
    with pytest.raises(Unreachable):
        asks(last, monkeypatch)


def test_one_that_waits_ends_when_it_is_asked_to(serve: Serve) -> None:
    first, second = serve(), serve()
    assert second.end() == 0
    third = serve()
    assert first.end() == 0
    third.wait_for("announced")
    assert reported(third)["url"] == third.address
