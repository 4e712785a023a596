"""The signals: their list and their measured precision."""

from bowerbird.core.value import Record
from bowerbird.sessions.learn.signals import (
    choices,
    commits,
    conclusions,
    corrections,
    cures,
    glob_ignore,
    instructions,
    observations,
    recaps,
    routines,
    self_correction,
    time_anomaly,
    tool_sequence,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.sessions.learn.steps import Digest, Lesson, Mark, RecordedSession

    Find = Callable[[RecordedSession, Sequence[Digest]], list[Lesson]]
    Marks = Callable[[RecordedSession], dict[str, Mark]]

# From this precision on, with enough findings judged one by one, no review is required.
_SURE = 0.9
_ENOUGH = 10
# Weights of a lesson's worth: the signal's score, the number of sessions, the signal's precision. Initial
# values, as are the scores below.
_PRECISE = 0.5
_ACROSS = 0.3
_RIGHT = 0.2


class Signal(Record):
    """A signal: its `score` as evidence (0 to 1), and the sessions `needed` for a lesson.

    Of its `judged` findings, `right` were right. `marks` returns what a session's digest keeps for it.
    """

    name: str
    find: "Find"
    score: float
    needed: int
    right: int = 0
    judged: int = 0
    marks: "Marks | None" = None

    @property
    def precision(self) -> float | None:
        """The share of right findings; None if too few were judged."""
        return self.right / self.judged if self.judged >= _ENOUGH else None

    @property
    def waits(self) -> bool:
        """Whether a person must review its findings before they are injected into sessions."""
        return self.precision is None or self.precision < _SURE

    def value(self, sessions: int) -> float:
        """Return the worth of one of its lessons, 0 to 1, given the number of sessions that showed it."""
        right = self.score if self.precision is None else self.precision
        return _PRECISE * self.score + _ACROSS * sessions / (sessions + 1) + _RIGHT * right


# The worth of what a single session shows at once, whatever the number of sessions: a correction, two
# different errors.
ACUTE = {
    self_correction.NAME: (1, 0.9),
    cures.NAME: (2, 0.75),
}

# The signal of what a language model proposes (`model_lessons.py`).
MODEL = "model"


def _by_rules(_session: "RecordedSession", _past: "Sequence[Digest]") -> "list[Lesson]":
    """What the rules find of it: nothing."""
    return []


# benchmarks/learning.md gives the source of the counts.
SIGNALS = (
    Signal(instructions.NAME, instructions.lessons, 0.95, 1, 13, 17),
    Signal(commits.NAME, commits.lessons, 0.85, 1, 1, 1),
    Signal(corrections.NAME, corrections.lessons, 0.9, 1),
    Signal(routines.NAME, routines.lessons, 0.9, 3, 13, 13, routines.marks),
    Signal(conclusions.NAME, conclusions.lessons, 0.8, 1),
    Signal(choices.NAME, choices.lessons, 0.9, 1, 5, 5),
    Signal(recaps.NAME, recaps.lessons, 0.75, 1, 12, 13),
    Signal(observations.NAME, observations.lessons, 0.75, 1, marks=observations.marks),
    Signal(self_correction.NAME, self_correction.lessons, 0.88, 1),
    Signal(cures.NAME, cures.lessons, 0.85, 1, 30, 33, cures.marks),
    Signal(tool_sequence.NAME, tool_sequence.lessons, 0.73, 5, 3, 3, tool_sequence.marks),
    Signal(glob_ignore.NAME, glob_ignore.lessons, 0.64, 2, 2, 2, marks=glob_ignore.marks),
    Signal(time_anomaly.NAME, time_anomaly.lessons, 0.48, 3, 4, 4, time_anomaly.marks),
    # A language model's: the rules find none of them, and a person reviews each.
    Signal(MODEL, _by_rules, 0.75, 1),
)
BY_NAME = {one.name: one for one in SIGNALS}


class Signals:
    """The rules' extractor: each signal finds lessons of one sort."""

    def lessons(self, session: "RecordedSession", past: "Sequence[Digest]") -> "list[Lesson]":
        """The lessons of every signal."""
        return [one for signal in SIGNALS for one in signal.find(session, past)]


RULES = Signals()
