"""Spelling correction: unknown words of a query are replaced by the nearest word that the store contains.

Only words that the store contains in no form are candidates, and correct words are left alone: "serve"
is not a misspelt "server", "wann" not "wan". On misspelt copies of five data sets R@10 then falls by
.001 to .027, against .075 to .182 with full text alone; on the original sets nothing changes.
"""

from bowerbird.core.language import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bowerbird.core.ports.reading import Words

# Shorter words have too many neighbours; from eight letters on, two typos still identify a word.
SHORTEST = 4
# Longer words are not typed. The texts one edit away take memory with the square of the length: of 16,000
# letters, more than 13 GB.
LONGEST = 45
# A query with more unknown words is not misspelt but foreign, or a pasted page.
MOST = 8
TWO_SLIPS_FROM = 8
_SLIPS = 2
# Below this length one edit turns most words into another word ("cobol" is not a misspelt "cool", "rust"
# not "trust"), so only likely typos that keep the first letter are corrected.
ANY_SLIP_FROM = 6
# Each candidate costs one lookup in the store; the first usually succeeds.
MOST_TRIED = 8
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Keyboard rows; each row is shifted right by half a key.
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# A query may mix languages: a function word of any language is not misspelt.
_OF_GRAMMAR = frozenset().union(*STOP_WORDS.values())
# The languages whose words `is_word` knows.
_KNOWN = ("en", "")


def corrections(
    asked: "Iterable[str]",
    counts: "Mapping[str, int]",
    words: "Words",
    stands: "Callable[[str], bool]",
    language: str = "en",
    is_word: "Callable[[str], bool] | None" = lambda _word: False,
) -> tuple[dict[str, str], dict[str, int]]:
    """The replacement of each misspelt word, and the replacements' counts.

    Words without a near one are left out.

    `stands` is whether the caller's queries can find a word: a word of another project would find
    nothing, and must not be disclosed. `language` is the query's; `is_word` accepts correct
    spellings. In a language that `is_word` does not cover, only likely typos are corrected: "passen"
    is not a misspelt "passed". Without `is_word` every unknown word counts as misspelt, by any slip.
    """
    unknown = [word for word in asked if word not in counts and _may_be_misspelt(word)]
    some = unknown if len(unknown) <= MOST else []
    doubted = [word for word in some if is_word is None or not is_word(word)]
    if not doubted:
        return {}, {}
    foreign = language not in _KNOWN and is_word is not None
    slip = likely_slip if foreign else one_slip if is_word is None else _slips
    slips = {word: slip(word) for word in doubted}
    known, near = words.known_forms(doubted, frozenset().union(*slips.values()))
    found = {}
    for word, slipped in slips.items():
        if word in known:
            continue
        nearest = best(word, {term: near[term] for term in slipped & near.keys()}, stands)
        if nearest is None and not foreign and len(word) >= TWO_SLIPS_FROM:
            vocabulary = words.beginning_with(word[0], len(word) - 2, len(word) + 2)
            near |= vocabulary
            nearest = best(word, within_two(word, vocabulary), stands)
        if nearest is not None:
            found[word] = nearest
    return found, {term: near[term] for term in found.values()}


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
    """All texts with the same first letter that `word` may be a likely typo of.

    Typos: two letters swapped, one left out or doubled, an adjacent key hit instead of or beside the
    right one.
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
    """The letters on adjacent keys: left, right, above and below."""
    found: set[str] = set()
    for number, row in enumerate(_ROWS):
        at = row.find(letter)
        if at >= 0:
            found.update(row[max(at - 1, 0) : at + 2])
            found.update(*(above[at : at + 2] for above in _ROWS[:number][-1:]))
            found.update(*(below[max(at - 1, 0) : at + 1] for below in _ROWS[number + 1 :][:1]))
    return found - {letter}


def one_slip(word: str) -> set[str]:
    """All texts one edit away: a letter deleted, inserted or changed, or two adjacent ones swapped."""
    halves = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    dropped = {a + b[1:] for a, b in halves if b}
    swapped = {a + b[1] + b[0] + b[2:] for a, b in halves if b[1:]}
    changed = {a + letter + b[1:] for a, b in halves if b for letter in _LETTERS}
    added = {a + letter + b for a, b in halves for letter in _LETTERS}
    return (dropped | swapped | changed | added) - {word}


def best(word: str, near: "Mapping[str, int]", stands: "Callable[[str], bool]") -> str | None:
    """The best of equally near words that `stands`: same first letter first, then the most frequent."""
    ranked = sorted(near, key=lambda term: (term[0] == word[0], near[term], term), reverse=True)
    return next((term for term in ranked[:MOST_TRIED] if stands(term)), None)


def within_two(word: str, vocabulary: "Mapping[str, int]") -> dict[str, int]:
    """The words at optimal string alignment distance 2 or less, with their counts.

    Comparing the sets of letters first rejects almost all of a vocabulary: 2 µs a word. Importing a
    library for edit distances takes as long as starting the interpreter.
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
    """The optimal string alignment distance of two words."""
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
