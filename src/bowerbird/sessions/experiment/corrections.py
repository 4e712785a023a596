"""How often people corrected the agent's work, and its memories. Pure.

Work for a prompt was corrected if a person stopped a call of it, or if the next prompt, a short one,
rejects it in plain words: "no, …", "wrong", "revert that", "it still fails". An objection in other words
is not found, nor a correction by hand; a stop may also be a pause.
"""

import re

from bowerbird.core.events import STOPPED
from bowerbird.sessions.learn.agents.journal import Journal
from bowerbird.sessions.learn.steps import RecordedSession
from bowerbird.sessions.learn.turns import LONGEST_ANSWER, turns
from bowerbird.sessions.levels import UNDONE, VERDICTS, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

# Narrower than a doubt about the work (agent.learn.turns), which "but …" and "why …" also express: of 544
# answers of two developers 49 were doubts, less than half of them rejections; of the 12 that this finds
# 10 were.
_REJECTS = re.compile(
    r"(?i)^\W*(?:no(?! (?:problem|need|worries|rush|idea|hurry))\b|nope|wrong|that'?s not|nein\b|falsch"
    r"|not (?:what|quite|right)|(?:this|that|it) (?:still|is still|(?:does|did) ?n[o']t work))"
    r"|\b(?:undo|revert|roll(?:ing)? ?back|put) (?:it|that|this|those|these|your)\b"
    r"|\bstill (?:fail|broken|not work|see|get)|\bnot working\b|\bsame error\b"
)


def corrected(lines: "Sequence[dict[str, Any]]") -> float | None:
    """Return the share of prompts with calls whose work a person rejected; None if texts are missing."""
    journal = Journal()
    for number, line in enumerate(lines, 1):
        journal.take(number, line)
    parts = turns(RecordedSession("", "", tuple(journal.collector.steps)))
    answers = [*(part.steps[0].event.text for part in parts[1:]), ""]
    found = []
    for part, answer in zip(parts, answers, strict=False):
        stopped = any(step.event.what == STOPPED for step in part.steps)
        if stopped or part.calls:
            rejected = len(answer) <= LONGEST_ANSWER and bool(_REJECTS.search(answer))
            found.append(stopped or rejected)
    return sum(found) / len(found) if found else None


def flagged(outcomes: "Iterable[dict[str, Any]]") -> frozenset[str]:
    """Return the ids of memories whose last verdict by a person is that they are wrong."""
    judged = {*VERDICTS, *WRONG, UNDONE}
    last = {one.get("id"): one["what"] for one in outcomes if one.get("what") in judged}
    return frozenset(id for id, what in last.items() if isinstance(id, str) and what in WRONG)


def wrong(given: "Collection[str]", flagged: "Collection[str]") -> float | None:
    """Return the share of a session's injected memories that were called wrong; None without any."""
    return sum(id in flagged for id in given) / len(given) if given else None
