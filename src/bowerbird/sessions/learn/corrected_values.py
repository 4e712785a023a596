"""Values that a person corrects in so few words that the subject is missing: "no, 6500". Pure.

The subject is that of something they said before, if they deny its value ("6500, not 6432"), or if the
agent or their last prompt has just named it. The result is what they said before, with the other value in
its place.
"""

import re

from bowerbird.core.text import fold
from bowerbird.lifecycle.word_classes import CALENDAR, CHANGES, NUMBERS
from bowerbird.lifecycle.wording import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol, TypeVar

    class Said(Protocol):
        """Something that a person said before."""

        @property
        def text(self) -> str:
            """In their words."""

    AnySaid = TypeVar("AnySaid", bound=Said)

# In words; longer sentences name their subject.
_LONGEST = 10
_TOKEN = re.compile(r"[^\s,;!?()\"“”]*[^\s,;!?()\"“”.:]")
_CONTRACTED = re.compile(r"['’](?:s|re|ve|ll|m|d)\b")
# Before a value that is denied.
_DENIES = re.compile(
    r"(?:\b(?:not|instead of|rather than|nicht|statt|pas|no)|,?\s*≠)\s+(\S*[^\s.,;!?])\W*$"
)
# Options among which a number chooses.
_CHOICE = re.compile(r"(?m)^\s*\(?1[.):]")
# Another number has about as many digits: "2" chooses the second of some options.
_LONGER = 1
# What stands beside a value that is put right, and says nothing itself.
_PUTS_RIGHT = frozenset(
    "actually bad correction make mean meant mistake oops rather sorry typo wrong"
    " eigentlich entschuldigung falsch meine meinte quatsch vertippt"
    " desole erreur pardon plutot perdon quise error".split()
)
_CUES = _PUTS_RIGHT | {word for cue in CHANGES for word in cue.split()}
_NUMBER = re.compile(r"[v$€£]?\d")
NUMBER, DAY, PATH, NAME, WORD = "number", "day", "path", "name", "word"


def corrected_value(
    sentence: str, before: str, said: "Iterable[AnySaid]"
) -> "tuple[AnySaid, str] | None":
    """Return which of `said` a sentence corrects, and its text with the other value; None if none.

    `before` is what the agent wrote and ran since the prompt before; a value of it that several memories
    name is corrected in none.
    """
    if len(sentence.split()) > _LONGEST or "?" in sentence:
        return None
    text = _CONTRACTED.sub("", sentence)
    denial = _DENIES.search(text)
    denied = fold(denial[1]) if denial is not None and denial.start() else ""
    named = {fold(one) for one in _TOKEN.findall(before)}
    found = []
    for entry in said:
        tokens = _TOKEN.findall(entry.text)
        values = _values(text, denied, f"{entry.text} {before}")
        if len(values) != 1:
            continue
        sort = sort_of(values[0])
        if denied:
            old = [one for one in tokens if fold(one) == denied]
        else:
            old = [one for one in tokens if sort_of(one) == sort != WORD and fold(one) in named]
            old = [
                one
                for one in old
                if sort != NUMBER or abs(_digits(one) - _digits(values[0])) <= _LONGER
            ]
        if len({*old}) == 1:
            found.append((entry, _put(entry.text, old[0], values[0])))
    return found[0] if len(found) == 1 else None


def sort_of(token: str) -> str:
    """Return the sort of a value: a number, a path, a name as of a host or a package, or a word."""
    if _NUMBER.match(token) or fold(token) in NUMBERS:
        return NUMBER
    if fold(token).removesuffix("s") in CALENDAR:
        return DAY
    if "/" in token:
        return PATH
    return WORD if token.isalpha() else NAME


def _values(text: str, denied: str, known_words: str) -> list[str]:
    """Return the words of a sentence that could be a value; none if it says anything else.

    Words that are known may be repeated, such as those of a unit.
    """
    known = wording(known_words).roots
    small = {
        word.text
        for word in wording(text).words
        if (word.small and word.number in ("", "1"))
        or word.negates
        or word.text in _CUES
        or word.root in known
    }
    tokens = [one for one in _TOKEN.findall(text) if fold(one) not in {*small, denied}]
    if sort_of(denied) == NUMBER:
        # Of "make it 12 hours instead of 6" the number alone is a value.
        tokens = [one for one in tokens if sort_of(one) == NUMBER]
    return tokens if len(tokens) == 1 else []


def answers(sentence: str, reply: str) -> bool:
    """Return whether a value is rather the answer to a question of a reply than a correction."""
    asks = "?" in reply or _CHOICE.search(reply) is not None
    return asks and not any(word.negates for word in wording(sentence).words)


def _digits(number: str) -> int:
    return len(NUMBERS.get(fold(number), number))


def _put(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w/]){re.escape(old)}(?![\w/])", lambda _: new, text)
