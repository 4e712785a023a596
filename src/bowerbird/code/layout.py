"""Where the points of a small graph stand in a picture. Pure, and the same each time.

Fruchterman and Reingold, 1991: points repel each other, links pull, and the step shrinks. 60 points take
some tens of milliseconds.
"""

import math

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ROUNDS = 150
_FIRST_STEP = 0.1
# The least distance, as equal places have no direction.
_NEAR = 1e-3


def laid_out(count: int, links: "Sequence[tuple[int, int]]") -> "tuple[tuple[float, float], ...]":
    """Places from 0 to 1, the first point in the middle."""
    if count < 2:  # noqa: PLR2004 one alone stands in the middle
        return ((0.5, 0.5),) * count
    # A sunflower to begin with: no two points are in one place.
    turns = np.arange(count) * math.pi * (3 - math.sqrt(5))
    far = np.sqrt(np.arange(count) / count)
    at = np.stack((far * np.cos(turns), far * np.sin(turns)), axis=1)
    pulls = np.zeros((count, count))
    for one, other in links:
        pulls[one, other] = pulls[other, one] = 1.0
    ideal = 1.0 / math.sqrt(count)
    for turn in range(_ROUNDS):
        apart = at[:, None, :] - at[None, :, :]
        distance = np.maximum(np.linalg.norm(apart, axis=2), _NEAR)
        force = ideal**2 / distance**2 - pulls * distance / ideal
        np.fill_diagonal(force, 0.0)
        move = (apart * force[:, :, None]).sum(axis=1)
        length = np.maximum(np.linalg.norm(move, axis=1), _NEAR)
        step = _FIRST_STEP * (1 - turn / _ROUNDS)
        at += move / length[:, None] * np.minimum(length, step)[:, None]
        at -= at[0]
    widest = np.abs(at).max(axis=0)
    at = 0.5 + at / (2 * np.maximum(widest, _NEAR))
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in at)
