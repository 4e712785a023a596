"""The words that tell most about a text: those it dwells on and few others have."""

import re
from collections import Counter

from bowerbird.core.text import together, words
from bowerbird.lifecycle.grammar import FILLERS, NEGATIONS, OPENERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_KEYWORDS = 8
# What stands for a secret says nothing of the text.
_MARK = re.compile(r"\[REDACTED:[a-z0-9-]{1,40}\]")
SHORTEST = 3
_GRAMMAR = (
    FILLERS
    | NEGATIONS
    | OPENERS
    | frozenset(
        "and or but are is was were be been being has have had do does did can could may might must"
        " shall should will would use used uses using this that these those there their they them"
        " then than its our your his her she you who which what how why where into over out off"
        " all any each more most other some such only own same very now here about again".split()
    )
)


def terms(text: str) -> tuple[str, ...]:
    """The words of a text that carry its topic, each once, in their order."""
    return tuple(
        dict.fromkeys(
            word
            for word in words(_MARK.sub(" ", text))
            if word not in _GRAMMAR
            and (len(word) >= SHORTEST or not word.isascii())
            and not word.isdigit()
        )
    )


def keywords(text: str, counts: "Mapping[str, int]") -> tuple[str, ...]:
    """Up to eight of them, the most telling first; `counts` says how many entries hold a word."""
    names = together(_MARK.sub(" ", text))
    parts = {part for each in names.values() for part in each}
    topic = dict.fromkeys((*names, *(term for term in terms(text) if term not in parts)))
    # Counted once: a text of ten thousand different words would be walked through for each.
    often = Counter(words(text))
    # The sort is stable: of words that tell as much, the first to stand there stays first.
    ranked = sorted(topic, key=lambda word: counts.get(word, 0) / max(often[word], 1))
    return tuple(ranked[:MOST_KEYWORDS])
