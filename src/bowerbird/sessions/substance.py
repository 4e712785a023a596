"""What a text says besides courtesies, times and grammar, and whether another one says it. Pure."""

from functools import cache

from bowerbird.core.language import COURTESIES
from bowerbird.core.pattern import late
from bowerbird.core.text import fold, words
from bowerbird.lifecycle.word_classes import ADOPTS, NUMBERS, SMALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.lifecycle.wording import Word

# What says no more than that something is wanted, and how firmly; a statement is about so much besides.
# Of 180 pairs of notes none is taken for the same, though 25 say the same in quite other words.
_FIRMLY = ADOPTS | {"ever", "bitte"}
_FEWEST = 2
_RELATES = frozenset(
    "before after than over instead rather from into vor nach bevor statt avant apres antes despues prima"
    " dopo voor na depois".split()
)
# What is over, behind the word that says so.
FORMER = late(
    r"(?i)(?:\b(?:not|instead of|rather than|no longer|nicht(?: mehr)?|(?:an)?statt|anstelle von|pas|plus"
    r"|au lieu de|en (?:lugar|vez) de|invece di|em vez de|in plaats van|ipv|i\.p\.v\.|niet(?: meer)?"
    r"|kein\w*(?=\s\S+\smehr\b)|geen(?=\s\S+\smeer\b)|no more)|≠)\s+"
    r"(?:(?:the|de[nmr]|die|das|le|la|el|il|o|het|on|by|with|to|auf|mit|von)\s+)?"
    r"(?P<value>(?:[^\s,;:!?()]|(?<=\d):(?=\d))*[^\s,;:!?().])"
)
# Shorter stems are of one word only if they are the same.
_FEWEST_LETTERS = 4
# The letters of a word that every stem of it has, what stands around one, and words that have no stem, or
# another one in digits.
_FIRST = 3
_JOINING = str.maketrans("", "", "/._")
_AROUND = ".,;:!?'\"“”’()"
_UNSURE = SMALL | NUMBERS.keys()


@cache
def _firmly() -> frozenset[str]:
    from bowerbird.lifecycle.wording import root

    return frozenset(map(root, _FIRMLY))


def _words(text: str) -> "tuple[Word, ...]":
    from bowerbird.lifecycle.wording import wording  # start-up: few rules are compared by stems

    return wording(text).words


def substance(text: str) -> frozenset[str]:
    """Return the stems of what a text is about; few or none for a greeting or a farewell."""
    return frozenset(
        word.root
        for word in _words(text)
        if not (word.small or word.day or word.text in COURTESIES)
    )


def given_up(text: str) -> list[str]:
    """Return what a statement says is over, folded: npm of "pnpm, not npm"."""
    return [fold(found["value"]) for found in FORMER.finditer(text)]


def alike(stem: str, other: str) -> bool:
    """Return whether two stems are of one word: spelling alone cuts endings ("migratio", "migration")."""
    if min(len(stem), len(other)) < _FEWEST_LETTERS:
        return stem == other
    return stem.startswith(other) or other.startswith(stem)


def shared(stems: frozenset[str], others: frozenset[str]) -> int:
    """Return how many of some stems are of words that others are of, too."""
    return sum(any(alike(stem, one) for one in others) for stem in stems)


def stated(text: str) -> tuple[bool, frozenset[str]]:
    """Return what a statement says, to compare it with others: whether it denies, stems and numbers."""
    said = _words(text)
    stems = frozenset(word.number or word.root for word in said if not word.small)
    return any(word.negates for word in said), stems


def same_rule(one: str, other: str) -> bool:
    """Return whether two statements ask for the same, in whatever order and however firmly.

    "Never push directly to main", "don't ever push to main directly".
    """
    (denies, stems), (denies_too, others) = stated(one), stated(other)
    ours, theirs = stems - _firmly(), others - _firmly()
    if denies != denies_too or min(len(ours), len(theirs)) < _FEWEST:
        return False
    if not len(ours) == len(theirs) == shared(ours, theirs) == shared(theirs, ours):
        return False
    # "The tests before the build" is another order of the same words.
    first, second = map(_words, (one, other))
    if _RELATES.isdisjoint(word.text for word in first):
        return True
    left, right = (
        [word.root for word in some if word.root in stems]
        for some, stems in ((first, ours), (second, theirs))
    )
    return len(left) == len(right) and all(map(alike, left, right))


def first_letters(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return how words begin that another statement has to have if this says no more, and how all do.

    Cheaper than stems, of which they are the beginnings: most statements are told apart by them.
    """
    found = set()
    for word in text.split():
        bare = word.strip(_AROUND).lower()
        if len(bare) > _FIRST and bare.isascii() and bare not in _UNSURE and _is_plain(bare):
            found.add(bare[:_FIRST])
    return frozenset(found), frozenset(word[:_FIRST] for word in words(text))


def _is_plain(word: str) -> bool:
    """Return whether the stem of a word is of its letters, as a path's is; a number has another one."""
    return word.isalpha() or (word[:_FIRST].isalpha() and word.translate(_JOINING).isalpha())


def within(one: tuple[bool, frozenset[str]], other: tuple[bool, frozenset[str]]) -> bool:
    """Return whether a statement says nothing that another one does not."""
    (denies, stems), (denies_too, more) = one, other
    if denies != denies_too or stems.isdisjoint(more):
        return False
    # A session's start compares each of its rules with all others: most pairs end at the first letters.
    starts = {known[:_FEWEST_LETTERS] for known in more}
    return all(
        stem[:_FEWEST_LETTERS] in starts and any(alike(stem, known) for known in more)
        for stem in stems - more
    )
