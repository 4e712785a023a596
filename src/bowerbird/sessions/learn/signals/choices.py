"""Choices: what a person decided when an agent asked.

Definition: a question that the agent asked through a tool with predefined answers, and the chosen answer,
unless it is about the next action. Source: calls to the tools that ask.
"""

import re

from bowerbird.guard.privacy import private
from bowerbird.sessions.learn.steps import Lesson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "choices"
_ASKS = frozenset("askuserquestion askuser question askquestion requestuserinput".split())
# How an agent continues, and how it fixes what it just met, is a decision for the moment.
MOMENT = re.compile(
    r"(?i)\b(?:next|proceed|continue|go ahead|ready|would you like|want \w+ to|should I"
    r"|do you want me|shall I|approve|review"
    r"|fix|resolve|address"
    r"|commit|push|now|this (?:pr|session|branch|plan)|update the plan)\b"
)
_TAGGED = re.compile(r"\s*\((?:recommended|default|suggested)\)", re.IGNORECASE)
_MOST_OTHERS = 3
_LONGEST = 420


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each answer."""
    found = {}
    for step in session.steps:
        if step.event.tool.lower().replace("_", "") not in _ASKS or step.failed:
            continue
        answer = step.event.answer if isinstance(step.event.answer, str) else ""
        for question, chosen, others, text in _chosen(step.event.given, answer):
            found[question] = Lesson(
                NAME,
                _key(question, chosen),
                "decision",
                text,
                lines=(step.line,),
                sessions=(session.id,),
                strength=0.9,
                # Another answer to the same question takes the place of an earlier one.
                replaces=tuple(_key(question, other) for other in others),
                outside=step.outside,
            )
    return [*found.values()]


def _key(question: str, answer: str) -> str:
    return " ".join(re.findall(r"\w+", f"{question} {_TAGGED.sub('', answer)}".lower()))


def chosen(step: "Step") -> "Iterator[tuple[str, str]]":
    """Yield each question of a step that asked a person, with the answer that they chose."""
    if step.event.tool.lower().replace("_", "") not in _ASKS or step.failed:
        return
    answer = step.event.answer if isinstance(step.event.answer, str) else ""
    for question, labels in _questions(step.event.given):
        if answered := next((it for it in labels if f'"{question}"="{it}"' in answer), ""):
            yield question, _TAGGED.sub("", answered)


def _questions(given: "dict[str, Any]") -> "Iterator[tuple[str, dict[str, str]]]":
    """Yield each question with its answers and their descriptions; none about the next action."""
    listed = given.get("questions")
    for one in listed if isinstance(listed, list) else [given]:
        question = one.get("question") if isinstance(one, dict) else None
        options = one.get("options") if isinstance(one, dict) else None
        if not isinstance(question, str) or not isinstance(options, list):
            continue
        if MOMENT.search(question) or private(question):
            continue
        yield (
            question,
            {
                str(it.get("label")): str(it.get("description") or "")
                for it in options
                if isinstance(it, dict) and it.get("label")
            },
        )


def _chosen(
    given: "dict[str, Any]", answer: str
) -> "Iterator[tuple[str, str, tuple[str, ...], str]]":
    """Yield each answered question: itself, the answer, the other answers, and the memory's text."""
    for question, labels in _questions(given):
        chosen = next((it for it in labels if f'"{question}"="{it}"' in answer), "")
        if not chosen:
            continue
        why = labels.pop(chosen).strip(" .")
        others = " or ".join(f"“{_TAGGED.sub('', it)}”" for it in [*labels][:_MOST_OTHERS])
        text = f"{question.strip()} It was decided: “{_TAGGED.sub('', chosen)}”"
        text += f" ({why[:1].lower()}{why[1:]})" if why else ""
        text += f", not {others}." if others else "."
        if len(text) <= _LONGEST and not private(text):
            yield question, chosen, tuple(labels), text
