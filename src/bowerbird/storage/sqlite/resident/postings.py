"""The score of each word in each entry and each whole document, cached by a long-lived process.

BM25 is a sum over words, each of which counts by itself: what was read for one question serves the next
one with the same word. The sums are those that FTS5 itself makes, in its order. A document is the sum of
its passages, so its words are not read again.
"""

import math

import numpy as np

from bowerbird.core.query import FIELD_WEIGHTS
from bowerbird.storage.sqlite.nouns.filters import BM25, LEAST, parted, quoted
from bowerbird.storage.sqlite.resident.occurrences import TEXT, Occurrences
from bowerbird.storage.sqlite.search.highest import highest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Self

    import apsw
    from numpy.typing import NDArray

    from bowerbird.storage.sqlite.resident.columns import Columns

    Offsets = NDArray[np.intp]
    Scores = NDArray[np.float64]
    # Offsets at which a word occurs, and its scores there.
    Posting = tuple[Offsets, Scores]
    # Of entries, and of documents unless only FTS5 itself can compute them.
    Both = tuple[Posting, Posting | None]
    Wholes = tuple[list[tuple[int, float]], list[int], int]

# The constants of FTS5's bm25().
K1 = 1.2
B = 0.75
# What all of them may take: a million rows of words.
MOST_BYTES = 32_000_000
# Of all rows with any word.
_LEAST_SUM = np.nextafter(0.0, 1.0)
_WEIGHTS = np.array(FIELD_WEIGHTS)
_WEIGHED = (
    f"SELECT rowid, -{BM25['word_index']} FROM word_index WHERE word_index MATCH ? ORDER BY rowid"
)
_PAIR = np.dtype([("row", "i8"), ("score", "f8")])


