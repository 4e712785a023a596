"""How much a passage lends to the one beside it: one kernel for the index and for ranking.

Distance is counted in characters between the middles of two passages, so that one rule fits short
turns and long documents: turns of a chat support each other, pages do not. By count of passages
instead, what helps LoCoMo (R@10 .67 to .75) hurts long assistant messages.
"""

import math
from functools import lru_cache

# Characters at which the support has fallen to 1/e; flat between 300 and 500 on development sets.
REACH = 400
# Passages to each side that are looked at.
WIDTH = 2


@lru_cache(maxsize=8_192)
def closeness(distance: int) -> float:
    """The support over a distance in characters: a Gaussian, 1 at 0."""
    return math.exp(-((distance / REACH) ** 2))
