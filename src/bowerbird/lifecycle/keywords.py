"""Keywords of a text: words that are frequent in it and rare in the store (tf-idf without logarithms)."""

from collections import Counter

from bowerbird.core.language import NEGATIONS
from bowerbird.core.text import together, words
from bowerbird.guard.redact import without_marks
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.word_classes import FILLERS, OPENERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_KEYWORDS = 8
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


@prepared
def terms(text: str) -> tuple[str, ...]:
    """Returns the content words of a text, each once, in order."""
    return tuple(
        dict.fromkeys(
            word
            for word in words(without_marks(text))
            if word not in _GRAMMAR
            and (len(word) >= SHORTEST or not word.isascii())
            and not word.isdigit()
        )
    )


def keywords(text: str, counts: "Mapping[str, int]") -> tuple[str, ...]:
    """Returns up to eight keywords, the best first; `counts` is the number of entries with each word."""
    names = together(without_marks(text))
    parts = {part for each in names.values() for part in each}
    topic = dict.fromkeys((*names, *(term for term in terms(text) if term not in parts)))
    # Counted once for all: counting each word separately is quadratic in long texts.
    frequencies = Counter(words(text))
    # The sort is stable: words of equal score stay in the order of the text.
    ranked = sorted(topic, key=lambda word: counts.get(word, 0) / max(frequencies[word], 1))
    return tuple(ranked[:MOST_KEYWORDS])
