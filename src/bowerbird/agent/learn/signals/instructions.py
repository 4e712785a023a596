"""Instructions: what somebody tells an agent to do always, never, instead, or from now on.

Definition: a sentence that a person typed, as a prompt or when stopping a call, which holds for good by
its wording, stands alone, and asks nothing (`sentences.py`). Source: prompts; those of sub-agents are
written by agents and do not count.
"""

import re

from bowerbird.agent.learn.sentences import standing
from bowerbird.agent.learn.steps import Lesson
from bowerbird.core.events import PROMPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, Told

NAME = "instructions"
_REQUIRED = re.compile(
    r"\b(?:must|always|never|required|not allowed|have to|has to)\b", re.IGNORECASE
)


def lessons(told: "Told", _past: "Sequence[Digest]") -> list[Lesson]:
    """A lesson a sentence, in the words of whoever typed it."""
    found = {}
    for step in told.steps:
        if step.event.what != PROMPTED or step.event.sub:
            continue
        for sentence in standing(step.event.text):
            text = sentence[0].upper() + sentence[1:]
            text += "" if text[-1] in ".!" else "."
            key = " ".join(re.findall(r"\w+", text.lower()))
            kind = "requirement" if _REQUIRED.search(text) else "preference"
            found[key] = Lesson(
                *(NAME, key, kind, text),
                lines=(step.line,),
                sessions=(told.id,),
                strength=1.0,
                outside=step.outside,
            )
    return [*found.values()]
