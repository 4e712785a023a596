"""Large settings in TOML, and a table below an inline one."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from bowerbird.surfaces.installer.jsonc import Unparseable
from bowerbird.surfaces.installer.toml import Toml

if TYPE_CHECKING:
    from collections.abc import Callable

PATH = ("servers", "bowerbird")


def test_a_table_beside_many_costs_little_more_than_to_read_them(
    cost: Callable[..., float],
) -> None:
    """Each is a folder that was once trusted, and to edit them word for word takes ten times as long."""
    text = "".join(f"[servers.a{number}.env]\nX = '{number}'\n" for number in range(2_000))
    most = 6 * cost(tomllib.loads, text)
    assert cost(lambda: Toml(text).put(PATH, {"command": "bower"}), enough=most) < most


def test_a_table_below_an_inline_one_stands_within_it() -> None:
    opened = Toml('servers = { other = { command = "x" } } # mine\n')
    opened.put(PATH, {"command": "bower"})
    assert opened.value["servers"] == {"other": {"command": "x"}, "bowerbird": {"command": "bower"}}
    assert "# mine" in opened.text


def test_a_parent_that_is_no_table_is_refused() -> None:
    with pytest.raises(Unparseable):
        Toml("servers = 3\n").put(PATH, {"command": "bower"})
