"""From the lessons of a session to what is proposed as memories. Pure.

One filter after the other: validity (what nobody wanted to stay teaches nothing but dead ends),
frequency, novelty, privacy, worth, and the gate and limit of the sort of session. Trust is lowered by
admission, and so is judged whether a memory says the same already.
"""

import re

from bowerbird.agent.learn import registry
from bowerbird.agent.learn.landed import landed_within
from bowerbird.agent.learn.signals import backtrack, co_access, instructions
from bowerbird.agent.learn.sorts import SORTS, passed, sort_of
from bowerbird.agent.learn.steps import Digest
from bowerbird.agent.learn.touching import touched
from bowerbird.agent.learn.turns import turns
from bowerbird.core.ids import text_hash
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.agent.learn.registry import Signal
    from bowerbird.agent.learn.steps import Lesson, RecordedSession

PROPOSED, REPEATED, OVER, OFF, PRIVATE = "proposed", "repeated", "limit", "off", "private"
GATED, LITTLE, WAITING, MORE = "gate", "little", "waiting", "more"
# Pieces of work from which on a session does not wait for its end with what nobody inferred.
_MANY_PIECES = 5
_INFERRED = "observer_inferred"
# Lessons that are worth less are dropped.
_LEAST = 0.4
# Among lessons of one worth the more telling one comes first.
_TIE = 0.1
# What each session beyond those needed adds to how sure it is, what is left of that behind an external
# read, and how sure nobody is who did not look.
_SURE, _TAINTED, _MOST_SURE = 0.03, 0.7, 0.95
# Places of one machine, addresses, and what a transcript's own redaction left.
_PRIVATE = re.compile(r"/home/|/Users/|[A-Z]:\\Users|\S+@\S+\.\w{2,}|\bREDACTED\b")
# Signals whose finds hold although the work failed.
_ANYWAY = frozenset({backtrack.NAME, instructions.NAME})


class Judged(Value):
    """A lesson, its signal, what becomes of it (one of the words above), its worth and how sure it is."""

    __slots__ = ("confidence", "decision", "lesson", "signal", "worth")

    def __init__(self, lesson: "Lesson", signal: "Signal", decision: str, worth: float) -> None:
        self.lesson = lesson
        self.signal = signal
        self.decision = decision
        self.worth = worth
        self.confidence = _confidence(signal, lesson)


def judged(
    session: "RecordedSession",
    past: "Sequence[Digest]",
    *,
    unsure: bool = False,
    look: bool = True,
    ended: bool = True,
    more: "Mapping[str, int] | None" = None,
) -> list[Judged]:
    """Every lesson of a session, what is worth most first, with what becomes of it.

    `unsure`: signals count that were not right often enough, too; unless one is to `look` what they would
    find, they are not asked otherwise. Of a session that has not `ended`, only
    what was not inferred is proposed, of those of many pieces of work after each that succeeded; the rest
    waits. `more` says by signal in how many more sessions a lesson has to be seen: its like was rejected.
    """
    known = {key for one in past for key in one.kept}
    sort = SORTS[sort_of(session)]
    gated = sort.passed and not passed(session)
    found = [
        (signal.value(len(one.sessions)) + one.strength * _TIE, signal, one)
        for signal in registry.SIGNALS
        if signal.on or unsure or look
        for one in signal.find(session, past)
    ]
    early = not ended and _may_go_ahead(session)
    left = sort.most
    result = []
    for worth, signal, one in sorted(found, key=lambda some: -some[0]):
        decision = PROPOSED
        if not (signal.on or unsure) or (sort.signals and signal.name not in sort.signals):
            decision = OFF
        elif _PRIVATE.search(one.text):
            decision = PRIVATE
        elif named(one) in known:
            decision = REPEATED
        elif more and sum(named(one) in other.held for other in past) < more.get(signal.name, 0):
            decision = MORE
        elif worth < _LEAST:
            decision = LITTLE
        elif not ended and not (early and one.source != _INFERRED):
            decision = WAITING
        elif gated and signal.name not in _ANYWAY:
            decision = GATED
        elif left <= 0:
            decision = OVER
        left -= decision == PROPOSED
        result.append(Judged(one, signal, decision, round(worth, 3)))
    return result


def restored(left: "Sequence[Lesson]", *, unsure: bool) -> list[Judged]:
    """Lessons that were noted, as proposals."""
    signals = [registry.BY_NAME[one.signal] for one in left]
    return [
        Judged(one, signal, PROPOSED, signal.value(len(one.sessions)))
        for one, signal in zip(left, signals, strict=True)
        if signal.on or unsure
    ]


def room(session: "RecordedSession", found: "Sequence[Judged]") -> int:
    """How many more lessons a session may give."""
    sort = SORTS[sort_of(session)]
    if sort.passed and not passed(session):
        return 0
    return max(0, sort.most - sum(one.decision == PROPOSED for one in found))


def worth_composing(session: "RecordedSession", found: "Sequence[Judged]") -> bool:
    """Whether a model of language is asked: after success alone, and where files were met together."""
    return passed(session) and any(one.lesson.signal == co_access.NAME for one in found)


def _may_go_ahead(session: "RecordedSession") -> bool:
    """Whether a session that goes on has had many pieces of work, of which the last one succeeded."""
    pieces = turns(session)
    return len(pieces) > _MANY_PIECES and pieces[-1].succeeded


def _confidence(signal: "Signal", one: "Lesson") -> float:
    """How sure a lesson is: as often as its signal is right, more with each session, less if tainted."""
    sure = signal.score if signal.precision is None else signal.precision * _MOST_SURE
    more = _SURE * max(0, len(one.sessions) - signal.needed)
    return round(min(_MOST_SURE, sure + more) * (_TAINTED if one.outside else 1.0), 2)


def named(lesson: "Lesson") -> str:
    """What a lesson is known by among those of all signals."""
    # Hashed: keys are made of what somebody typed, and stand in a file outside of the store.
    return f"{lesson.signal} {text_hash(lesson.key).hex()}"


def digest(
    session: "RecordedSession",
    project: str,
    kept: "Sequence[str]" = (),
    again: "Sequence[str]" = (),
    waiting: "Sequence[str]" = (),
) -> Digest:
    """What stays of a session."""
    marks = {
        one.name: {key: mark.number for key, mark in one.marks(session).items() if not mark.outside}
        for one in registry.SIGNALS
        if one.marks is not None
    }
    return Digest(
        session.id,
        project,
        len(session.steps),
        session.steps[0].at if session.steps else 0,
        sort_of(session),
        touched(session),
        {name: some for name, some in marks.items() if some},
        tuple(kept),
        tuple(again),
        tuple(waiting),
        landed_within(session),
    )
