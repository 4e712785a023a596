"""The highest of many scores."""

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray


def highest(scores: "NDArray[Any]", count: int) -> "NDArray[np.intp]":
    """The positions of the highest scores, best first, of equal ones the lower position."""
    if len(scores) <= count:
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, -count)[-count]
    offsets = np.flatnonzero(scores >= least)
    return offsets[np.argsort(-scores[offsets], kind="stable")[:count]]
