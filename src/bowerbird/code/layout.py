"""Where the points of a small graph stand in a picture. Pure, and the same each time.

Fruchterman and Reingold, 1991: points repel each other, links pull, and the step shrinks. 60 points take
some tens of milliseconds.
"""

import math

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Line = np.ndarray[tuple[int], np.dtype[np.float64]]

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
    placed = zip(_spread(at[:, 0]), _spread(at[:, 1]), strict=True)
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in placed)


def _spread(at: "Line") -> "Line":
    """Places from 0 to 1 of one axis, whose first point is at 0, in the same order and wider apart.

    Half by distance and half by rank, or many that hang together would be a knot in the middle.
    """
    found = np.full(len(at), 0.5)
    for side in (-1, 1):
        there = np.nonzero(side * at > 0)[0]
        if not len(there):
            continue
        there = there[np.argsort(np.abs(at[there]))]
        far = np.abs(at[there]) / np.maximum(np.abs(at[there[-1]]), _NEAR)
        rank = np.arange(1, len(there) + 1) / len(there)
        found[there] += side * (far + rank) / 4
    return found
