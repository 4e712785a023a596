"""A sound store is called sound by a process that stays, whatever other processes did to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird import Bowerbird
from bowerbird.core.health import PROBLEM

if TYPE_CHECKING:
    from collections.abc import Callable


def test_what_others_merged_is_not_called_damaged(
    store_path: str, clock: Callable[[], int]
) -> None:
    with (
        Bowerbird.open(store_path, project="shop", clock=clock) as stays,
        Bowerbird.open(store_path, project="shop", clock=clock) as other,
    ):
        ids = [other.remember(f"Fact {n} about thing {n * n} word{n}").id for n in range(40)]
        assert len(stays.query("thing word3"))
        other.admin.erase([ids[3]])
        assert [one for one in stays.admin.doctor() if one.level == PROBLEM] == []
        other.admin.erase([ids[5]])
        assert stays.admin.verify().sound
