"""The signals: their list, their measured precision, and which of them are enabled."""

from bowerbird.core.value import Record
from bowerbird.sessions.learn.signals import (
    choices,
    co_access,
    commits,
    conclusions,
    corrections,
    cures,
    external_reference,
    failed_tests,
    glob_ignore,
    instructions,
    observations,
    parallel_conflict,
    read_abandon,
    recaps,
    routines,
    self_correction,
    test_order,
    time_anomaly,
    tool_sequence,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.sessions.learn.steps import Digest, Lesson, Mark, RecordedSession

    Find = Callable[[RecordedSession, Sequence[Digest]], list[Lesson]]
    Marks = Callable[[RecordedSession], dict[str, Mark]]

# Below the first precision a signal is off; from the second on, with enough findings judged one by one,
# no review is required.
_GOOD = 0.75
_SURE = 0.9
_ENOUGH = 10
# With fewer judged findings there is no evidence.
_FEW = 2
# The share of useful findings below which a signal is off, even if what it says is right; and the fewest
# that were read for it.
_USEFUL = 0.25
_READ = 8
# Weights of a lesson's worth: the signal's score, the number of sessions, the signal's precision. Initial
# values, as are the scores below.
_PRECISE = 0.5
_ACROSS = 0.3
_RIGHT = 0.2


class Signal(Record):
    """A signal: its `score` as evidence (0 to 1), and the sessions `needed` for a lesson.

    Of its `judged` findings, `right` were right; of those `read` in sessions that nobody had tuned it to,
    `useful` helped anybody. `tried`: it is on before enough is judged, as a person reviews its findings.
    `marks` returns what the digest of a session keeps for it.
    """

    name: str
    find: "Find"
    score: float
    needed: int
    right: int = 0
    judged: int = 0
    marks: "Marks | None" = None
    useful: int = 0
    read: int = 0
    tried: bool = False

    @property
    def precision(self) -> float | None:
        """The share of right findings; None if too few were judged."""
        return self.right / self.judged if self.judged >= _ENOUGH else None

    @property
    def on(self) -> bool:
        """Whether it is enabled: only with evidence that it is right, and none that it is useless."""
        if self.read >= _READ and self.useful / self.read < _USEFUL:
            return False
        return self.tried if self.judged < _FEW else self.right / self.judged >= _GOOD

    @property
    def waits(self) -> bool:
        """Whether a person must review its findings before they are injected into sessions."""
        return self.precision is None or self.precision < _SURE

    def value(self, sessions: int) -> float:
        """Return the worth of one of its lessons, 0 to 1, given the number of sessions that showed it."""
        right = self.score if self.precision is None else self.precision
        return _PRECISE * self.score + _ACROSS * sessions / (sessions + 1) + _RIGHT * right


# The worth of what a single session shows at once, whatever the number of sessions: a correction, a name
# searched for three times, two different errors, a configuration file changed along with two others.
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
    Signal(commits.NAME, commits.lessons, 0.85, 1, 1, 1, tried=True),
    Signal(corrections.NAME, corrections.lessons, 0.9, 1, tried=True),
    Signal(routines.NAME, routines.lessons, 0.9, 3, 13, 13, routines.marks),
    Signal(conclusions.NAME, conclusions.lessons, 0.8, 1, tried=True),
    Signal(choices.NAME, choices.lessons, 0.9, 1, 5, 5),
    Signal(recaps.NAME, recaps.lessons, 0.75, 1, 12, 13),
    Signal(observations.NAME, observations.lessons, 0.75, 1, marks=observations.marks, tried=True),
    Signal(failed_tests.NAME, failed_tests.lessons, 0.6, 1, tried=True),
    Signal(co_access.NAME, co_access.lessons, 0.91, 3, 304, 742),
    Signal(self_correction.NAME, self_correction.lessons, 0.88, 1, tried=True),
    Signal(cures.NAME, cures.lessons, 0.85, 1, 30, 33, cures.marks),
    Signal(parallel_conflict.NAME, parallel_conflict.lessons, 0.82, 1),
    Signal(read_abandon.NAME, read_abandon.lessons, 0.79, 3, marks=read_abandon.marks),
    Signal(test_order.NAME, test_order.lessons, 0.74, 3, marks=test_order.marks),
    Signal(tool_sequence.NAME, tool_sequence.lessons, 0.73, 5, 3, 3, tool_sequence.marks),
    Signal(glob_ignore.NAME, glob_ignore.lessons, 0.64, 2, 2, 2, marks=glob_ignore.marks),
    Signal(
        external_reference.NAME,
        external_reference.lessons,
        0.61,
        3,
        marks=external_reference.marks,
    ),
    Signal(time_anomaly.NAME, time_anomaly.lessons, 0.48, 3, 4, 4, time_anomaly.marks),
    # A language model's: the rules find none of them, and a person reviews each.
    Signal(MODEL, _by_rules, 0.75, 1, tried=True),
)
BY_NAME = {one.name: one for one in SIGNALS}


class Signals:
    """The rules' extractor: each signal finds lessons of one sort."""

    def lessons(
        self, session: "RecordedSession", past: "Sequence[Digest]", *, every: bool
    ) -> "list[Lesson]":
        """The lessons of the signals that are on, or of `every` signal."""
        return [
            one for signal in SIGNALS if signal.on or every for one in signal.find(session, past)
        ]


RULES = Signals()
