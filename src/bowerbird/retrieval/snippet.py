"""The part of a passage that shows why it was found. Pure."""

import re
from bisect import bisect_left

from bowerbird.core.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

LENGTH = 700
# Porter strips more, but for showing which words matched a common beginning is enough: a term less
# its last three letters, at least four, and at most six more after it.
_SHORTEST, _DROPPED, _MORE = 4, 3, 6
# A word ends at an underscore too, as in the words of the store.
_BEGIN, _END = r"(?<![^\W_])", r"(?![^\W_])"


def pattern(terms: "Iterable[str]") -> "re.Pattern[str] | None":
    """What finds the terms of a question in a folded text; None for no term."""
    stems = {
        re.escape(term)
        if not term.isascii()
        else rf"{_BEGIN}{stem(term)}[^\W_]{{0,{_MORE}}}{_END}"
        if len(term) > _SHORTEST
        else _BEGIN + term + _END
        for term in terms
    }
    return re.compile("|".join(sorted(stems))) if stems else None


def stem(term: str) -> str:
    """The beginning of a term that its other forms share."""
    return term[: max(_SHORTEST, len(term) - _DROPPED)] if term.isascii() else term


def matched_words(text: str, terms: "re.Pattern[str] | None") -> tuple[str, ...]:
    """The distinct words of a text, as written, that match a term of the question."""
    if terms is None:
        return ()
    folded = fold(text)
    # Folding may change lengths (ligatures): then the words are shown as folded.
    shown = text if len(folded) == len(text) else folded
    return tuple(
        dict.fromkeys(shown[found.start() : found.end()] for found in terms.finditer(folded))
    )


def snippet(text: str, matched: "Collection[str]", length: int = LENGTH) -> str:
    """At most `length` characters around the densest run of matched words, cut at white space."""
    if len(text) <= length:
        return text
    shown = "|".join(re.escape(word) for word in matched)
    places = [found.start() for found in re.finditer(shown, text)] if shown else []
    start = _densest(places, length) if places else 0
    start = max(0, min(start - length // 8, len(text) - length))
    if start:
        start = text.find(" ", start, start + 40) + 1 or start
    end = start + length - 1
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + length // 2)
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _densest(places: list[int], length: int) -> int:
    """The place from which a window of `length` holds the most of the places."""
    counts = [bisect_left(places, place + length * 3 // 4) - i for i, place in enumerate(places)]
    return places[counts.index(max(counts))]
