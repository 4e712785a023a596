"""The product, in a resident process."""

import os

from bowerbird.bird import Bowerbird
from bowerbird.core import version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VERSION = version.VERSION
PROJECT = "bench"


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Questions are texts: computing the vector is part of the time."""
    settings = {"query.min_score": 0.0, "query.budget": 0}
    store = os.path.join(folder, "bench.db")
    bird = Bowerbird.open(store, project=PROJECT, settings=settings, resident=True)

    def ask(text: str, _vector: "Sequence[float]", limit: int) -> list[int]:
        return [hit.entry.row for hit in bird.query(text, limit=limit)]

    return ask
