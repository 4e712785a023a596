"""The part of a text that shows why it was found. Pure."""

from bisect import bisect_left

from bowerbird.core.pattern import re
from bowerbird.core.text import BYTES_PER_TOKEN, bare, count_tokens, is_unspaced, sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# Maximum characters of a snippet: some ten lines of text.
LENGTH = 700
# Which words match is shown by a common prefix: a term without its last three letters, at least four, and
# at most six more letters after it. Porter strips more.
_SHORTEST = 4
_DROPPED = 3
_MORE = 6
# What has so few characters is quoted whole, and the words of a sentence that says little by itself.
_QUOTED_WHOLE = 300
_BARE = 4
_AROUND = ".,;:!?()[]{}<>\"'`“”„«»…،؛؟।·"


class Finder:
    """Finds the terms of a question in folded texts.

    It searches for each prefix: a fifth of the time of testing each word; compiling a pattern per
    question costs a command .5 ms.
    """

    def __init__(self, terms: "Iterable[str]") -> None:
        # The maximum length of a word with that prefix.
        self._beginnings: dict[str, int] = {}
        rest = set()
        for term in terms:
            if is_unspaced(term):
                rest.add(term)
            elif len(term) > _SHORTEST:
                self._beginnings[stem(term)] = len(stem(term)) + _MORE
            else:
                self._beginnings.setdefault(term, len(term))
        self._rest = "|".join(map(re.escape, sorted(rest))) if rest else ""

    def spans(self, folded: str) -> "list[tuple[int, int]]":
        """Positions of terms at the start of words; a term in another script matches anywhere."""
        spans = set()
        for beginning, longest in self._beginnings.items():
            start = folded.find(beginning)
            while start >= 0:
                after = start + len(beginning)
                if not folded[start - 1 : start].isalnum():
                    # Underscores end words, as in the store.
                    end, most = after, start + longest
                    while end <= most and folded[end : end + 1].isalnum():
                        end += 1
                    if end <= most:
                        spans.add((start, end))
                start = folded.find(beginning, after)
        if self._rest:
            spans.update(found.span() for found in re.finditer(self._rest, folded))
        return sorted(spans)


def stem(term: str) -> str:
    """The prefix of a term that its other forms share; pairs of characters are shorter."""
    if len(term) == _SHORTEST and term.endswith("s") and not term.endswith("ss"):
        return term[:-1]  # plurals: keys, logs, jobs
    return term[: max(_SHORTEST, len(term) - _DROPPED)]


def matched_words(text: str, terms: Finder) -> tuple[str, ...]:
    """The distinct words of a text, as written, that match a term of the question."""
    plain = bare(text)
    if len(plain) == len(text):
        return tuple(dict.fromkeys(text[start:end] for start, end in terms.spans(plain)))
    # Where folding changes the number of letters (vowel signs, ligatures), offsets differ: then word by
    # word.
    written = (part.group().strip(_AROUND) for part in re.finditer(r"\S+", text))
    return tuple(dict.fromkeys(word for word in written if terms.spans(bare(word))))


def snippet(text: str, matched: "Collection[str]", length: int = LENGTH) -> str:
    """At most `length` characters around the densest run of matched words, cut at white space."""
    if len(text) <= length:
        return text
    offsets = sorted({offset for word in matched for offset in _offsets(text, word)})
    first = _densest(offsets, length) if offsets else 0
    start = max(0, min(first - length // 8, len(text) - length + 1))
    if start:
        start = text.find(" ", start, min(start + 40, first)) + 1 or start
    end = start + length - 1
    if end < len(text):
        space = text.rfind(" ", start + length // 2, end)
        # Without one, as in scripts without spaces: the ellipses on both sides count too.
        end = space if space >= 0 else end - bool(start)
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def cut(text: str, matched: "Collection[str]", tokens: int) -> str:
    """The text, or the part of it around the matched words that has at most `tokens` tokens."""
    text = text.strip()
    if count_tokens(text) <= tokens:
        return text
    length = tokens * BYTES_PER_TOKEN
    while length > BYTES_PER_TOKEN:
        part = snippet(text, matched, length)
        if count_tokens(part) <= tokens:
            return part
        length = length * 7 // 8
    return ""


def best_line(text: str, matched: "Collection[str]", length: int) -> str:
    """The line with the most matched words, the first if several have as many, cut around them."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    counts = [sum(word in line for word in matched) for line in lines]
    return snippet(lines[counts.index(max(counts))], matched, length) if lines else ""


def quoted(text: str, matched: "Collection[str]", most: int) -> "list[tuple[int, int]]":
    """What to quote of a text, as positions in it: all but its headings if that is short.

    Of a longer one the sentences that hold the matched words, each first that adds most to the ones
    before it; a few words ("Never on Friday.") with the sentence they follow. Without a match the first.
    """
    found, at = [], 0
    for sentence in sentences(text):
        begin = text.find(sentence, at)
        if begin >= 0:
            at = begin + len(sentence)
            found.append((begin, at))
    said = [one for one in found if not _is_heading(text[slice(*one)])] or found
    if not said:
        return []
    if said[-1][1] - said[0][0] <= _QUOTED_WHOLE:
        return [(said[0][0], said[-1][1])]
    held = [{stem(word.lower()) for word in matched if word in text[slice(*one)]} for one in said]
    chosen: set[int] = set()
    new: set[str] = set()
    for _ in range(most):
        left = [n for n in range(len(said)) if n not in chosen and held[n]]
        if not left:
            break
        best = max(left, key=lambda n: (len(held[n] - new), len(held[n]), -n))
        new |= held[best]
        chosen.add(best)
        if best and len(text[slice(*said[best])].split()) <= _BARE:
            chosen.add(best - 1)
    spans: list[tuple[int, int]] = []
    for begin, end in (said[n] for n in sorted(chosen or {0})):
        if spans and not text[spans[-1][1] : begin].strip():
            begin = spans.pop()[0]  # noqa: PLW2901 the sentence goes on the one before it
        spans.append((begin, end))
    return spans


def _is_heading(text: str) -> bool:
    return text.startswith("#") and "\n" not in text


def _offsets(text: str, word: str) -> "Iterator[int]":
    offset = text.find(word)
    while offset >= 0:
        yield offset
        offset = text.find(word, offset + len(word))


def _densest(offsets: list[int], length: int) -> int:
    """The offset from which a window of `length` contains the most of the given offsets."""
    counts = [
        bisect_left(offsets, offset + length * 3 // 4) - i for i, offset in enumerate(offsets)
    ]
    return offsets[counts.index(max(counts))]
