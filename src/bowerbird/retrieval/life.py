"""What a memory's own numbers say, as a bounded factor on what it scores. Pure.

Chosen by bounds and not by a measurement: no public set has memories with a past. The factor stays
between 1 - BOUND and 1 + BOUND, so that a memory overtakes only what scores nearly the same, and
what does not answer the question gains nothing by being used a lot.
"""

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bowerbird.core.life import Life

# The most that a memory's past may add to its score or take from it.
BOUND = 0.2
# Shares of relevance (always whole here), recency and frequency: start values, not measured.
RELEVANT, RECENT, FREQUENT = 0.60, 0.25, 0.15
IMPORTANT = 0.05
# How much more or less a memory counts by the circumstances in which it came to be; others 1.0.
SOURCES = {"user_taught": 1.4, "agent_explicit": 1.2, "qa_auto": 1.1, "observer_inferred": 0.85}
# Without a phase all kinds count the same.
_EVEN: "Mapping[str, float]" = {}
# A memory of the kind that the question's wording asks for.
WANTED = 1.15


def factor(
    life: "Life",
    now: int,
    wanted: "Collection[str]" = (),
    phase: "Mapping[str, float]" = _EVEN,
) -> float:
    """What a memory's score is multiplied by; it grows with every one of the numbers."""
    worth = RELEVANT + RECENT * life.recency(now) + FREQUENT * life.frequency
    worth *= SOURCES.get(life.source, 1.0) * life.current_confidence(now)
    worth *= WANTED if life.kind in wanted else 1.0
    worth *= phase.get(life.kind, 1.0)
    worth += IMPORTANT * life.importance
    return 1.0 + BOUND * math.tanh((worth - 1.0) / (2 * BOUND))


def lived(
    scores: "Mapping[int, float]",
    lives: "Mapping[int, Life]",
    now: int,
    wanted: "Collection[str]" = (),
    phase: "Mapping[str, float]" = _EVEN,
) -> dict[int, float]:
    """The scores of memories, weighed by their past."""
    return {
        row: scores[row] * factor(life, now, wanted, phase)
        for row, life in lives.items()
        if row in scores
    }
