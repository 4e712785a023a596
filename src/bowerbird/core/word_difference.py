"""Which words of two texts differ, as positions of characters. Pure."""

import re
from difflib import SequenceMatcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Begin and end of a run of characters.
    Span = tuple[int, int]

# A word with its numbers and dots, a number with what parts its thousands or decimals (10,000), or one
# sign; blanks do not count as a difference.
_NAMED = re.compile(r"([^\W\d_]{3,})[\s:=]+(?:is |was |of )?(\d[\d.,]*\d|\d)(?![\w-])")
_PARTS = re.compile(r"[^\W_]+(?:(?:[._'’/-]|(?<=\d)[,\u202f\xa0](?=\d))[^\W_]+)*|[^\w\s]|_")


def differing(old: str, new: str) -> "tuple[tuple[Span, ...], tuple[Span, ...]]":
    """The runs of words that only the old and only the new text have, in the order of each."""
    both = [[found.span() for found in _PARTS.finditer(text)] for text in (old, new)]
    words = [
        [text[start:end] for start, end in parts]
        for text, parts in zip((old, new), both, strict=True)
    ]
    gone: list[Span] = []
    come: list[Span] = []
    for tag, a, b, c, d in SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes():
        if tag != "equal":
            gone += [(both[0][a][0], both[0][b - 1][1])] if b > a else []
            come += [(both[1][c][0], both[1][d - 1][1])] if d > c else []
    return tuple(gone), tuple(come)


def another_number(text: str, other: str) -> "tuple[str, str] | None":
    """What has one number in each of two texts, and another one: "port 6380", "port 6432".

    A word right before the number names it. Whether both hold, as of two rooms, is for a reader to say.
    """
    ours, theirs = (_numbered(one) for one in (text, other))
    for word, numbers in ours.items():
        if len(numbers) == len(theirs.get(word, ())) == 1 and numbers != theirs[word]:
            return f"{word} {numbers[0]}", f"{word} {theirs[word][0]}"
    return None


def _numbered(text: str) -> "dict[str, list[str]]":
    found: dict[str, list[str]] = {}
    for word, number in _NAMED.findall(text):
        numbers = found.setdefault(word.casefold(), [])
        if number not in numbers:
            numbers.append(number)
    return found
