"""The confidence threshold of injection, derived from a project's verdicts on its memories. Pure."""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Outcome = dict[str, Any]

# Verdicts of people on a memory.
CONFIRMED, EDITED, REJECTED, HELD = VERDICTS = ("confirmed", "edited", "rejected", "held")
# Somebody called a memory wrong, in the session that got it: a verdict is still to come.
FLAGGED = "flagged"
# The last verdict on a memory was undone.
UNDONE = "undone"
# A memory was erased that was about files or waited for review: the score counts it on for a time.
ERASED = "erased"
WRONG = (REJECTED, HELD, FLAGGED)
CORRECTIONS = (EDITED, *WRONG)
# What was injected into a session and cited there, and a level that a person chose.
USED = "used"
LEVEL = "level"
# A memory on which a person will decide later: no verdict.
LATER = "later"
# For each level the confidence above which a memory is injected: initial values, not measured yet. The
# last level must be chosen by a person.
CAUTIOUS = 1
STANDARD = 2
CONFIDENT = 3
AUTONOMOUS = 4
THRESHOLDS = {CAUTIOUS: 0.80, STANDARD: 0.65, CONFIDENT: 0.55, AUTONOMOUS: 0.45}
# Sessions at the first level, and the confirmed share of the judged memories, for the next one.
_FIRST = 3
_CONFIRMED = 0.5
# Sessions at the second one and in all, and the maximum corrected share of the injected memories, for the
# next one.
_SECOND = 10
_IN_ALL = 15
_CORRECTED = 0.05
# From this number of memories called wrong where a session got them, a lower level is offered.
_TOO_MANY = 3


class LevelState(Record):
    """The level of a project, its number of sessions, and the verdicts since the last change of level."""

    level: int
    sessions: int
    decided: int = 0
    confirmed: int = 0
    corrected: int = 0
    given: int = 0
    back: bool = False
    pinned: bool = False
    why: str = ""
    TABLE = (
        ("level", "whole"),
        ("above", "number"),
        ("pinned", "flag"),
        ("sessions", "whole"),
        ("decided", "whole"),
        ("confirmed", "whole"),
        ("corrected", "whole"),
        ("given", "whole"),
        ("back", "flag"),
        ("why", "text"),
    )

    @property
    def above(self) -> float:
        """The confidence above which a memory is injected."""
        return THRESHOLDS[self.level]


def level_state(sessions: int, outcomes: "Iterable[Outcome]" = (), pinned: int = 0) -> LevelState:
    """Return the level of a project in its n-th session, given the outcomes of its memories.

    `pinned` is the configured level, 0 for none. A level is never lowered automatically.
    """
    fold = _Fold()
    for one in outcomes:
        fold.up(_number(one.get("sessions")))
        fold.take(one)
    fold.up(sessions)
    return LevelState(
        pinned or fold.level,
        sessions,
        fold.decided,
        fold.confirmed,
        fold.corrected,
        fold.given,
        back=len(fold.wrong.get(sessions, ())) >= _TOO_MANY and fold.level > CAUTIOUS,
        pinned=bool(pinned),
        why="agent.level says so" if pinned else fold.why(sessions),
    )


class _Fold:
    """Computes the level from outcomes in order."""

    def __init__(self) -> None:
        self._last_session = 0
        self._begin(CAUTIOUS, 1)

    def _begin(self, level: int, session: int) -> None:
        self.level = level
        self._since = session
        self.decided = self.confirmed = self.corrected = self.given = 0
        self.wrong: dict[int, set[object]] = {}
        # The last verdict on each memory since then, by its id, with its session.
        self._last: dict[object, tuple[str, int]] = {}

    def up(self, session: int) -> None:
        """Raise the level by the steps due until this session, each in the session when it was due."""
        if self.level == CAUTIOUS:
            due = max(self._since + _FIRST, self._last_session)
            if session >= due and self._confirmed_enough():
                self._begin(STANDARD, due)
        if self.level == STANDARD:
            due = max(self._since + _SECOND, _IN_ALL + 1, self._last_session)
            if session >= due and self._corrected_seldom():
                self._begin(CONFIDENT, due)

    def why(self, session: int) -> str:
        """Return why the level is not higher in a session."""
        sessions = session - self._since
        if self.level == CAUTIOUS:
            if sessions < _FIRST:
                return _begins(STANDARD, _FIRST - sessions)
            looked = f"{self.confirmed} of {self.decided} reviewed memories"
            return f"{looked} were confirmed: level {STANDARD} requires half"
        if self.level == STANDARD:
            left = max(_SECOND - sessions, _IN_ALL + 1 - session)
            if left > 0:
                return _begins(CONFIDENT, left)
            share = f"{self.corrected} of {self.given} injected memories"
            return f"{share} were corrected: level {CONFIDENT} requires less than {_CORRECTED:.0%}"
        if self.level == CONFIDENT:
            return f"level {AUTONOMOUS} is only set by hand"
        return "set by hand"

    def _confirmed_enough(self) -> bool:
        """Without any verdict, nothing speaks against raising the level."""
        return not self.decided or self.confirmed >= _CONFIRMED * self.decided

    def _corrected_seldom(self) -> bool:
        return not self.corrected or self.corrected < _CORRECTED * self.given

    def take(self, outcome: "Outcome") -> None:
        """Process one more outcome."""
        what, session = outcome.get("what"), _number(outcome.get("sessions"))
        self._last_session = max(self._last_session, session)
        if what == LEVEL and _number(outcome.get("level")) in THRESHOLDS:
            self._begin(outcome["level"], session)
        elif what == USED:
            given = outcome.get("given")
            self.given += len(given) if isinstance(given, list) else 0
        elif what == UNDONE:
            self._count(self._last.pop(outcome.get("id"), ("", 0)), outcome, -1)
        elif what in VERDICTS or what in WRONG:
            self._last[outcome.get("id")] = (str(what), session)
            self._count((str(what), session), outcome, 1)

    def _count(self, verdict: "tuple[str, int]", outcome: "Outcome", by: int) -> None:
        """Add a verdict and its session to the counts, or take it back."""
        what, session = verdict
        if what in VERDICTS:
            self.decided += by
            self.confirmed += by * (what == CONFIRMED)
            self.corrected += by * (what in CORRECTIONS)
        wrong = self.wrong.setdefault(session, set())
        # What a person decides in review was no agent's session.
        if what == FLAGGED and by > 0:
            wrong.add(outcome.get("id") or len(wrong))
        elif what not in WRONG or by < 0:
            wrong.discard(outcome.get("id"))


def _begins(level: int, left: int) -> str:
    more = "session" if left == 1 else "sessions"
    return f"level {level} begins {left} {more} with hooks from now at the earliest"


def _number(value: object) -> int:
    return value if type(value) is int else 0
