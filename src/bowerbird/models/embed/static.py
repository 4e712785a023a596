"""The built-in embedder: a text's vector is the sum of its words' rows, read from the package.

No download, no key, and no numpy for a query: a cold process maps the file and reads only the pages of
the query's words. `scripts/build_model.py` builds the rows.

Two implementations give the same vector up to quantisation: `embed` for many texts (numpy) and
`embed_query` for one (pure Python).
"""

import sys
from array import array
from itertools import chain
from math import sqrt
from os.path import dirname, join

from bowerbird.core.text import words
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.models.embed.tokentable import CONTINUES, Pieces, TokenTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

WEIGHTS = join(dirname(__file__), "weights", "static-256.bin")

# Longer runs of letters and digits are hashes or encoded data: only this many characters are used.
LONGEST_WORD = 40
# Distinct words whose pieces are cached; a book has about 20,000. With 100,000, an index of CPython's
# library peaks at 308 MB instead of 295, in the same time.
CACHED_WORDS = 40_000
# Words looked up one by one before all pieces are read into memory: that takes 30 ms and 4 MB, and a word
# that the table has only in pieces then takes 4 instead of 14 µs.
LOOKED_UP = 4_000
# The table starts with the pieces of its tokenizer, most frequent first. Words among this many rows count
# as correctly spelt: with all 33,586, LoCoMo's misspelt queries lose .003 ("mara" was Maria).
COMMON_ROWS = 10_000
# Characters embedded at once: bounds the memory of a batch to about 60 MB.
CHUNK_CHARACTERS = 1_000_000
# Rows of one text summed at once: 4 MB of float32 at 256 dimensions, however long the text.
GATHERED_ROWS = 4096


class StaticEmbedder:
    """Embeds a text as the sum of token rows of a `TokenTable`.

    `identity` names the model; vectors of different identities must not be compared. A text without a
    known word (another script, punctuation only) has norm 0 and all-zero values; search must leave such
    vectors out.
    """

    sentences = False

    @classmethod
    def builtin(cls) -> "Self":
        """The model that ships with the package."""
        return cls(WEIGHTS)

    def __init__(self, path: "str | Path") -> None:
        """Map the model file at `path`. Raises ModelError if it cannot be read."""
        self._tokens = TokenTable(path)
        self.dims = self._tokens.dims
        self.identity = ModelIdentity(
            provider="builtin",
            name=self._tokens.name,
            dims=self.dims,
            revision=self._tokens.revision,
        )
        self._known = _Known(self._cut)
        self._pieces: Pieces | None = None

    def ready(self) -> None:
        """Does nothing: the identity is known as soon as the file is mapped."""

    def rows_of(self, word: str) -> tuple[int, ...]:
        """The table rows of a folded word: greedy longest match of known pieces from the left.

        Characters that no piece covers are skipped, so a foreign word keeps the parts that it shares with
        known ones.
        """
        return self._known[word]

    def knows(self, word: str) -> bool:
        """Whether a folded word is among the most frequent ones of the table, most of them English."""
        return 0 <= self._tokens.find(word.encode()) < COMMON_ROWS

    def holds(self, word: str) -> bool:
        """Whether a folded word is in the table as a whole: a common one, of whatever frequency."""
        return self._tokens.find(word.encode()) >= 0

    def _cut(self, word: str) -> list[int]:
        word = word[:LONGEST_WORD]
        if self._pieces is not None:
            return self._pieces.cut(word)
        if self._known.looked_up > LOOKED_UP:
            self._pieces = Pieces(self._tokens)
        find = self._tokens.find
        rows: list[int] = []
        start = 0
        while start < len(word):
            prefix = CONTINUES if start else ""
            for end in range(len(word), start, -1):
                row = find((prefix + word[start:end]).encode())
                if row >= 0:
                    rows.append(row)
                    start = end
                    break
            else:
                start += 1
        return rows

    def embed_query(self, text: str, word_weight: "Callable[[str], float] | None" = None) -> Vector:
        """The vector of one text: about 20 µs a word without numpy, 2 µs if numpy is already loaded.

        `word_weight` multiplies all rows of a word; a store passes a / (a + p) of its own word
        frequencies, so that its common words weigh less.
        """
        scales = self._tokens.scales
        weights: dict[int, float] = {}
        for word in words(text):
            weight = 1.0 if word_weight is None else word_weight(word)
            for row in self.rows_of(word):
                weights[row] = weights.get(row, 0.0) + weight * scales[row]
        total = self._sum(weights)
        norm = sqrt(sum([value * value for value in total]))
        if norm == 0.0:
            return Vector(bytes(self.dims), 0.0)
        step = 127 / max(map(abs, total))
        return Vector(array("b", [round(value * step) for value in total]).tobytes(), norm)

    def _sum(self, weights: dict[int, float]) -> list[float]:
        """The weighted sum of rows, term by term, so that both implementations give the same result."""
        dims, table = self.dims, self._tokens.table
        if "numpy" in sys.modules:
            import numpy as np  # start-up: a process that stays has it

            terms = np.frombuffer(table, np.int8).reshape(-1, dims)[list(weights)]
            summed: list[float] = (terms * np.array([*weights.values()])[:, None]).sum(0).tolist()
            return summed
        total = [0.0] * dims
        for row, weight in weights.items():
            values = table[row * dims : (row + 1) * dims]
            total = [sum_ + weight * value for sum_, value in zip(total, values, strict=True)]
        return total

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in order. Loads numpy."""
        vectors: list[Vector] = []
        start = 0
        while start < len(texts):
            end, size = start, 0
            while end < len(texts) and (end == start or size + len(texts[end]) < CHUNK_CHARACTERS):
                size += len(texts[end])
                end += 1
            vectors += self._embed_chunk(texts[start:end])
            start = end
        return vectors

    def _embed_chunk(self, texts: "Sequence[str]") -> list[Vector]:
        import numpy as np  # start-up: a single question never needs it

        table = np.frombuffer(self._tokens.table, np.int8).reshape(-1, self.dims)
        scales: NDArray[np.float32] = np.asarray(self._tokens.scales)
        sums = np.zeros((len(texts), self.dims), np.float32)
        rows_of = self._known.__getitem__
        for index, text in enumerate(texts):
            # Text by text: about 90 rows fit in the processor's cache, and neither other texts nor their
            # number can change the last bit of a sum.
            rows = np.fromiter(chain.from_iterable(map(rows_of, words(text))), np.intp)
            for low in range(0, len(rows), GATHERED_ROWS):
                some = rows[low : low + GATHERED_ROWS]
                values = table.take(some, axis=0).astype(np.float32)
                sums[index] += np.einsum("i,ij->j", scales.take(some), values)
        norms = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        largest = np.abs(sums).max(axis=1, keepdims=True)
        sums *= 127 / np.where(largest > 0, largest, 1)
        data = np.rint(sums, out=sums).astype(np.int8).tobytes()
        return [
            Vector(data[i * self.dims : (i + 1) * self.dims], norm)
            for i, norm in enumerate(norms.tolist())
        ]


class _Known(dict[str, tuple[int, ...]]):
    """The rows of words, looked up when a word is first requested."""

    def __init__(self, cut: "Callable[[str], list[int]]") -> None:
        super().__init__()
        self._cut = cut
        self.looked_up = 0

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self.looked_up += 1
        rows = self[word] = tuple(self._cut(word))
        return rows
