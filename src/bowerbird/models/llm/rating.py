"""Scores the best hits by a language model's rating of each."""

from bowerbird.core.errors import ModelError
from bowerbird.core.thinking import FAST, Task, list_of, object_of, whole_from
from bowerbird.guard.supported import one_space

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.ports.thinking import Thinker

# Characters of each text that are shown to it.
LONGEST = 200
LOWEST, HIGHEST = (1, 5)
_SAYS = (
    "You are given a question and numbered texts. scores has one whole number for each text, in their"
    " order: 5 answers the question, 4 answers a part of it, 3 is on the subject, 2 hardly, 1"
    " not at all."
)


class RatingScorer:
    """Scores texts by the ratings of a language model, which is asked once for all of them."""

    def __init__(self, thinker: "Thinker", name: str) -> None:
        """`name` tells the model from any other."""
        self._thinker = thinker
        self.name = name

    def scores(self, question: str, texts: "Sequence[str]") -> "Sequence[float]":
        """How well each text answers a question, from 1 to 5. Raises ModelError."""
        shown = (f"{number}. {one_space(text)[:LONGEST]}" for number, text in enumerate(texts, 1))
        data = "\n".join((f"Question: {one_space(question)}", "", *shown))
        return rated(self._thinker.ask(task(len(texts)), data), len(texts))

    def close(self) -> None:
        """Does nothing: the models are closed by whoever has made them."""


def task(number: int) -> Task:
    """What is asked of so many texts."""
    scores = list_of(whole_from(LOWEST, HIGHEST), number, number)
    return Task("rate", FAST, _SAYS, object_of(scores=scores), 200)


def rated(answer: "dict[str, Any]", number: int) -> list[int]:
    """The scores of an answer. Raises ModelError if it has not one of the scale for each text."""
    scores: list[int] = answer["scores"]
    if len(scores) != number or not all(
        type(one) is int and LOWEST <= one <= HIGHEST for one in scores
    ):
        raise ModelError("the language model did not rate every text", "use a better model")
    return scores
