"""Says a question in other words, and imagines its answer, by a language model."""

from bowerbird.core.thinking import LITE, Task, list_of, object_of, text_of
from bowerbird.guard.supported import identifiers, one_space

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.ports.thinking import Thinker

MOST = 3
MOST_WORDS = 12
LONGEST_PHRASE = 80
# Characters of an imagined answer: two sentences.
LONGEST = 400
# What a query would take for an operator.
_OPERATORS = frozenset(("AND", "OR", "NOT"))
_SIGNS = frozenset('*"()')
TASK = Task(
    "expand",
    LITE,
    "You help to find notes about a software project. phrases are at most three other ways to ask the"
    " question, in the words that somebody who noted the answer may have used: synonyms, the technical"
    " term, the error's name. At most twelve words each, in the language of the question. Keep names,"
    " paths and identifiers exactly as they are. No operators, no quotation marks.",
    object_of(phrases=list_of(text_of(LONGEST_PHRASE), MOST)),
    120,
)
IMAGINE = Task(
    "hyde",
    LITE,
    "You are given a question about a software project. passage is what a note that answers it might say,"
    " in two sentences and in the language of the question. It is only compared with notes, never shown.",
    object_of(passage=text_of(LONGEST)),
    160,
)


class ModelExpander:
    """The expander that asks."""

    budget_s = 15.0

    def __init__(self, thinker: "Thinker") -> None:
        self._thinker = thinker

    def expand(self, text: str) -> "Sequence[str]":
        """Other ways to ask a question. Raises ModelError."""
        return phrased(self._thinker.ask(TASK, text), text)

    def imagine(self, text: str) -> str:
        """What an answer might say. Raises ModelError."""
        return one_space(self._thinker.ask(IMAGINE, text)["passage"])[:LONGEST]


def phrased(answer: "dict[str, Any]", question: str) -> list[str]:
    """The phrases of an answer that only say the question in other words."""
    asked = identifiers(question)
    found = []
    for phrase in map(one_space, answer["phrases"][:MOST]):
        words = phrase.split()
        plain = not _SIGNS & {*phrase} and not _OPERATORS & {*words}
        # An identifier that the question has not is another thing, or the same in another spelling.
        if words and plain and len(words) <= MOST_WORDS and identifiers(phrase) <= asked:
            found.append(phrase)
    return found
