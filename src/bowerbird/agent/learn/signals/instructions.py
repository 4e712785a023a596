"""Instructions: what a person tells an agent to do always, never, instead, or from now on.

Definition: a sentence that a person typed, as a prompt or when stopping a call, which is a lasting rule
by its wording, is self-contained, and is no question (`sentences.py`); and what a person explicitly asks
to remember, unless the agent stored something in the same turn: such a request needs no review. Source:
prompts; those of sub-agents are written by agents and do not count.
"""

import re

from bowerbird.agent.learn.own_memories import stores
from bowerbird.agent.learn.sentences import asked_to_keep, lasting_rules
from bowerbird.agent.learn.steps import Lesson
from bowerbird.core.events import PROMPTED
from bowerbird.core.origins import TAUGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession, Step

NAME = "instructions"
_REQUIRED = re.compile(
    r"\b(?:must|always|never|required|not allowed|have to|has to)\b", re.IGNORECASE
)


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each sentence, in its author's words."""
    found = {}
    for number, step in enumerate(session.steps):
        if step.event.what != PROMPTED or step.event.sub:
            continue
        rules = lasting_rules(step.event.text)
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
                source=TAUGHT,
                asked=sentence in asked,
            )
    return [*found.values()]


def _kept(after: "Sequence[Step]") -> bool:
    """Return whether the agent stored something before its user's next prompt."""
    for step in after:
        if step.event.what == PROMPTED and not step.event.sub:
            return False
        if stores(step):
            return True
    return False
