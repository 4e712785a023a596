"""Conclusions: what an agent explained or wrote down that a colleague would note.

Definition: the passages of messages and documents with the highest odds (`noteworthy.py`), and the
causes and decisions that the last message of a turn labels as such, of turns that nobody rejected. Not
what a correction quotes already, nor what a person said for good and the agent repeats. At most `_MOST` a
session; of two that say the same the later one. Source: messages, and edits.
"""

from bowerbird.sessions.learn.explanations import is_decision, says_why, standing
from bowerbird.sessions.learn.noteworthy import spans
from bowerbird.sessions.learn.phrasing import same
from bowerbird.sessions.learn.signals import instructions
from bowerbird.sessions.learn.signals.corrections import corrected, joined, key
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.learn.turns import turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "conclusions"
_MOST = 3
# The least log odds, and those of the strongest.
LEAST = 0.3
_STRONGEST = 2.0


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each passage that is likely to be noted, the most likely first."""
    taken = corrected(session).values()
    said = [one.lesson.key for one in taken]
    said += [one for some in instructions.taken(session).values() for one in some]
    quoted = [one.quoted for one in taken]
    found: list[Lesson] = []
    closing = {id(turn.closing) for turn in turns(session)}
    for one in spans(session):
        # Few sessions label a cause (16 blocks in 116): too few for the odds to tell what that is worth.
        labelled = id(one.step) in closing and says_why(one.passage)
        if (one.odds < LEAST and not labelled) or one in quoted:
            continue
        text = joined([standing(one.passage)])
        lesson = Lesson(
            NAME,
            key(text),
            "decision" if is_decision(one.passage) else "gotcha",
            text,
            (one.step.line,),
            (session.id,),
            strength=max(0.0, min(1.0, (one.odds - LEAST) / _STRONGEST)),
            outside=one.step.outside,
        )
        if not any(same(lesson.key, other) for other in said):
            found = [other for other in found if not same(lesson.key, other.key)] + [lesson]
    return sorted(found, key=lambda one: -one.strength)[:_MOST]
