"""How far a memory reaches, and how time and use change its confidence and its weight.

Both formulas are defined only here: ranking uses the first, pruning the second, `get` shows both.
"""

import math

from bowerbird.core.value import Record

DAY = 86_400_000
# How far a belief reaches, and who may read it.
SCOPES = ("global", "module", "work_unit", "session")
AUDIENCES = ("personal", "project", "team", "organisation")
# The bound on the factor by a memory's history is not measured: no public data set has memories with
# one. The factor stays between 1 - BOUND and 1 + BOUND, so a memory overtakes only others with nearly
# the same score, and frequent use does not lift an irrelevant one.
BOUND = 0.2
# All rates below are start values, not measured. The number of uses after which more uses add no
# evidence.
MANY_USES = 100
# How fast the recency of an unused memory falls, per day, if its files do not change.
VOLATILITY = 0.01
# The number of days with changes in the last year at which a memory's files make it fade half as fast
# again; at most it fades twice as fast. Once a month: a start value. That what is said of a changed file
# is less certain is measured (core.anchors), how much less with each change is not.
CHANGES_HALFWAY = 12
CHANGES_DAYS = 365
# How fast the importance of a memory that was never used fades, per day.
FIRST_DECAY_RATE = 0.01
# The relevance from which on a hit that was shown counts as a use. Of the hits of 540 questions about 240
# memories of six projects (the relevant ones known, default settings) .49 are right from .25 on, with .63
# of all right ones and .07 of all others. From .05 on, which answers show, .10 are right; from .2 on .39,
# with .71 of the right ones.
USE_FROM = 0.25
# What each use adds to importance; a use also slows fading.
_USE_ADDS = 0.01
_USE_SLOWS = 0.95
_LOWEST_DECAY_RATE = 0.001
# A session's uses of a memory count once in this many days.
SESSION_DAYS = 7
# How fast importance fades with age alone, per day: half after 2.7 years.
AGEING = 0.001


def current_confidence(
    confidence: float, half_life: float | None, accessed: int, now: int
) -> float:
    """Confidence, halved with each half-life (days; None: never) since the last use."""
    if not half_life:
        return confidence
    return float(confidence * 0.5 ** (days(accessed, now) / half_life))


def effective_importance(
    importance: float, decay_rate: float, accessed: int, created: int, now: int, changes: int
) -> float:
    """Importance, reduced by the time since the last use and, slowly, by age.

    `decay_rate` is per day: .01 at first, and smaller after each use; times the pace of its `changes`.
    """
    unused = 1.0 + decay_rate * pace(changes) * days(accessed, now)
    return importance / unused / (1.0 + AGEING * days(created, now))


def pace(changes: int) -> float:
    """How many times as fast a memory fades whose files changed on so many days of a year; 1 to 2."""
    return 1.0 + changes / (changes + CHANGES_HALFWAY)


def used(importance: float, decay_rate: float) -> tuple[float, float]:
    """Importance and decay rate of a memory after one more use."""
    return min(1.0, importance + _USE_ADDS), max(_LOWEST_DECAY_RATE, decay_rate * _USE_SLOWS)


def days(since: int, now: int) -> float:
    """Days between two times in UTC milliseconds; never negative, whatever the clocks say."""
    return max(now - since, 0) / DAY


class Life(Record):
    """The numbers of one memory that ranking reads.

    `half_life` in days (None: it does not fade), `accessed` in UTC milliseconds, `changes` the days of
    the last year on which its files changed.
    """

    kind: str
    source: str
    importance: float
    confidence: float
    half_life: float | None
    accessed: int
    uses: int
    changes: int = 0

    def days_unused(self, now: int) -> float:
        """Days since the memory was used or written; never negative, whatever the clocks say."""
        return days(self.accessed, now)

    def current_confidence(self, now: int) -> float:
        """Confidence, halved with each half-life since the last use."""
        return current_confidence(self.confidence, self.half_life, self.accessed, now)

    def recency(self, now: int) -> float:
        """1 for a memory used just now, falling towards 0, faster the more its files change."""
        return math.exp(-VOLATILITY * pace(self.changes) * self.days_unused(now))

    @property
    def frequency(self) -> float:
        """0 for a memory never used, 1 for one used a hundred times or more."""
        return min(math.log1p(self.uses) / math.log1p(MANY_USES), 1.0)
