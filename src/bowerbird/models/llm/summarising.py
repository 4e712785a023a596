"""Sums up memories that say the like, by a language model."""

from bowerbird.core.thinking import PRO, WHOLE, Task, list_of, object_of, text_of
from bowerbird.guard.supported import one_space, unsupported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.ports.thinking import Thinker

# The fewest memories that make a pattern, and the most that are read for one.
FEWEST = 3
MOST = 12
LONGEST_PATTERN = 400
PATTERN = Task(
    "consolidate",
    PRO,
    "You are given numbered notes on one subject. text says in one or two sentences what they have in"
    " common, in their own words, without a number, name or rule that they do not say, and without"
    " generalising beyond them. from are the numbers of the notes that it rests on, at least"
    " three; dropped"
    " the numbers of those that are about something else.",
    object_of(
        **{
            "text": text_of(LONGEST_PATTERN),
            "from": list_of(WHOLE, MOST),
            "dropped": list_of(WHOLE, MOST),
        }
    ),
    300,
)


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
