"""What time and use made of a memory, and how far it is believed by now."""

import math

from bowerbird.core.value import Value

DAY = 86_400_000
# Uses from which on more of them tell nothing new.
MANY_USES = 100
# How fast a memory that nobody uses stops being recent, a day.
VOLATILITY = 0.01


class Life(Value):
    """The numbers of one memory that ranking reads.

    `half_life` in days (None: it does not fade), `accessed` in UTC milliseconds.
    """

    __slots__ = ("accessed", "confidence", "half_life", "importance", "kind", "source", "uses")

    def __init__(
        self,
        kind: str,
        source: str,
        importance: float,
        confidence: float,
        half_life: float | None,
        accessed: int,
        uses: int,
    ) -> None:
        self.kind = kind
        self.source = source
        self.importance = importance
        self.confidence = confidence
        self.half_life = half_life
        self.accessed = accessed
        self.uses = uses

    def days_unused(self, now: int) -> float:
        """Days since the memory was used, or written; never negative, whatever the clocks say."""
        return max(now - self.accessed, 0) / DAY

    def current_confidence(self, now: int) -> float:
        """Confidence, halved with each half-life that passed unused."""
        if not self.half_life:
            return self.confidence
        return float(self.confidence * 0.5 ** (self.days_unused(now) / self.half_life))

    def recency(self, now: int) -> float:
        """1 for what was just used, falling towards 0."""
        return math.exp(-VOLATILITY * self.days_unused(now))

    @property
    def frequency(self) -> float:
        """0 for what was never used, 1 for what was used a hundred times or more."""
        return min(math.log1p(self.uses) / math.log1p(MANY_USES), 1.0)
