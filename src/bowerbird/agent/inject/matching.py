"""Memories that share words with a message or a name of a program, as programs write them."""

from bowerbird.agent.inject.choosing import trusted
from bowerbird.core.types import MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.answers import Hit
    from bowerbird.core.ports.recall import Recall

_DEPTH = 20
# Nobody misspelt them, and words of other languages' forms are no others'. Whole documents and common
# words cost half of the time and find no memory.
_WITHOUT = ("fuzzy", "beginnings", "common words", "document")


def by_words(memory: "Recall", text: str, kinds: "Sequence[str]") -> "Iterator[Hit]":
    """Memories that share words with a text, best first."""
    hits = memory.query(
        text,
        limit=_DEPTH,
        min_score=0.0,
        min_trust="normal",
        without=_WITHOUT,
        fast=True,
        kinds=kinds,
        memories_only=True,
    )
    return (hit for hit in hits if hit.entry.family == MEMORY and trusted(hit.entry))
