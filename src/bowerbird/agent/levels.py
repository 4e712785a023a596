"""How sure memory has to be of itself before it speaks unasked: by what a project made of it. Pure."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Outcome = dict[str, Any]

# What somebody said of a memory.
CONFIRMED, EDITED, REJECTED, DISPUTED = VERDICTS = ("confirmed", "edited", "rejected", "disputed")
WRONG = (REJECTED, DISPUTED)
CORRECTIONS = (EDITED, *WRONG)
# What a session was handed and cited, and the level that somebody chose.
USED, LEVEL = "used", "level"
# Of each level the confidence above which a memory is put before an agent: start values, not measured
# yet. The last level has to be chosen.
CAUTIOUS, STANDARD, CONFIDENT, AUTONOMOUS = 1, 2, 3, 4
THRESHOLDS = {CAUTIOUS: 0.80, STANDARD: 0.65, CONFIDENT: 0.55, AUTONOMOUS: 0.45}
# Sessions at the first level, and the share of what was looked at that was confirmed there.
_FIRST, _CONFIRMED = 3, 0.5
# Sessions at the second one and in all, and the share of what was handed over that was corrected there.
_SECOND, _IN_ALL, _CORRECTED = 10, 15, 0.05
# From this number of memories called wrong in one session a step back is offered.
_TOO_MANY = 3


class Standing(Value):
    """The level of a project, since which of its sessions, and what was made of memories since then.

    `above`: the confidence that a memory must exceed. `pinned`: the setting agent.level says so.
    `decided` counts verdicts, `confirmed` those that were right, `corrected` those that changed
    something; `given` counts memories that were handed over, once a session. `back`: three and more were
    said to be wrong in the latest session, so a step back is offered. `why` says what the next step up
    waits for.
    """

    __slots__ = (
        "back",
        "confirmed",
        "corrected",
        "decided",
        "given",
        "level",
        "pinned",
        "sessions",
        "why",
    )
    TABLE = (
        *(("level", "whole"), ("above", "number"), ("pinned", "flag"), ("sessions", "whole")),
        *(("decided", "whole"), ("confirmed", "whole"), ("corrected", "whole")),
        *(("given", "whole"), ("back", "flag"), ("why", "text")),
    )

    def __init__(
        self,
        level: int,
        sessions: int,
        decided: int = 0,
        confirmed: int = 0,
        corrected: int = 0,
        given: int = 0,
        *,
        back: bool = False,
        pinned: bool = False,
        why: str = "",
    ) -> None:
        self.level = level
        self.sessions = sessions
        self.decided = decided
        self.confirmed = confirmed
        self.corrected = corrected
        self.given = given
        self.back = back
        self.pinned = pinned
        self.why = why

    @property
    def above(self) -> float:
        """The confidence above which a memory is put before an agent."""
        return THRESHOLDS[self.level]


def standing(sessions: int, outcomes: "Iterable[Outcome]" = (), pinned: int = 0) -> Standing:
    """The level of a project in its n-th session, by what became of its memories.

    `pinned` is what the settings say, 0 for nothing. A step up is never taken back by itself.
    """
    fold = _Fold()
    for one in outcomes:
        fold.up(_number(one.get("sessions")))
        fold.take(one)
    fold.up(sessions)
    return Standing(
        *(pinned or fold.level, sessions, fold.decided, fold.confirmed, fold.corrected, fold.given),
        back=fold.wrong.get(sessions, 0) >= _TOO_MANY and fold.level > CAUTIOUS,
        pinned=bool(pinned),
        why="agent.level says so" if pinned else fold.why(sessions),
    )


class _Fold:
    """What became of memories, one after the other."""

    def __init__(self) -> None:
        self._told = 0
        self._begin(CAUTIOUS, 1)

    def _begin(self, level: int, session: int) -> None:
        self.level = level
        self._since = session
        self.decided = self.confirmed = self.corrected = self.given = 0
        self.wrong: dict[int, int] = {}

    def up(self, session: int) -> None:
        """The steps up until this session, each in the one that it was due in."""
        due = max(self._since + _FIRST, self._told)
        if self.level == CAUTIOUS and session >= due and self._confirmed_enough():
            self._begin(STANDARD, due)
        due = max(self._since + _SECOND, _IN_ALL + 1, self._told)
        if self.level == STANDARD and session >= due and self._corrected_seldom():
            self._begin(CONFIDENT, due)

    def why(self, session: int) -> str:
        """Why it is this level and no higher one, in a session."""
        sessions = session - self._since
        if self.level == CAUTIOUS:
            if sessions < _FIRST:
                return f"level {STANDARD} begins after {_FIRST} sessions with hooks"
            looked = f"{self.confirmed} of {self.decided} that were looked at"
            return f"{looked} were confirmed: level {STANDARD} takes half"
        if self.level == STANDARD:
            left = max(_SECOND - sessions, _IN_ALL + 1 - session)
            if left > 0:
                more = "session" if left == 1 else "sessions"
                return f"level {CONFIDENT} begins {left} {more} with hooks from now at the earliest"
            share = f"{self.corrected} of {self.given} that were handed over"
            return f"{share} were corrected: level {CONFIDENT} takes less than {_CORRECTED:.0%}"
        if self.level == CONFIDENT:
            return f"level {AUTONOMOUS} is chosen by hand alone"
        return "chosen by hand"

    def _confirmed_enough(self) -> bool:
        """Where nobody looked at anything, nothing speaks against what was learned."""
        return not self.decided or self.confirmed >= _CONFIRMED * self.decided

    def _corrected_seldom(self) -> bool:
        return not self.corrected or self.corrected < _CORRECTED * self.given

    def take(self, outcome: "Outcome") -> None:
        """One more of them."""
        what, session = outcome.get("what"), _number(outcome.get("sessions"))
        self._told = max(self._told, session)
        if what == LEVEL and _number(outcome.get("level")) in THRESHOLDS:
            self._begin(outcome["level"], session)
        elif what == USED:
            given = outcome.get("given")
            self.given += len(given) if isinstance(given, list) else 0
        elif what in VERDICTS:
            self.decided += 1
            self.confirmed += what == CONFIRMED
            self.corrected += what in CORRECTIONS
            self.wrong[session] = self.wrong.get(session, 0) + (what in WRONG)


def _number(value: object) -> int:
    return value if type(value) is int else 0
