"""The part of a passage that shows why it was found. Pure."""

import re
from bisect import bisect_left

from bowerbird.core.text import bare, is_unspaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

LENGTH = 700
# Porter strips more, but for showing which words matched a common beginning is enough: a term less
# its last three letters, at least four, and at most six more after it.
_SHORTEST, _DROPPED, _MORE = 4, 3, 6
# A word ends at an underscore too, as in the words of the store.
_WORD = r"[^\W_]+"
_AROUND = ".,;:!?()[]{}<>\"'`“”„«»…،؛؟।·"


class Finder:
    """Finds the terms of a question in folded texts.

    Word by word where the terms are plain letters: a pattern made for one question costs a cold
    command .5 ms, and a process that stays as much for each.
    """

    def __init__(self, terms: "Iterable[str]") -> None:
        self._whole, stems, rest = set(), set(), set()
        for term in terms:
            if is_unspaced(term):
                rest.add(term)
            elif len(term) > _SHORTEST:
                stems.add(stem(term))
            else:
                self._whole.add(term)
        self._stems = tuple(stems)
        self._rest = "|".join(map(re.escape, sorted(rest)))

    def spans(self, folded: str) -> "list[tuple[int, int]]":
        """Where terms stand, by their beginnings; a term of another script anywhere."""
        spans = [
            found.span() for found in re.finditer(_WORD, folded) if self._is_wanted(found.group())
        ]
        if self._rest:
            spans += [found.span() for found in re.finditer(self._rest, folded)]
            spans.sort()
        return spans

    def _is_wanted(self, word: str) -> bool:
        if word in self._whole:
            return True
        return word.startswith(self._stems) and any(
            word.startswith(beginning) and len(word) <= len(beginning) + _MORE
            for beginning in self._stems
        )


def stem(term: str) -> str:
    """The beginning of a term that its other forms share; pairs of characters are shorter."""
    return term[: max(_SHORTEST, len(term) - _DROPPED)]


def matched_words(text: str, terms: Finder) -> tuple[str, ...]:
    """The distinct words of a text, as written, that match a term of the question."""
    plain = bare(text)
    if len(plain) == len(text):
        return tuple(dict.fromkeys(text[start:end] for start, end in terms.spans(plain)))
    # Letters less or more (vowel signs, ligatures) are other places: then word by word.
    written = (part.group().strip(_AROUND) for part in re.finditer(r"\S+", text))
    return tuple(dict.fromkeys(word for word in written if terms.spans(bare(word))))


def snippet(text: str, matched: "Collection[str]", length: int = LENGTH) -> str:
    """At most `length` characters around the densest run of matched words, cut at white space."""
    if len(text) <= length:
        return text
    places = sorted({place for word in matched for place in _places(text, word)})
    start = _densest(places, length) if places else 0
    start = max(0, min(start - length // 8, len(text) - length))
    if start:
        start = text.find(" ", start, start + 40) + 1 or start
    end = start + length - 1
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + length // 2)
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _places(text: str, word: str) -> "Iterator[int]":
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + len(word))


def _densest(places: list[int], length: int) -> int:
    """The place from which a window of `length` holds the most of the places."""
    counts = [bisect_left(places, place + length * 3 // 4) - i for i, place in enumerate(places)]
    return places[counts.index(max(counts))]
