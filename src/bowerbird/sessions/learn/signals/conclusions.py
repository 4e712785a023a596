"""Conclusions: causes, decisions and limits that an agent explained in work that nobody rejected.

Definition: the strongest passages of a turn that explain something (`explanations.py`), a fault with its
cure where one message has both; less of a turn without changes. Not what a correction quotes already. At
most `_MOST` a session, the strongest first; of two that say the same the later one. Source: messages.
"""

from bowerbird.sessions.learn.explanations import standing
from bowerbird.sessions.learn.phrasing import same
from bowerbird.sessions.learn.signals.corrections import corrected, explained, joined, key
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.learn.turns import turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.signals.corrections import Explained
    from bowerbird.sessions.learn.steps import Digest, RecordedSession
    from bowerbird.sessions.learn.turns import Turn

NAME = "conclusions"
_MOST = 4
# Passages of a turn, and of one with many edits.
_MOST_OF_TURN = 2
_MOST_OF_LONG = 4
_MANY_EDITS = 6
# The least worth of a passage, and of one in a turn without changes.
_LEAST = 3.0
_LEAST_UNCHANGED = 3.5
_STRONGEST = 6.0


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return the lessons of each turn that found something out, the strongest first."""
    taken = corrected(session)
    corrections = [one.lesson.key for one in taken.values()]
    found: list[Lesson] = []
    for number, turn in enumerate(turns(session)):
        quoted = taken[number].quoted if number in taken else ()
        passages = [one for one in explained(turn) if one.passage not in quoted]
        for one in _lessons(turn, passages, session.id):
            if not any(same(one.key, other) for other in corrections):
                found = [other for other in found if not same(one.key, other.key)] + [one]
    return sorted(found, key=lambda one: -one.strength)[:_MOST]


def _lessons(turn: "Turn", found: "Sequence[Explained]", session: str) -> "Iterator[Lesson]":
    most = _MOST_OF_LONG if turn.edits >= _MANY_EDITS else _MOST_OF_TURN
    least = _LEAST if turn.edits else _LEAST_UNCHANGED
    left = [one for one in found[:most] if one.worth >= least]
    # A fault and its cure belong together: those of one message, in its order, two at a time.
    left.sort(key=lambda one: (one.step.line, one.passage.place))
    while left:
        taken = [one for one in left[:2] if one.step is left[0].step]
        del left[: len(taken)]
        text = joined([*dict.fromkeys(standing(one.passage) for one in taken)])
        yield Lesson(
            NAME,
            key(text),
            "gotcha",
            text,
            (taken[0].step.line,),
            (session,),
            strength=min(1.0, max(one.worth for one in taken) / _STRONGEST),
            outside=taken[0].step.outside,
        )
