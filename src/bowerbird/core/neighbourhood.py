"""How much score a passage contributes to its neighbours: one kernel for the index and for ranking.

Distance is counted in characters between the middles of two passages, so that one rule fits short turns
and long documents: turns of a chat support each other, pages do not. With distance in passages, what
helps LoCoMo (R@10 .67 to .75) hurts long assistant messages.
"""

import math
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

# Distance in characters at which the contribution has fallen to 1/e; flat between 300 and 500 on
# development sets.
REACH = 400
# Passages read on each side.
WIDTH = 2


@lru_cache(maxsize=8_192)
def closeness(distance: int) -> float:
    """The support over a distance in characters: a Gaussian, 1 at 0."""
    return math.exp(-((distance / REACH) ** 2))


def windows(
    rows: "Iterable[int]",
    vectors: "Mapping[int, tuple[float, float, float]]",
    pairs: "Iterable[tuple[int, int, float]]",
    met: "Collection[int]",
) -> tuple[dict[int, float], dict[int, float]]:
    """By row, the cosine of a query with its neighbourhood; and the neighbours that were not in `met`.

    ``cos(q, Σ k_j n_j u_j) = Σ k_j n_j cos(q, u_j) / |Σ k_j n_j u_j|``, where u are unit vectors, n their
    lengths before quantising and k their closeness. `vectors` returns for rows and neighbours the cosine,
    n and the length of the sum; `pairs` are a row, a neighbour and their closeness. Without a vector a
    cosine is 0.
    """
    sums = {row: vectors[row][1] * vectors[row][0] for row in rows if row in vectors}
    whole, lent = dict.fromkeys(rows, 0.0), dict.fromkeys(rows, 0.0)
    for row, neighbour, share in pairs:
        if neighbour not in vectors:
            continue
        cosine, length, _ = vectors[neighbour]
        if cosine > 0.0 and neighbour not in met:
            lent[row] += share * cosine
        if row in sums:
            sums[row] += share * length * cosine
    whole |= {
        row: max(total, 0.0) / vectors[row][2] for row, total in sums.items() if vectors[row][2] > 0
    }
    return whole, lent
