"""The wire where pipes cannot be watched: a line is waited for, and none is lost."""

from __future__ import annotations

import os
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from bowerbird.surfaces.mcp import stdio as module
from bowerbird.surfaces.mcp.stdio import Wire

if TYPE_CHECKING:
    from collections.abc import Iterator

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


@pytest.mark.parametrize("watched", [True, False])
def test_lines_come_whole_and_one_by_one(
    ends: tuple[Wire, int, int], watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PIPES_CAN_BE_WATCHED", watched)
    wire, client, answers = ends

    def talk() -> None:
        os.write(client, HELLO[:20])
        os.write(client, HELLO[20:] + ASKED + b"the last, without an end")
        os.close(client)

    if watched:
        assert wire.line(0.0) is None
    talking = Thread(target=talk)
    talking.start()
    assert [wire.line() for _ in range(4)] == [HELLO, ASKED, b"the last, without an end", b""]
    talking.join()
    wire.send({"id": 1})
    assert os.read(answers, 100) == b'{"id": 1}\n'
