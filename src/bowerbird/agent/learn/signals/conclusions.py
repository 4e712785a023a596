"""Conclusions: what an agent says in successful work was the cause, or was decided.

Definition: a sentence that stands alone, names what it is about, and tells why or what was chosen over
what and why (`claims.py`), out of a turn in which something was done, no check failed at the end and
nobody objected. What tells of a fault that is there does not count, as it will be gone, but for what a
program of others cannot do. Nor does what was found out where nothing was changed and changes followed,
nor what is on the way to the end no cause, nor how code is kept tidy. `_MOST` a session, the most
telling. Source: what was said.
"""

import re

from bowerbird.agent.learn.claims import claims, same
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.learn.turns import turns
from bowerbird.core.events import SAID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.claims import Claim
    from bowerbird.agent.learn.steps import Digest, Told
    from bowerbird.agent.learn.turns import Turn

NAME = "conclusions"
_MOST = 4
# What tells more: why, of whom, that a check worked behind it, and how much of the code it names.
_CAUSE, _FOREIGN, _TESTED, _NAMED = 0.2, 0.1, 0.2, 0.1
_MOST_NAMED = 3
# Turns behind one that changed nothing in which what it found out is acted upon.
_SOON = 3


def lessons(told: "Told", _past: "Sequence[Digest]") -> list[Lesson]:
    """A lesson a sentence."""
    found: list[Lesson] = []
    pieces = turns(told)
    for at, turn in enumerate(pieces):
        if turn.refused:
            continue
        changed = turn.edits > 0 or not any(one.edits for one in pieces[at + 1 : at + 1 + _SOON])
        for step in turn.steps:
            if step.event.what != SAID or step.event.sub:
                continue
            for claim in claims(step.event.text):
                if not _lasts(claim, turn, last=step is turn.closing, changed=changed):
                    continue
                strength = 0.2 + _CAUSE * claim.causes + _FOREIGN * claim.foreign
                strength += _TESTED * turn.tested + _NAMED * min(claim.names, _MOST_NAMED)
                key = " ".join(re.findall(r"\w+", claim.text.lower()))
                found.append(
                    Lesson(
                        *(NAME, key, "gotcha" if claim.causes else "decision", claim.text),
                        lines=(step.line,),
                        sessions=(told.id,),
                        strength=round(strength, 2),
                        outside=step.outside,
                    )
                )
    kept: list[Lesson] = []
    for lesson in sorted(found, key=lambda one: -one.strength):
        if len(kept) < _MOST and not any(same(lesson.key, other.key) for other in kept):
            kept.append(lesson)
    return kept


def _lasts(claim: "Claim", turn: "Turn", *, last: bool, changed: bool) -> bool:
    """Whether a claim will hold when the session is over, and says more than the code."""
    if claim.tidy:
        return False
    if claim.foreign and claim.causes:
        return True
    if not claim.reasoned or not changed or not turn.succeeded:
        return False
    if last:
        return claim.mended or not claim.faulty
    return claim.causes and turn.edits > 0 and not claim.faulty
