"""Vocabulary and token arrays for training the built-in embedder.

Words are split as by the product (`bowerbird.core.text.words`) and into word pieces by greedy longest
match as by `StaticEmbedder`, so that training and use agree.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from bowerbird.core.text import sentences, words
from bowerbird.models.embed.static import LONGEST_WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

# A usable piece: folded Latin letters and digits. The teacher's vocabulary knows too little of anything
# else that `words` returns to justify rows.
_USABLE = re.compile(r"(##)?[a-z0-9ßæøđħłœþ]+")


def usable_pieces(vocabulary: Iterable[str]) -> list[str]:
    """The teacher's word pieces that can occur in folded words, in its order (by frequency)."""
    return [piece for piece in vocabulary if _USABLE.fullmatch(piece)]


class Pieces:
    """Greedy longest-match word pieces with a cache; unknown characters are skipped."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.rows = {piece: row for row, piece in enumerate(vocabulary)}
        self._cache: dict[str, tuple[int, ...]] = {}

    def of(self, word: str) -> tuple[int, ...]:
        """The rows of a folded word; empty if no part of it is known."""
        rows = self._cache.get(word)
        if rows is None:
            rows = self._cache[word] = tuple(self._cut(word[:LONGEST_WORD]))
        return rows

    def _cut(self, word: str) -> Iterable[int]:
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                row = self.rows.get(word[start:end] if start == 0 else "##" + word[start:end])
                if row is not None:
                    yield row
                    start = end
                    break
            else:
                start += 1


def frequent_words(
    blocks: Iterable[dict[str, Any]], known: set[str], count: int, spread: int = 5
) -> list[str]:
    """The most frequent whole words that the pieces would split.

    A word qualifies if `spread` packages use it; within one package at most 200 occurrences count, so
    that no package dominates.
    """
    used: dict[str, Counter[str]] = defaultdict(Counter)
    for block in blocks:
        found = used[block["s"]]
        for paragraph in block["p"]:
            found.update(words(paragraph))
    total: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    for counts in used.values():
        for word, times in counts.items():
            if times > 1 and word not in known and 3 <= len(word) <= 20 and word.isalpha():
                total[word] += min(times, 200)
                packages[word] += 1
    ranked = (word for word, _ in total.most_common() if packages[word] >= spread)
    return list(islice(filter(_USABLE.fullmatch, ranked), count))


class Corpus:
    """All training text as flat arrays.

    `tokens` (int32) holds all sentences in sequence; sentence i is ``tokens[starts[i]:starts[i + 1]]``.
    Block b covers sentences ``body[b, 0]`` to ``body[b, 1]``; its title is the sentence `titles[b]`, just
    before its body, or -1. `source` (int16) is the package of each block.
    """

    def __init__(self) -> None:
        self.tokens: NDArray[np.int32] = np.zeros(0, np.int32)
        self.starts: NDArray[np.int64] = np.zeros(1, np.int64)
        self.body: NDArray[np.int64] = np.zeros((0, 2), np.int64)
        self.titles: NDArray[np.int64] = np.zeros(0, np.int64)
        self.source: NDArray[np.int16] = np.zeros(0, np.int16)

    @classmethod
    def build(cls, blocks: Iterable[dict[str, Any]], pieces: Pieces) -> Corpus:
        """Tokenize blocks; sentences under three tokens are joined to the previous one."""
        tokens = np.zeros(1 << 20, np.int32)
        filled = 0
        starts, body, titles, source = [0], [], [], []
        packages: dict[str, int] = {}

        def add(text: str) -> int:
            nonlocal tokens, filled
            rows = [row for word in words(text) for row in pieces.of(word)]
            if filled + len(rows) > len(tokens):
                tokens = np.concatenate([tokens, np.zeros_like(tokens)])
            tokens[filled : filled + len(rows)] = rows
            filled += len(rows)
            return len(rows)

        for block in blocks:
            title = -1
            if block["t"] and add(block["t"]):
                title = len(starts) - 1
                starts.append(filled)
            first = len(starts) - 1
            for paragraph in block["p"]:
                for sentence in sentences(paragraph):
                    size = add(sentence)
                    if size < 3 and len(starts) - 1 > first:
                        starts[-1] = filled
                    elif size:
                        starts.append(filled)
            if len(starts) - 1 == first:
                if title >= 0:
                    starts.pop()
                    filled = starts[-1]
                continue
            body.append((first, len(starts) - 1))
            titles.append(title)
            source.append(packages.setdefault(block["s"], len(packages)))
        corpus = cls()
        corpus.tokens = tokens[:filled].copy()
        corpus.starts = np.array(starts, np.int64)
        corpus.body = np.array(body, np.int64)
        corpus.titles = np.array(titles, np.int64)
        corpus.source = np.array(source, np.int16)
        return corpus

    def counts(self, size: int) -> NDArray[np.int64]:
        """The number of occurrences of each of `size` rows."""
        return np.bincount(self.tokens, minlength=size)
