"""Self-correction: a false assumption that an agent corrected.

Definition: a sentence of the agent in words of correction (“I was wrong about …”, “I initially thought …
but …”, “Correction: …”), whose second half is self-contained. Thoughts do not count. Source: messages.
"""

import re

from bowerbird.agent.learn.claims import stands_alone
from bowerbird.agent.learn.steps import Lesson
from bowerbird.core.events import SAID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession

NAME = "self_correction"
_PHRASES = tuple(
    re.compile(one)
    for one in (
        r"I was wrong about [^.\n]+?\. (?P<right>[^\n]+? is actually [^.\n]+)",
        r"Let me reconsider[.:] (?P<right>[^.\n]+)",
        r"Actually,? (?P<right>[^.\n]+? (?:not|instead of|rather than) [^.\n]+)",
        r"I initially thought [^.\n]+? but (?P<right>[^.\n]+)",
        r"Correction: (?P<right>[^.\n]+)",
        r"Wait[,.] (?P<right>[^.\n]+)",
    )
)


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each correction."""
    found = {}
    for step in session.steps:
        if step.event.what != SAID:
            continue
        for phrase in _PHRASES:
            for match in phrase.finditer(step.event.text):
                text = match["right"].strip()
                text = text[:1].upper() + text[1:]
                if stands_alone(text):
                    key = " ".join(re.findall(r"\w+", text.lower()))
                    found[key] = Lesson(
                        *(NAME, key, "module_insight", text + ".", (step.line,), (session.id,)),
                        outside=step.outside,
                    )
    return [*found.values()]