class Postings:
    """The requested words, over the columns of one generation.

    `numbers` are the documents that are present as wholes, `summed` the tokens of their passages' texts.
    """

    def __init__(
        self,
        connection: "apsw.Connection",
        occurrences: Occurrences,
        columns: "Columns",
        before: "Self | None" = None,
    ) -> None:
        """Reads how long everything is; of a store that only grew, what came after `before`."""
        self._connection = connection
        self._occurrences = occurrences
        self.columns = columns
        rows, tokens = occurrences.sizes("word_index", _last(before.columns.rows) if before else 0)
        offsets = columns.offsets(rows)
        self.entries: _Weighing = _Weighing(
            len(columns), offsets, tokens[:, 0], before.entries if before else None
        )
        known = before.numbers if before else np.zeros(0, np.int64)
        numbers, of_wholes = occurrences.sizes("document_index", _last(known))
        self.numbers: NDArray[np.int64] = np.concatenate((known, numbers))
        count = len(self.numbers)
        newer = np.arange(len(known), count)
        self.documents: _Weighing = _Weighing(
            count, newer, of_wholes[:, 0], before.documents if before else None
        )
        # The document of each entry, the one after the last for those that are of none.
        homes = np.searchsorted(self.numbers, columns.documents)
        here = np.append(self.numbers, -1)[homes] == columns.documents
        self._homes = np.where(here, homes, count)
        summed = np.bincount(self._homes[offsets], tokens[:, 1], count + 1)
        self.summed = summed[:count].astype(np.int64)
        if before:
            self.summed[: len(known)] += before.summed
        # Else something took out or wrote a passage by itself.
        self._sums_up = np.array_equal(self.summed, self.documents.tokens)
        self._kept: dict[str, Both] = {}
        self._bytes = 0

    def reread(self, rows: "Sequence[int]", offsets: "Offsets") -> None:
        """Reads again how long rows at some offsets are, and all words.

        What documents sum up to stays: a passage is replaced, never reworded.
        """
        for row, offset in zip(rows, offsets.tolist(), strict=True):
            _, tokens = self._occurrences.sizes("word_index", row - 1, row)
            self.entries.put(offset, int(tokens[0, 0]) if len(tokens) else None)
        self.entries.weigh()
        self._kept, self._bytes = {}, 0

    def best(
        self, phrases: "Sequence[str]", allowed: "NDArray[np.bool_]", limit: int
    ) -> list[tuple[int, float]]:
        """The allowed rows that score best for any of some phrases, of equal ones the lower."""
        if limit < 1:
            return []
        sums = np.zeros(len(self.columns))
        found = [self._of(phrase)[0] for phrase in phrases]
        for offsets, scores in found:
            sums[offsets] += scores
        if not allowed.all():
            sums *= allowed
        # As many rows of one word are as good as this: picking out every row that holds any word takes
        # ten times as long, at a million.
        least = _LEAST_SUM
        for offsets, _ in found:
            if len(offsets) >= limit:
                least = max(least, np.partition(sums[offsets], -limit)[-limit])
        offsets = np.flatnonzero(sums >= least)
        offsets = offsets[highest(sums[offsets], limit)]
        return list(zip(self.columns.rows[offsets].tolist(), sums[offsets].tolist(), strict=True))

    def wholes(self, words: "Sequence[str]", wanted: "Collection[int]") -> "Wholes | None":
        """The result of `CandidateSource.wholes`; None if only FTS5 itself can compute it."""
        found = {word: whole for word in words if (whole := self._of(word)[1])}
        if not self._sums_up or len(found) < len(words):
            return None
        counts = [len(found[word][0]) for word in words]
        rare, common = parted(words, counts, len(self.numbers))
        least, sums = np.zeros(len(self.numbers)), np.zeros(len(self.numbers))
        for word in common:
            least[found[word][0]] = LEAST
        for word in rare:
            documents, scores = found[word]
            sums[documents] += scores
        sums = np.where(sums > 0, sums, least)
        offsets = self._offsets(wanted)
        offsets = offsets[sums[offsets] > 0]
        listed = list(zip(self.numbers[offsets].tolist(), sums[offsets].tolist(), strict=True))
        return listed, counts, len(self.numbers)

    def _offsets(self, wanted: "Collection[int]") -> "Offsets":
        """Offsets of the documents that are present as wholes."""
        asked = np.fromiter(wanted, np.int64, len(wanted))
        offsets = np.searchsorted(self.numbers, asked)
        here: Offsets = offsets[np.append(self.numbers, -1)[offsets] == asked]
        return here

    def _of(self, phrase: str) -> "Both":
        kept = self._kept.pop(phrase, None)
        if kept is None:
            kept = self._read(phrase)
            self._bytes += _size(kept)
        self._kept[phrase] = kept
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            self._bytes -= _size(self._kept.pop(next(iter(self._kept))))
        return kept

    def _read(self, phrase: str) -> "Both":
        stands = self._occurrences.of(phrase)
        if stands is None:
            found = self._connection.execute(_WEIGHED, (quoted(phrase),))
            pairs = np.fromiter(found, _PAIR)
            return (self.columns.offsets(pairs["row"]), pairs["score"].copy()), None
        rows, columns = stands
        # Where the offsets of one row end and another's begin; an empty posting has no row.
        seams = np.flatnonzero(rows[1:] != rows[:-1]) + 1
        begins = np.concatenate(([0], seams)) if len(rows) else seams
        offsets = self.columns.offsets(rows[begins])
        often = np.append(seams, len(rows))[: len(begins)] - begins.astype(np.float64)
        in_text = often
        # Most occurrences are in the text: those elsewhere are subtracted again.
        if len(elsewhere := np.flatnonzero(columns != TEXT)):
            whose = np.searchsorted(begins, elsewhere, "right") - 1
            in_text = often - np.bincount(whose, minlength=len(begins))
            less = _WEIGHTS[TEXT] - _WEIGHTS[columns[elsewhere]]
            often = often - np.bincount(whose, less, len(begins))
        summed = np.bincount(self._homes[offsets], in_text, len(self.numbers) + 1)[:-1]
        documents = np.flatnonzero(summed > 0)
        return (
            (offsets, self.entries.of(offsets, often)),
            (documents, self.documents.of(documents, summed[documents].astype(np.float64))),
        )


class _Weighing:
    """FTS5's BM25 of one word at a time."""

    def __init__(
        self, count: int, offsets: "Offsets", tokens: "NDArray[np.int64]", before: "Self | None"
    ) -> None:
        """Of `count` offsets those that have rows in the index, and each row's tokens.

        Those of `before` are not returned again.
        """
        self.present = np.zeros(count, np.bool_)
        self.tokens = np.zeros(count, np.int32)
        if before:
            self.present[: len(before.tokens)] = before.present
            self.tokens[: len(before.tokens)] = before.tokens
        self.present[offsets], self.tokens[offsets] = True, tokens
        self.weigh()

    def put(self, offset: int, tokens: int | None) -> None:
        """Another number of tokens at an offset; None where it is in the index no more."""
        self.present[offset], self.tokens[offset] = tokens is not None, tokens or 0

    def weigh(self) -> None:
        """How long each is beside the average."""
        self.rows = int(np.count_nonzero(self.present))
        average = self.tokens.sum() / max(self.rows, 1) or 1.0
        self._lengths = K1 * (1 - B + B * self.tokens / average)

    def of(self, offsets: "Offsets", often: "Scores") -> "Scores":
        """The scores of the offsets that hold a word, by how often each does."""
        rarity = math.log((self.rows - len(offsets) + 0.5) / (len(offsets) + 0.5))
        share = often * (K1 + 1) / (often + self._lengths[offsets])
        return (rarity if rarity > 0 else LEAST) * share


def _last(rows: "NDArray[np.int64]") -> int:
    return int(rows[-1]) if len(rows) else 0


def _size(kept: "Both") -> int:
    return sum(part.nbytes for posting in kept if posting for part in posting)
