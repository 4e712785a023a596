"""Sentences by a language model: a summary, the pattern of some memories, the context of a passage."""

from bowerbird.core.thinking import FAST, LITE, PRO, TEXT, WHOLE, Task, list_of, object_of
from bowerbird.guard.supported import one_space, unsupported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.ports.thinking import Thinker

LONGEST_SUMMARY = 160
# The fewest memories that make a pattern, and the most that are read for one.
FEWEST = 3
MOST = 12
LONGEST_PATTERN = 400
MOST_PREFIX_WORDS = 30
_LONGEST_PASSAGE = 3_000
SUMMARY = Task(
    "summary",
    FAST,
    "You are given a note. summary says its point in one sentence of at most 160 characters, in its own"
    " words and language, with the numbers, names and negations that matter.",
    object_of(summary=TEXT),
    100,
)
PATTERN = Task(
    "consolidate",
    PRO,
    "You are given numbered notes on one subject. text says in one or two sentences what they have in"
    " common, in their own words, without a number, name or rule that they do not say, and without"
    " generalising beyond them. from are the numbers of the notes that it rests on, at least"
    " three; dropped"
    " the numbers of those that are about something else.",
    object_of(**{"text": TEXT, "from": list_of(WHOLE), "dropped": list_of(WHOLE)}),
    300,
)
PREFIX = Task(
    "prefix",
    LITE,
    "You are given where a passage stands in a document, and the passage. prefix says in at most"
    " thirty"
    " words what it is about, so that it is found: its subject, and what “it” and “this” stand"
    " for, in the"
    " words of the document alone.",
    object_of(prefix=TEXT),
    100,
)


def summarised(thinker: "Thinker", text: str) -> str:
    """A memory in one sentence; empty if what the model wrote does not hold. Raises ModelError."""
    return summary(thinker.ask(SUMMARY, text), text)


def summary(answer: "dict[str, Any]", text: str) -> str:
    """The summary of an answer; empty if it is too long, or says what the text does not."""
    said = one_space(answer["summary"])
    short = 0 < len(said) <= LONGEST_SUMMARY and len(said) < len(text)
    return said if short and not unsupported(said, text, "") else ""


class ModelSummariser:
    """The summariser that asks; it reads the first texts alone."""

    def __init__(self, thinker: "Thinker") -> None:
        self._thinker = thinker

    def pattern(self, texts: "Sequence[str]") -> "tuple[str, list[int]] | None":
        """What some memories have in common, and the positions of those that it rests on.

        None if the model wrote nothing that holds. Raises ModelError.
        """
        shown = (f"{number}. {one_space(text)}" for number, text in enumerate(texts[:MOST], 1))
        return pattern(self._thinker.ask(PATTERN, "\n".join(shown)), texts[:MOST])


def pattern(answer: "dict[str, Any]", texts: "Sequence[str]") -> "tuple[str, list[int]] | None":
    """The pattern of an answer; None if it rests on too few, or says what they do not."""
    said, numbers = one_space(answer["text"]), answer["from"]
    left = {*numbers} | {*answer["dropped"]}
    if len({*numbers}) < FEWEST or not all(1 <= one <= len(texts) for one in left):
        return None
    if {*numbers} & {*answer["dropped"]} or not 0 < len(said) <= LONGEST_PATTERN:
        return None
    members = [texts[one - 1] for one in sorted({*numbers})]
    if unsupported(said, "\n".join(members), "", parts=members):
        return None
    return said, [one - 1 for one in sorted({*numbers})]


def placed(thinker: "Thinker", heading: str, passage: str) -> str:
    """What a passage is about, for its vector; empty if what the model wrote does not hold.

    Raises ModelError.
    """
    data = f"Stands under: {heading}\n\nPassage: {passage[:_LONGEST_PASSAGE]}"
    return prefix(thinker.ask(PREFIX, data), heading, passage)


def prefix(answer: "dict[str, Any]", heading: str, passage: str) -> str:
    """The prefix of an answer; empty if it is too long, or has words that the document has not."""
    said, document = one_space(answer["prefix"]), f"{heading}\n{passage}"
    short = 0 < len(said.split()) <= MOST_PREFIX_WORDS
    return said if short and not unsupported(said, document, "", frames=True) else ""
