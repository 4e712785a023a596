"""Whether texts that are alike contradict each other, of which most differ in a word or two.

“Job 36021 failed”, “job 36022 failed”: a word that means nothing to any comparison may be any other such
word. So two texts are compared for all that have their form.
"""

import re
from collections import Counter
from itertools import chain

from bowerbird.core.language import NEGATIONS, STOP_WORDS
from bowerbird.lifecycle import word_classes
from bowerbird.lifecycle.contradiction import WORDS, disagree, read
from bowerbird.lifecycle.dated import may_be_dated
from bowerbird.lifecycle.duplicates import AGAIN
from bowerbird.lifecycle.reordering import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# A shorter word may be an abbreviation, a shorter number a year, a day or an amount that has a name.
_LETTERS, _DIGITS = 3, 5
_PLAIN = re.compile(
    rf"(?P<before>[(\[{{'\"`*,]*)(?:[a-z]{{{_LETTERS},}}(?<!ed)|(?P<number>[0-9]{{{_DIGITS},}}))"
    r"(?P<after>[)\]}'\"`*,][)\]}'\"`*,.]*|)"
)
_RUN = re.compile(r"[^\W_]+")
_YEARS = ("19", "20")


def _every(value: object) -> "Iterator[str]":
    """All words of a list or a table of words."""
    if isinstance(value, str):
        yield from _RUN.findall(value)
    elif isinstance(value, dict):
        yield from _every((*value, *value.values()))
    elif isinstance(value, (frozenset, tuple)):
        for one in value:
            yield from _every(one)


# The words of which some comparison asks whether a text has them, without their endings.
_KNOWN = frozenset(
    stem(word)
    for name, value in vars(word_classes).items()
    if name.isupper()
    for word in _every(value)
) | frozenset(stem(word) for word in _every((NEGATIONS, WORDS, AGAIN, *STOP_WORDS.values())))


class AlikeTexts:
    """Some texts, each compared with others of them."""

    def __init__(self, texts: "Sequence[str]") -> None:
        parts = [text.split(" ") for text in texts]
        texts_with = Counter(chain.from_iterable(map(set, parts)))
        words = Counter(chain.from_iterable(map(_words, texts_with)))
        numbers: dict[tuple[str, ...], int] = {}
        self._texts = texts
        # The form of each text, as a number, and what was found out of the texts of two forms.
        self._forms = [
            numbers.setdefault(_form(some, texts_with, words), len(numbers)) for some in parts
        ]
        self._found: dict[tuple[int, int], bool] = {}

    def disagree(self, one: int, other: int) -> bool:
        """Returns whether two of the texts contradict each other, as `disagree` does."""
        forms = self._forms[one], self._forms[other]
        found = self._found.get(forms)
        if found is None:
            ours, theirs = self._texts[one], self._texts[other]
            found = disagree(read(ours), read(theirs))
            # In a date every word counts.
            if not may_be_dated(ours) and not may_be_dated(theirs):
                self._found[forms] = found
        return found


def _words(part: str) -> "Iterable[str]":
    return map(stem, _RUN.findall(part.lower()))


def _form(parts: "list[str]", texts_with: Counter[str], words: Counter[str]) -> tuple[str, ...]:
    """The parts of a text, those with a word that no other text has and nothing knows without it."""
    form = parts
    for at, part in enumerate(parts):
        if texts_with[part] > 1:
            continue
        found = _PLAIN.fullmatch(part)
        if found is None or parts.count(part) > 1:
            continue
        (word,) = _words(part)
        number = found["number"]
        is_known = word in _KNOWN if number is None else _may_name_a_year(number)
        if words[word] == 1 and not is_known:
            form = list(form) if form is parts else form
            form[at] = f"{found['before']}\0{'0' if number else 'a'}{found['after']}"
    return tuple(form)


def _may_name_a_year(number: str) -> bool:
    return number[:2] in _YEARS or number[-4:-2] in _YEARS
