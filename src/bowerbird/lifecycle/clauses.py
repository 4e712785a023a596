"""A text as its clauses and the words that tell something, in one form, to find cues in."""

import re
from itertools import pairwise

from bowerbird.core.normal import tokens
from bowerbird.core.value import Value
from bowerbird.lifecycle.grammar import CONTRASTS, FUNCTION_WORDS
from bowerbird.lifecycle.reordering import stem

_CLAUSE = re.compile(r"[,;:.!?—–](?=\s|$)|\s-\s")


class Clauses(Value):
    """The words of one text, cut into clauses, with those that tell something in one form."""

    __slots__ = ("clauses", "content", "order", "words")

    def __init__(self, text: str) -> None:
        self.clauses = tuple(
            part for piece in _CLAUSE.split(text) for part in _parts(tokens(piece))
        )
        self.words = tuple(word for part in self.clauses for word in part if tells(word))
        self.order = tuple(form(word) for word in self.words)
        self.content = frozenset(self.order)


def _parts(words: tuple[str, ...]) -> "list[tuple[str, ...]]":
    """A clause, cut where it turns to what is instead."""
    cut = [at for at, word in enumerate(words) if word in CONTRASTS]
    edges = [0, *cut, len(words)]
    return [words[a:b] for a, b in pairwise(edges) if b > a]


def tells(word: str) -> bool:
    """Whether a word says what about, and is none of grammar."""
    return word not in FUNCTION_WORDS and not word.startswith(("'", "n'"))


def form(word: str) -> str:
    """A word in one form for singular and plural, and the forms of a regular verb."""
    word = word.removesuffix("'s")
    word = word[:-3] if word.endswith("ing") and len(word) > 5 else word  # noqa: PLR2004 - what is left
    word = stem(word) if word.isascii() else word
    return word[:-1] if word.endswith("y") and len(word) > 3 else word.removesuffix("i")  # noqa: PLR2004


def find(clause: tuple[str, ...], cues: "tuple[tuple[str, ...], ...]") -> tuple[int, int]:
    """Where the first of some cues begins and ends, or -1 twice."""
    for at in range(len(clause)):
        for cue in cues:
            if clause[at : at + len(cue)] == cue:
                return at, at + len(cue)
    return -1, -1


def value(words: tuple[str, ...], ends: frozenset[str]) -> tuple[str, ...]:
    """The words that tell something up to one that begins another part."""
    end = next((at for at, word in enumerate(words) if at and word in ends), len(words))
    return tuple(word for word in words[:end] if tells(word))
