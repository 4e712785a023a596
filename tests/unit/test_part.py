"""Parts of an object: each is made of a class that is there, by attributes that the object has."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import Any

import pytest

from bowerbird.core.part import Part
from bowerbird.storage.postgres.store import PostgresStore
from bowerbird.storage.sqlite.store import Store
from bowerbird.verbs.root import Wiring
from bowerbird.wiring.opened import Opened


@pytest.mark.parametrize("whole", [Store, PostgresStore, Opened, Wiring])
def test_every_part_can_be_made(whole: Any) -> None:
    parts = {name: one for name, one in vars(whole).items() if isinstance(one, Part)}
    assert parts
    for name, one in parts.items():
        kind = getattr(import_module(one.module), one.kind)
        assert kind.__name__ == whole.__annotations__[name]
        signature(kind).bind(*one.of)
