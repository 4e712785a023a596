"""Ports to what rules decide today and a language model may decide in their place.

Each may be slow and may fail: none is called under the write lock or inside a read snapshot, and what it
cannot do is left out, which the answer says.
"""

from collections.abc import Sequence
from typing import Protocol


class Expander(Protocol):
    """Finds what else to search for a question. Knows nothing of stores: it runs before one is read."""

    # The seconds that it is given; 0: it takes no time to speak of, and is not interrupted.
    budget_s: float

    def expand(self, text: str) -> Sequence[str]:
        """Phrases to search beside the words of a question. Raises ModelError."""
        ...


class Reranker(Protocol):
    """Orders texts by how well they answer a question. Knows nothing of scores, stores or entries.

    It runs after the read snapshot is closed, and changes the order alone, never the relevance.
    """

    # The number of best entries that it is given, and the seconds for them.
    most: int
    budget_s: float

    def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        """The positions of the texts, the best first, each once. Raises ModelError."""
        ...
