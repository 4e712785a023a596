"""Limits on how much of one file is indexed and carries meaning; the rest is cut off and reported.

They keep a run below 300 MB of memory, and writes of one document short enough for other writers.
"""

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
# library have 14,000, a long book 30,000; of random letters every one is different.
MOST_WORDS = 100_000
# The same that are indexed at all: each is counted and has a row of its own. 4 MB of random Chinese hold
# 1.3 million pairs of characters, which took 22 s and 395 MB.
MOST_INDEXED = 200_000
# Bytes of a transcript for each tool call that is weighed: it takes half a millisecond to find out whose
# words a call brings in. Of 116 sessions of four months none has fewer than 4,200.
BYTES_PER_CALL = 1_000
# Calls of a transcript that are weighed however short it is.
FEWEST_CALLS = 1_000
# The same of the lines of its prompts, each of which takes 40 µs.
BYTES_PER_LINE = 80
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
class Meaning:
    """Counts the different words of one file, whose passages come in order."""

    def __init__(self, characters: int) -> None:
        """`characters` are those of the file, in which there cannot be more words."""
        self._few = characters <= MOST_WORDS
        self._words: set[str] = set()
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
            if len(known) > MOST_INDEXED:
                return carrying, index
            carrying += len(known) <= MOST_WORDS
            known.update(words(piece.text))
        return carrying, len(pieces)

    @property
    def left_out(self) -> str:
        """What the report says of a file of which not all passages do; empty for others."""
        if self._carrying == self._all:
            return ""
        kept = "all" if self._kept == self._all else f"the first {self._kept:,}"
        return (
            f"over {MOST_WORDS:,} different words: the first {self._carrying:,} of {self._all:,}"
            f" passages are found by meaning, {kept} by their words; {REMEDY}"
        )
