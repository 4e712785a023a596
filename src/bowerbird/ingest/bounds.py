"""Limits on how much of one file is indexed and carries meaning; the rest is cut off and reported.

They keep a run below 300 MB of memory, and writes of one document short enough for other writers.
"""

from collections import Counter

from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.document import Piece

# For prose that is 32 MB. A document is written in one transaction, and 20,000 passages take a second,
# for which other writers wait.
MOST_PASSAGES = 20_000
# A line costs a hundred bytes of memory in addition to its text.
MOST_LINES = 250_000
# A turn of a conversation costs three hundred bytes, and 60 µs to find out who typed it; a long session
# of a day has 2,000. More with a text would not be kept: each is a passage.
MOST_TURNS = MOST_PASSAGES
# Different words of one file that are looked up for its vectors, 4 to 25 µs each. 4 MB of the standard
# library have 14,000, a long book 30,000; of random letters every one is different. With twice as many 4
# MB of random base64 took 5.7 s of an idle processor, accented words 4.7.
MOST_WORDS = 50_000
# The same that are indexed at all: each is counted and has a row of its own. 4 MB of random Chinese hold
# 1.3 million pairs of characters, which took 22 s and 395 MB.
MOST_INDEXED = 100_000
# Bytes of a transcript for each tool call that is weighed: it takes half a millisecond to find out whose
# words a call brings in. Of 116 sessions of four months none has fewer than 4,200.
BYTES_PER_CALL = 1_000
# Calls of a transcript that are weighed however short it is.
FEWEST_CALLS = 1_000
# The same of the lines of its prompts, each of which takes 40 µs.
BYTES_PER_LINE = 120
FEWEST_LINES = 10_000
# Values in one JSON record. The smallest take two bytes in the file and sixty in memory.
MOST_VALUES = 500_000
# Characters of a passage's context, which is repeated in each passage of a section.
LONGEST_CONTEXT = 400
# Transcripts shrink to a tenth, the most repetitive to a fiftieth; a decompression bomb to a
# thirty-thousandth.
MOST_TIMES_PACKED = 200
# Bytes of memory for each byte that a file may have: one emoji makes Python store a text with four bytes
# a character.
WIDTH = 1.5

REMEDY = "split the file to have the rest"
LINES_CUT = f"the first {MOST_LINES:,} lines are read; {REMEDY}"
CUT = f"the first {MOST_PASSAGES:,} passages are kept; {REMEDY}"


# A word is looked up and counted once. One that the model has only in pieces takes a hundred times as
# long as one that was met before, and each has a row of its own.
# FTS5 gathers the words of a document in a hash table by a sum that is linear in their bits: words that
# repeat a part four times all fall into one chain, and 4 MB of them took 127 s. One word in eight is
# tried, as if the table had 1,024 chains: of ordinary texts, numbers and random letters at most one in
# fifty is in the same.
_TRIED = 8
_CHAINS = 1023
_FEWEST_TRIED = 256
_MOST_IN_CHAIN = 0.25
# Of longer ones a file of 4 MB has too few to matter.
_LONGEST_TRIED = 64


def _chain(word: str) -> int:
    """The chain of FTS5's hash table (`fts5HashKey`) to which a word belongs."""
    number = 13
    for byte in reversed(word.encode("utf-8", "surrogatepass")):
        number = ((number << 3) ^ number ^ byte) & 0xFFFF_FFFF
    return number & _CHAINS


class Meaning:
    """Counts the different words of one file, whose passages come in order."""

    def __init__(self, characters: int) -> None:
        """`characters` are those of the file, in which there cannot be more words."""
        self._few = characters <= MOST_WORDS
        self._words: set[str] = set()
        self._tried: set[str] = set()
        self._chains: Counter[int] = Counter()
        self._is_flood = False
        self._carrying = self._kept = self._all = 0

    def of(self, pieces: "Sequence[Piece]") -> tuple[int, int]:
        """How many of the next passages are indexed, and how many of these carry meaning.

        Both are the first ones, up to a number of words.
        """
        kept = carrying = len(pieces)
        if not self._few:
            carrying, kept = self._within(pieces)
        self._carrying += carrying
        self._kept += kept
        self._all += len(pieces)
        return kept, carrying

    def _within(self, pieces: "Sequence[Piece]") -> tuple[int, int]:
        known = self._words
        carrying = 0
        for index, piece in enumerate(pieces):
            if len(known) > MOST_INDEXED or self._floods(piece.text):
                return carrying, index
            carrying += len(known) <= MOST_WORDS
            known.update(words(piece.text))
        return carrying, len(pieces)

    def _floods(self, text: str) -> bool:
        """Whether the words so far are such that the index would search through all of them for each."""
        split = text.lower().split()[::_TRIED]
        new = {word for word in split if len(word) <= _LONGEST_TRIED} - self._tried
        self._tried |= new
        chains = [*map(_chain, new)]
        self._chains.update(chains)
        tried = len(self._tried)
        if tried >= _FEWEST_TRIED and not self._is_flood:
            # Only those that grew: the longest of all took a tenth of the time of short prompts.
            most = _MOST_IN_CHAIN * tried
            self._is_flood = any(self._chains[one] > most for one in chains)
        return self._is_flood

    @property
    def left_out(self) -> str:
        """What the report says of a file of which not all passages do; empty for others."""
        if self._carrying == self._all:
            return ""
        if self._is_flood:
            return (
                f"words that the index cannot tell apart: the first {self._kept:,} of {self._all:,}"
                f" passages are indexed; {REMEDY}"
            )
        kept = "all" if self._kept == self._all else f"the first {self._kept:,}"
        return (
            f"over {MOST_WORDS:,} different words: the first {self._carrying:,} of {self._all:,}"
            f" passages are found by meaning, {kept} by their words; {REMEDY}"
        )
