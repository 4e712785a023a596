"""How much of a file is indexed and carries meaning: one of too many different words only its beginning.

A word is looked up and counted once. One that the model has only in pieces takes a hundred times as long
as one that was met before, and each has a row of its own.
"""

from bowerbird.core.text import words
from bowerbird.ingest.bounds import MOST_INDEXED, MOST_WORDS, REMEDY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.document import Piece


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
