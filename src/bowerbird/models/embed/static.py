"""The built-in embedder: a text's vector is the sum of its words' rows, read from the package.

No download, no key, and for a question no numpy: a cold process maps the file and touches only the
pages of the words it asks about. How the rows are made: `scripts/build_model.py`.

Two paths give the same vector up to quantising: `embed` for many texts (numpy, gathered in pieces
that fit the processor's cache) and `embed_query` for one (pure Python).
"""

from array import array
from math import sqrt
from os.path import dirname, join

from bowerbird.core.text import words
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.models.embed.tokentable import TokenTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = join(dirname(__file__), "weights", "static-256.bin")

# Longer runs of letters and digits are hashes or encoded data: only their beginning is looked at.
LONGEST_WORD = 40
# Distinct words whose pieces are remembered; a book has some 20,000.
CACHED_WORDS = 100_000
# Characters embedded in one go: bounds the memory of a batch to some 60 MB, whatever its size.
CHUNK_CHARACTERS = 1_000_000
# Word rows gathered at once: 4 MB of float32 at 256 dims, which stays near the processor.
GATHERED_WORDS = 4096


class StaticEmbedder:
    """Sums of token rows out of a `TokenTable`.

    `identity` names the model; vectors of two identities must not be compared. Text without a known
    word (another script, punctuation alone) has norm 0 and all-zero values: it says nothing, and
    search should leave vectors out rather than compare noise.
    """

    @classmethod
    def builtin(cls) -> "Self":
        """The model that ships with the package."""
        return cls(WEIGHTS)

    def __init__(self, path: "str | Path") -> None:
        """Maps the model at `path`. Raises ModelError when it cannot be read."""
        self._tokens = TokenTable(path)
        self.dims = self._tokens.dims
        self.identity = ModelIdentity(
            provider="builtin",
            name=self._tokens.name,
            dims=self.dims,
            revision=self._tokens.revision,
        )
        self._cache: dict[str, tuple[int, ...]] = {}

    def rows_of(self, word: str) -> tuple[int, ...]:
        """The table rows of one folded word: the longest known pieces from the left.

        What no piece covers is skipped: a foreign word keeps the parts it shares with known ones.
        """
        rows = self._cache.get(word)
        if rows is None:
            if len(self._cache) >= CACHED_WORDS:
                self._cache.clear()
            rows = self._cache[word] = tuple(self._cut(word[:LONGEST_WORD]))
        return rows

    def _cut(self, word: str) -> list[int]:
        find = self._tokens.find
        whole = find(word.encode())
        if whole >= 0:
            return [whole]
        rows, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
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
        """The vector of one text, without numpy: about 10 µs a word once its page is in memory.

        `word_weight` multiplies all rows of a word; a store gives a / (a + p) of its own word
        frequencies, so that what is common there counts less.
        """
        dims, table, scales = self.dims, self._tokens.table, self._tokens.scales
        weights: dict[int, float] = {}
        for word in words(text):
            weight = 1.0 if word_weight is None else word_weight(word)
            for row in self.rows_of(word):
                weights[row] = weights.get(row, 0.0) + weight * scales[row]
        total = [0.0] * dims
        for row, weight in weights.items():
            values = table[row * dims : (row + 1) * dims]
            total = [sum_ + weight * value for sum_, value in zip(total, values, strict=True)]
        norm = sqrt(sum(value * value for value in total))
        if norm == 0.0:
            return Vector(bytes(dims), 0.0)
        step = 127 / max(map(abs, total))
        return Vector(array("b", [round(value * step) for value in total]).tobytes(), norm)

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in their order. Loads numpy."""
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

        known = _Numbering()
        numbers: list[int] = []
        ends = []
        for text in texts:
            numbers += map(known.__getitem__, words(text))
            ends.append(len(numbers))
        sums = np.zeros((len(texts), self.dims), np.float32)
        if numbers:
            _add_segments(
                sums,
                np.array(ends),
                self._word_rows(list(known)),
                np.fromiter(numbers, np.intp, len(numbers)),
            )
        norms = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        largest = np.abs(sums).max(axis=1, keepdims=True)
        sums *= 127 / np.where(largest > 0, largest, 1)
        data = np.rint(sums, out=sums).astype(np.int8).tobytes()
        return [
            Vector(data[i * self.dims : (i + 1) * self.dims], norm)
            for i, norm in enumerate(norms.tolist())
        ]

    def _word_rows(self, distinct: list[str]) -> "NDArray[np.float32]":
        """The float rows (words, dims) of distinct words; zeros for those without a piece."""
        import numpy as np  # start-up: only the batch path needs it

        pieces: list[int] = []
        ends = []
        for word in distinct:
            pieces += self.rows_of(word)
            ends.append(len(pieces))
        table = np.frombuffer(self._tokens.table, np.int8).reshape(-1, self.dims)
        scales: NDArray[np.float32] = np.asarray(self._tokens.scales)
        result = np.zeros((len(distinct), self.dims), np.float32)
        rows = np.array(pieces, np.intp)
        single = table[rows].astype(np.float32)
        single *= scales[rows, None]
        _add_segments(result, np.array(ends), single, np.arange(len(rows)))
        return result


class _Numbering(dict[str, int]):
    """Numbers words in the order in which they are first asked for."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def _add_segments(
    sums: "NDArray[np.float32]",
    ends: "NDArray[np.intp]",
    rows: "NDArray[np.float32]",
    chosen: "NDArray[np.intp]",
) -> None:
    """Adds to sums[i] the rows chosen[ends[i - 1]:ends[i]], a few thousand at a time."""
    import numpy as np  # start-up: only the batch path needs it

    for low in range(0, len(chosen), GATHERED_WORDS):
        high = min(low + GATHERED_WORDS, len(chosen))
        # The segments that reach into [low, high), and where each begins there.
        first = int(np.searchsorted(ends, low, side="right"))
        last = int(np.searchsorted(ends, high, side="left"))
        begins = np.concatenate(([low], ends[first:last])) - low
        # An empty segment has no row to begin at: reduceat would give it its neighbour's.
        filled = np.diff(begins, append=high - low) > 0
        at = np.arange(first, last + 1)[filled]
        sums[at] += np.add.reduceat(rows[chosen[low:high]], begins[filled], axis=0)
