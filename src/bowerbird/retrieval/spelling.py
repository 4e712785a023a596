"""A misspelt word of the question, read as the nearest word of the store's own vocabulary.

Only a word that the store does not hold in any form is looked at, and one that is a word of its own is
left as it is: "serve" is no misspelt "server", "wann" no "wan". On misspelt copies of five sets
R@10 then falls by .001 to .027, where full text alone loses .075 to .182; on the sets as they are
nothing changes.
"""

from bowerbird.core.language import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bowerbird.core.ports.reading import Words

# Shorter words have too many neighbours; from eight letters on two slips are one word.
SHORTEST = 4
# Nobody types longer words. What is one slip away grows with the square of a word's length: of a word
# of 16,000 letters it is more than 13 GB.
LONGEST = 45
# A question with more of them is not misspelt but foreign, or a pasted page.
MOST = 8
TWO_SLIPS_FROM = 8
_SLIPS = 2
# One slip makes another word of most short ones: "cobol" is no misspelt "cool", "rust" no "trust". They
# are read as another only where fingers slip so, and the first letter stands.
ANY_SLIP_FROM = 6
# Each is a question to the store; mostly the first one stands.
MOST_TRIED = 8
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Letters side by side on a keyboard, row by row; each row begins half a key further right.
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# A question may have words of several languages in it: none of these is misspelt in any.
_OF_GRAMMAR = frozenset().union(*STOP_WORDS.values())
# The languages whose words `is_word` knows: of others nobody knows which are misspelt.
_KNOWN = ("en", "")


def corrections(
    asked: "Iterable[str]",
    counts: "Mapping[str, int]",
    words: "Words",
    stands: "Callable[[str], bool]",
    language: str = "en",
    is_word: "Callable[[str], bool]" = lambda _word: False,
) -> dict[str, str]:
    """For each misspelt word the word it is read as; words without a near one are left out.

    `stands` tells whether a word can be found by who asks: a word of another project would find
    nothing, and is none of the asker's business. `language` is the question's, and `is_word` tells
    what is spelt right. In a language whose words it does not know a word is read as another one only
    where fingers slip so: "passen" is no misspelt "passed".
    """
    unknown = [word for word in asked if word not in counts and _may_be_misspelt(word)]
    if len(unknown) > MOST:
        return {}
    known = words.forms_held(unknown) if unknown else set()
    foreign = language not in _KNOWN
    doubted = [word for word in unknown if word not in known and not is_word(word)]
    slips = {word: likely_slip(word) if foreign else _slips(word) for word in doubted}
    near = words.counts(frozenset().union(*slips.values())) if slips else {}
    found = {}
    for word, slipped in slips.items():
        nearest = best(word, {term: near[term] for term in slipped & near.keys()}, stands)
        if nearest is None and not foreign and len(word) >= TWO_SLIPS_FROM:
            vocabulary = words.beginning_with(word[0], len(word) - 2, len(word) + 2)
            nearest = best(word, within_two(word, vocabulary), stands)
        if nearest is not None:
            found[word] = nearest
    return found


def _may_be_misspelt(word: str) -> bool:
    fits = SHORTEST <= len(word) <= LONGEST
    return fits and word.isascii() and word.isalpha() and word not in _OF_GRAMMAR


def _slips(word: str) -> set[str]:
    if len(word) < ANY_SLIP_FROM:
        return likely_slip(word)
    slips = one_slip(word)
    if len(word) >= TWO_SLIPS_FROM:
        return slips
    swapped = word[1] + word[0] + word[2:]
    return {one for one in slips if one[0] == word[0] or one == swapped}


def likely_slip(word: str) -> set[str]:
    """Every text with the same first letter that was meant where one finger slipped.

    Two letters were swapped, one left out or doubled, or the key beside it was hit, in its place or too.
    """
    first, rest = word[0], word[1:]
    halves = [(rest[:i], rest[i:]) for i in range(len(rest) + 1)]
    swapped = {a + b[1] + b[0] + b[2:] for a, b in halves if b[1:]}
    left_out = {a + letter + b for a, b in halves for letter in _LETTERS}
    beside = {a + letter + b[1:] for a, b in halves if b for letter in _beside(b[0])}
    around = [(i, (first + rest)[i : i + 3 : 2]) for i in range(len(rest))]
    too = {
        rest[:i] + rest[i + 1 :]
        for i, others in around
        if rest[i] in others or not _beside(rest[i]).isdisjoint(others)
    }
    return {first + one for one in swapped | left_out | beside | too} - {word}


def _beside(letter: str) -> set[str]:
    """The keys beside a letter's: left and right, above and below."""
    found: set[str] = set()
    for number, row in enumerate(_ROWS):
        at = row.find(letter)
        if at >= 0:
            found.update(row[max(at - 1, 0) : at + 2])
            found.update(*(above[at : at + 2] for above in _ROWS[:number][-1:]))
            found.update(*(below[max(at - 1, 0) : at + 1] for below in _ROWS[number + 1 :][:1]))
    return found - {letter}


def one_slip(word: str) -> set[str]:
    """Every text one slip away: a letter dropped, doubled, changed, or two swapped."""
    halves = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    dropped = {a + b[1:] for a, b in halves if b}
    swapped = {a + b[1] + b[0] + b[2:] for a, b in halves if b[1:]}
    changed = {a + letter + b[1:] for a, b in halves if b for letter in _LETTERS}
    added = {a + letter + b for a, b in halves for letter in _LETTERS}
    return (dropped | swapped | changed | added) - {word}


def best(word: str, near: "Mapping[str, int]", stands: "Callable[[str], bool]") -> str | None:
    """Of words equally near, one with the same first letter, then the most common one that stands."""
    ranked = sorted(near, key=lambda term: (term[0] == word[0], near[term], term), reverse=True)
    return next((term for term in ranked[:MOST_TRIED] if stands(term)), None)


def within_two(word: str, vocabulary: "Mapping[str, int]") -> dict[str, int]:
    """The words at optimal string alignment distance 2 or less.

    Almost all of a vocabulary are told by their letters alone: 2 µs a word, where loading a library that
    compares takes as long as a bare interpreter does.
    """
    letters = frozenset(word)
    found = {}
    for term, count in vocabulary.items():
        others = frozenset(term)
        few = len(letters - others) <= _SLIPS and len(others - letters) <= _SLIPS
        if few and slips_apart(word, term) <= _SLIPS:
            found[term] = count
    return found


def slips_apart(one: str, other: str) -> int:
    """How many letters to drop, add, change or swap with the next one, none of them twice."""
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        earlier, before, row = before, row, [at]
        for column, against in enumerate(other, 1):
            least = min(
                before[column] + 1, row[column - 1] + 1, before[column - 1] + (letter != against)
            )
            swapped = (
                at > 1 and column > 1 and letter == other[column - 2] and one[at - 2] == against
            )
            row.append(min(least, earlier[column - 2] + 1) if swapped else least)
    return row[-1]
