"""What a store's location begins with names the backend that keeps it."""

from __future__ import annotations

import os

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import UnknownName
from bowerbird.storage.registry import backend
from bowerbird.storage.sqlite import Sqlite


def test_a_path_is_sqlites(store_path: str) -> None:
    assert isinstance(backend(store_path), Sqlite)
    assert isinstance(backend("C:/memory.db"), Sqlite)


def test_what_no_backend_keeps_is_refused_and_nothing_is_made() -> None:
    with pytest.raises(UnknownName, match="no backend keeps stores at mysql://") as raised:
        Bowerbird.open("mysql://ana:secret@host/db")
    assert "secret" not in str(raised.value)
    assert raised.value.remedy == "give the path of a file, or postgresql://HOST/NAME"
    assert os.listdir() == []
