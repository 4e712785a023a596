"""The wire where pipes cannot be watched: a line is waited for, and none is lost."""

from __future__ import annotations

import os
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.surfaces.mcp import wire as module
from bowerbird.surfaces.mcp.opening import Told, opening
from bowerbird.surfaces.mcp.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.surfaces.mcp.calls import Done

HELLO = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion":'
    b' "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}}\n'
)
ASKED = b'{"jsonrpc": "2.0", "id": 2, "method": "prompts/list"}\n'


@pytest.fixture
def ends() -> Iterator[tuple[Wire, int, int]]:
    """A wire, what is written into it, and what is read from it."""
    there, here = os.pipe(), os.pipe()
    wire = Wire(there[0], here[1])
    yield wire, there[1], here[0]
    os.close(here[0])
    wire._in.close()
    wire._out.close()


def called(*_: Any) -> Done:
    raise AssertionError("nothing was called")


@pytest.mark.parametrize("watched", [True, False])
def test_what_is_not_an_opening_comes_again(
    ends: tuple[Wire, int, int], watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PIPES_CAN_BE_WATCHED", watched)
    wire, client, answers = ends

    def talk() -> None:
        os.write(client, HELLO)
        assert os.read(answers, 10_000).startswith(b'{"jsonrpc": "2.0", "id": 1')
        os.write(client, ASKED)
        os.close(client)

    talking = Thread(target=talk)
    talking.start()
    assert opening(wire, Told(called, may_write=True), lambda: None)
    talking.join()
    assert [wire.readline() for _ in range(2)] == [HELLO.decode(), ASKED.decode()]
