"""The part of a passage that shows why it was found. Pure."""

import re

from bowerbird.core.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

LENGTH = 700
_WORD = re.compile(r"\w+")
# Porter strips more, but for showing which words matched a common beginning is enough.
_STEM = 4


def matched_words(text: str, terms: "Collection[str]") -> tuple[str, ...]:
    """The distinct words of a text, as written, that match a term of the question."""
    stems = {term[: max(_STEM, len(term) - 3)] for term in terms}
    found: dict[str, None] = {}
    for word in _WORD.findall(text):
        folded = fold(word)
        near = folded in terms or any(
            folded.startswith(stem) and len(folded) <= len(stem) + 6 and len(stem) >= _STEM
            for stem in stems
        )
        unspaced = not folded.isascii() and any(term in folded for term in terms)
        if near or unspaced:
            found[word] = None
    return tuple(found)


def snippet(text: str, matched: "Collection[str]", length: int = LENGTH) -> str:
    """At most `length` characters around the densest run of matched words, cut at white space."""
    if len(text) <= length:
        return text
    wanted = set(matched)
    places = [match.start() for match in _WORD.finditer(text) if match.group() in wanted]
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
    counts = [
        sum(1 for other in places[i:] if other < place + length * 3 // 4)
        for i, place in enumerate(places)
    ]
    return places[counts.index(max(counts))]
