"""Instructions: what somebody tells an agent to do always, never, instead, or from now on.

Definition: a sentence that a person typed, as a prompt or when stopping a call, which holds for good by
its wording, stands alone, and asks nothing (`sentences.py`); and what a person asks to remember in so
many words, unless the agent kept something in the same turn: that is told, and nobody need look first.
Source: prompts; those of sub-agents are written by agents and do not count.
"""

import re

from bowerbird.agent.learn.sentences import asked_to_keep, standing
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.observe.calls import command
from bowerbird.core.events import PROMPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession, Step

NAME = "instructions"
_REQUIRED = re.compile(
    r"\b(?:must|always|never|required|not allowed|have to|has to)\b", re.IGNORECASE
)
# How an agent keeps something: by the tool, or by the command in its shell.
_KEEPS = re.compile(r"bowerbird.*memory_store$")
_CURATES = re.compile(r"\b(?:bower|bowerbird) (?:\S+ )*(?:curate|remember)\b")


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """A lesson a sentence, in the words of whoever typed it."""
    found = {}
    for number, step in enumerate(session.steps):
        if step.event.what != PROMPTED or step.event.sub:
            continue
        rules = standing(step.event.text)
        asked = [] if _kept(session.steps[number + 1 :]) else asked_to_keep(step.event.text)
        for sentence in dict.fromkeys((*rules, *asked)):
            text = sentence[0].upper() + sentence[1:]
            text += "" if text[-1] in ".!。！" else "."
            key = " ".join(re.findall(r"\w+", text.lower()))
            rule = "requirement" if _REQUIRED.search(text) else "preference"
            found[key] = Lesson(
                *(NAME, key, rule if sentence in rules else "fact", text),
                lines=(step.line,),
                sessions=(session.id,),
                strength=1.0,
                outside=step.outside,
                asked=sentence in asked,
            )
    return [*found.values()]


def _kept(after: "Sequence[Step]") -> bool:
    """Whether the agent kept something before its user said the next thing."""
    for step in after:
        if step.event.what == PROMPTED and not step.event.sub:
            return False
        if _KEEPS.search(step.event.tool) or _CURATES.search(command(step.event.given)):
            return True
    return False
