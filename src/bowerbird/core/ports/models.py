"""Who computes, as the rooms that need it see it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from bowerbird.core.types import Alignment, ModelIdentity, Vector


class Embedder(Protocol):
    """Turns texts into vectors. Knows nothing of stores, entries or projects."""

    # Whether it reads whole sentences, as they were written, rather than words each for itself.
    sentences: bool

    @property
    def identity(self) -> ModelIdentity:
        """Who makes the vectors. Raises ModelError where nobody knows yet."""
        ...

    def ready(self) -> None:
        """Make sure that the identity is known. Raises ModelError."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order."""
        ...

    def embed_query(self, text: str, word_weight: Callable[[str], float] | None = None) -> Vector:
        """The vector of a question; `word_weight` gives each folded word its weight (0 to 1)."""
        ...


class Vocabulary(Protocol):
    """The words that a model has learnt."""

    def knows(self, word: str) -> bool:
        """Whether a folded word is a common one of them, as a whole and not by its parts."""
        ...


class Aligner(Protocol):
    """Sees how the words of two texts meet. Knows nothing of what that means."""

    def aligned(self, new: str, olds: Sequence[str]) -> list[Alignment]:
        """How the words of a text meet those of each of some others. Raises ModelError."""
        ...


class Reader(Embedder, Aligner, Protocol):
    """A model that reads whole sentences, and their words in them."""

    def met(self, question: Vector, words: Mapping[int, bytes]) -> dict[int, tuple[float, float]]:
        """How near some texts come to the words of a question: all on average, and those met worst."""
        ...
