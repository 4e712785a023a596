"""How much of a file carries meaning: one of too many different words only its beginning.

A word is looked up once, and one that the model has only in pieces takes a hundred times as long as one
that was met before. The words of all passages are indexed.
"""

from bowerbird.core.text import words
from bowerbird.ingest.bounds import MOST_WORDS, REMEDY

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
        self._carrying = self._all = 0

    def of(self, pieces: "Sequence[Piece]") -> int:
        """How many of the next passages carry meaning: the first ones, up to a number of words."""
        carrying = len(pieces) if self._few else self._within(pieces)
        self._carrying += carrying
        self._all += len(pieces)
        return carrying

    def _within(self, pieces: "Sequence[Piece]") -> int:
        known = self._words
        for index, piece in enumerate(pieces):
            if len(known) > MOST_WORDS:
                return index
            known.update(words(piece.text))
        return len(pieces)

    @property
    def left_out(self) -> str:
        """What the report says of a file of which some passages carry none; empty for others."""
        if self._carrying == self._all:
            return ""
        return (
            f"over {MOST_WORDS:,} different words: the first {self._carrying:,} of {self._all:,}"
            f" passages are found by meaning, all by their words; {REMEDY}"
        )
