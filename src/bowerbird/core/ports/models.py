"""Ports to models."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from bowerbird.core.memories import Alignment
from bowerbird.core.types import ModelIdentity, Vector


class Embedder(Protocol):
    """Turns texts into vectors. Knows nothing of stores, entries or projects."""

    # Whether it reads whole sentences in their original form, rather than separate words.
    sentences: bool

    @property
    def identity(self) -> ModelIdentity:
        """The identity of its vectors. Raises ModelError if it is not known yet."""
        ...

    def ready(self) -> None:
        """Determines the identity if necessary. Raises ModelError."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector per text, in order."""
        ...

    def embed_query(self, text: str, word_weight: Callable[[str], float] | None = None) -> Vector:
        """The vector of a question; `word_weight` gives each folded word its weight (0 to 1)."""
        ...


class Encoder(Protocol):
    """Turns texts into numbers; what the embedder of another package has to offer."""

    # How many numbers each vector has.
    dims: int
    # Differs from that of any encoder that makes other vectors of the same text.
    revision: str

    def encode(self, texts: Sequence[str], *, question: bool) -> Sequence[Sequence[float]]:
        """A vector of `dims` numbers per text, in order; `question`: it is what somebody asks."""
        ...


class Vocabulary(Protocol):
    """The vocabulary of a model."""

    def knows(self, word: str) -> bool:
        """Whether a folded word is a common word of the vocabulary, as a whole token."""
        ...

    def holds(self, word: str) -> bool:
        """Whether a folded word is in the vocabulary as a whole token, however rare."""
        ...


class Aligner(Protocol):
    """Aligns the words of two texts. Knows nothing of how alignments are used."""

    def aligned(self, new: str, olds: Sequence[str]) -> list[Alignment]:
        """The alignment of a text with each of some others, word by word. Raises ModelError."""
        ...


class Reader(Embedder, Aligner, Protocol):
    """A model that reads whole sentences and gives a vector to each word in its context."""

    def in_english(self, text: str) -> str:
        """A text of another language word by word in English, as this model reads it."""
        ...

    def met(self, question: Vector, words: Mapping[int, bytes]) -> dict[int, tuple[float, float]]:
        """How well some texts cover the words of a query: on average, and for the words covered worst."""
        ...

    def manner(self, texts: Sequence[str]) -> list[list[float]]:
        """How each of a few texts is said, whatever it is about."""
        ...

    def told(self, sentences: Sequence[str]) -> list[list[float]]:
        """What the sentences of one text do, each in its context, as log odds."""
        ...

    def recalls(self, question: Vector) -> float:
        """How near a question is to one about earlier sessions, as a cosine. Raises ModelError."""
        ...
