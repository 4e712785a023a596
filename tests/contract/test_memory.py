"""A store in this process and a server's client are both a Memory: mypy holds this file to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird import Bowerbird, Client

if TYPE_CHECKING:
    from bowerbird.core.memory import Memory


def agree(bird: Bowerbird, client: Client) -> tuple[Memory, Memory]:
    return bird, client


def asked(memory: Memory) -> str:
    memory.remember("The till prints at noon", origin="user")
    return memory.query("when does the till print?")[0].text


def test_whoever_takes_a_memory_runs_over_a_store(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        assert asked(bird) == "The till prints at noon"
