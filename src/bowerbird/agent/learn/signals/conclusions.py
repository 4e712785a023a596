"""Conclusions: what an agent says behind successful work was the cause, or was decided.

Definition: a sentence that stands alone, names what it is about, and tells why or what was chosen over
what (`claims.py`), out of the last message of a turn in which something was done, no check failed at the
end and nobody objected; or a cause that was told before, where files were changed behind it and a check
worked. `_MOST` a session, the most telling. Source: what was said.
"""

import re

from bowerbird.agent.learn.claims import claims
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.learn.turns import turns
from bowerbird.agent.observe.calls import kind_of
from bowerbird.core.events import SAID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, Step, Told
    from bowerbird.agent.learn.turns import Turn

NAME = "conclusions"
_MOST = 3
# What tells more: why, that a check worked behind it, and how much of the code it names.
_CAUSE, _TESTED, _NAMED = 0.3, 0.2, 0.1
_MOST_NAMED = 3


def lessons(told: "Told", _past: "Sequence[Digest]") -> list[Lesson]:
    """A lesson a sentence."""
    found = {}
    for turn in turns(told):
        for step in _telling(turn) if turn.succeeded else ():
            last = step is turn.closing
            for claim in claims(step.event.text):
                if not last and not claim.causes:
                    continue
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


def _telling(turn: "Turn") -> "list[Step]":
    """What the agent said last, and what it said before a change that a check found good."""
    said = [step for step in turn.steps if step.event.what == SAID and not step.event.sub]
    if not (turn.tested and turn.edits):
        return said[-1:]
    changed = [step.line for step in turn.steps if kind_of(step.event.tool) == "edit"]
    return [step for step in said if step is said[-1] or step.line < changed[-1]]
