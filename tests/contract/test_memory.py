"""A store in this process and a server's client are both a Memory: mypy holds this file to it."""

from __future__ import annotations

from inspect import signature

from bowerbird import Bowerbird, Client
from bowerbird.core.memory import Memory


def agree(bird: Bowerbird, client: Client) -> tuple[Memory, Memory]:
    return bird, client


def asked(memory: Memory) -> str:
    memory.remember("The till prints at noon", origin="user")
    return memory.query("when does the till print?")[0].text


def test_whoever_takes_a_memory_runs_over_a_store(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        assert asked(bird) == "The till prints at noon"


def test_a_client_has_a_body_for_every_method() -> None:
    declared = {name: one for name, one in vars(Memory).items() if name[0] != "_"}
    assert len(declared) > 15
    for name, method in declared.items():
        assert getattr(Client, name) is not method
        assert (
            signature(method).parameters.keys()
            <= signature(getattr(Client, name)).parameters.keys()
        )
