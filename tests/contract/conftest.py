"""What the contracts of memories share: a store of one project, and a clock that is moved by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.life import DAY

if TYPE_CHECKING:
    from collections.abc import Iterator

START = 1_767_225_600_000


class Hands:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def days(self, count: float) -> None:
        self.now += round(count * DAY)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def bird(store_path: str, hands: Hands) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop", clock=hands) as opened:
        yield opened
