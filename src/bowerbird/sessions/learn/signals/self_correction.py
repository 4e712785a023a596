"""Self-correction: a false assumption that an agent corrected.

Definition: a sentence of the agent in words of correction (“I was wrong about …”, “I initially thought …
but …”, “Correction: …”), whose second half is self-contained and contains an identifier. One that a call
had used or shown makes it stronger. Thoughts do not count, nor plans. Source: messages and calls.
"""

import re

from bowerbird.core.events import SAID
from bowerbird.guard.privacy import private
from bowerbird.sessions.learn.phrasing import names
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.observe.calls import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "self_correction"
# To the end of the sentence: a dot inside of a file's name is none.
_REST = r"(?:[^\n.!?]|[.!?](?=\S))+"
_PHRASES = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"\bI was wrong about (?P<wrong>{_REST})\. (?P<right>{_REST}? is actually {_REST})",
        rf"\bLet me reconsider[.:] (?P<right>{_REST})",
        rf"(?:^|(?<=[.!?] ))Actually,? (?P<right>{_REST}? (?:not|instead of|rather than) {_REST})",
        rf"\bI initially thought (?P<wrong>{_REST}?),? but (?P<right>{_REST})",
        rf"\bCorrection: (?P<right>{_REST})",
        rf"(?:^|(?<=[.!?] ))Wait[,.] (?P<right>{_REST})",
    )
)
# Plans, questions, and what leans on the sentence before or on the moment.
_NO_FACT = re.compile(
    r"(?i)^(?:let|i|i'm|i'll|i've|we|you|should|could|maybe|perhaps|no|yes|ok|okay|now|then|so|also|if"
    r"|what|why|how|where|is|are|does|do|did|this|that|these|those|it|they|there|he|she"
    r"|the (?:user|output|error|test|issue|problem|file|line|diff|edit|change|question))\b"
    r"|\b(?:let me|i should|i need|i'll|we should|need to check|looking|again|above|below|just now"
    r"|you|your)\b"
)
_PRONOUN = re.compile(r"(?i)^(?:it|they|that|this)\b")
_FEWEST = 4
_MOST = 40
_LONGEST = 300
_MET = 0.8
_UNMET = 0.4
_NAME = re.compile(
    r"`([^`]+)`|([\w./-]*\w[_./]\w[\w./-]*)|\b([a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*)\b"
)


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each correction."""
    found = {}
    for at, step in enumerate(session.steps):
        if step.event.what != SAID or step.event.sub:
            continue
        for phrase in _PHRASES:
            for match in phrase.finditer(step.event.text):
                text = _stated(match.groupdict())
                if text:
                    key = " ".join(re.findall(r"\w+", text.lower()))
                    found[key] = Lesson(
                        NAME,
                        key,
                        "module_insight",
                        text,
                        (step.line,),
                        (session.id,),
                        strength=_MET if _was_met(text, session.steps[:at]) else _UNMET,
                        outside=step.outside,
                    )
    return [*found.values()]


def _stated(match: "dict[str, str | None]") -> str:
    """Return a correction as a sentence that stands alone; empty if it does not."""
    right = " ".join((match["right"] or "").split()).strip(" ,;:")
    wrong = " ".join((match.get("wrong") or "").split())
    if wrong and _PRONOUN.match(right):
        # Its pronoun stands for the subject of what was assumed.
        right = f"It was assumed that {wrong}, but {right}"
    elif _NO_FACT.search(right):
        return ""
    few = _FEWEST <= len(right.split()) <= _MOST and len(right) <= _LONGEST
    paired = right.count("`") % 2 == 0 and right.count("(") == right.count(")")
    if not few or not paired or private(right) or not (names(right) or _NAME.search(right)):
        return ""
    # The name of a file or of code keeps its first letter.
    return (right if _NAME.match(right) else right[:1].upper() + right[1:]) + "."


def _was_met(text: str, before: "Sequence[Step]") -> bool:
    """Return whether a call before it used or showed an identifier of a sentence."""
    wanted = {next(filter(None, one.groups())).strip("()") for one in _NAME.finditer(text)}
    wanted = {one.rpartition("/")[2] for one in wanted if one.rpartition("/")[2]}
    for step in reversed(before):
        if not step.event.tool:
            continue
        answer = step.event.answer if isinstance(step.event.answer, str) else ""
        known = "\n".join((command(step.event.given), *step.paths, answer))
        if any(one in known for one in wanted):
            return True
    return False
