"""Finds memories that share words with a program's message or an identifier."""

from bowerbird.core.types import MEMORY, RECORDS
from bowerbird.sessions.inject.selection import trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.answers import Hit
    from bowerbird.core.ports.recall import Recall

_DEPTH = 20
# Messages have no misspellings, and no inflected forms of other languages. Whole documents and common
# words take half of the time and find no memory.
_WITHOUT = ("fuzzy", "beginnings", "common words", "document")


def by_words(memory: "Recall", text: str, kinds: "Sequence[str]") -> "Iterator[Hit]":
    """Yield memories that share words with a text, best first."""
    hits = memory.query(
        text,
        limit=_DEPTH,
        min_score=0.0,
        min_trust="normal",
        coming=False,
        without=_WITHOUT,
        fast=True,
        kinds=kinds,
        memories_only=True,
    )
    found = (hit for hit in hits if hit.entry.family == MEMORY and trusted(hit.entry))
    return (hit for hit in found if hit.entry.kind not in RECORDS)
