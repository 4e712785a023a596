"""Conclusions: what an agent says behind successful work was the cause, or was decided.

Definition: a sentence that stands alone, names what it is about, and tells why or what was chosen over
what (`claims.py`), out of the last message of a turn in which something was done, no check failed at the
end and nobody objected. Of a turn that changed nothing, what tells of a fault does not count: it will be
gone. `_MOST` a session, the most telling. Source: what was said.
"""

import re

from bowerbird.agent.learn.claims import claims
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.learn.turns import turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, Told

NAME = "conclusions"
_MOST = 4
# What tells more: why, that a check worked behind it, and how much of the code it names.
_CAUSE, _TESTED, _NAMED = 0.3, 0.2, 0.1
_MOST_NAMED = 3


def lessons(told: "Told", _past: "Sequence[Digest]") -> list[Lesson]:
    """A lesson a sentence."""
    found = {}
    for turn in turns(told):
        step = turn.closing
        if step is None or not turn.succeeded:
            continue
        for claim in claims(step.event.text):
            if turn.edits or not claim.faulty:
                strength = 0.2 + _CAUSE * claim.causes + _TESTED * turn.tested
                strength += _NAMED * min(claim.names, _MOST_NAMED)
                key = " ".join(re.findall(r"\w+", claim.text.lower()))
                found[key] = Lesson(
                    *(NAME, key, "gotcha" if claim.causes else "decision", claim.text),
                    lines=(step.line,),
                    sessions=(told.id,),
                    strength=round(strength, 2),
                    outside=step.outside,
                )
    return sorted(found.values(), key=lambda one: -one.strength)[:_MOST]
