"""Vectors without the mean vector of all texts.

Many models place every text in one region of their space: two unrelated texts have a cosine of .1 with
one model and .7 with another. Such cosines would make everything seem relevant, make the signs in
sketches equal for all texts, and affect neighbourhoods, which are sums of vectors, even more. The mean
over unrelated texts is therefore subtracted from each vector (the mean only of Mu and Viswanath,
"All-but-the-top", 2018), so that unrelated texts have a cosine of about 0 with every model, as with the
built-in one.
"""

from contextlib import suppress
from math import sqrt

from bowerbird.core.errors import ModelError
from bowerbird.models.embed.quantise import quantised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.types import ModelIdentity, Vector
    from bowerbird.models.cache import CachedEmbedder

# Unrelated texts in different subjects, forms and languages, whose mean vector is subtracted.
STRANGERS = (
    "The ferry to the islands leaves at half past six and takes two hours.",
    "def area(width, height):\n    return width * height",
    "She plays the cello in a small orchestra on Thursdays.",
    "Interest rates were left unchanged by the central bank.",
    "Soak the beans overnight, then cook them with bay leaves.",
    "The server restarts whenever the certificate is renewed.",
    "What is the capital of Mongolia?",
    "Volcanic soils hold water well and are rich in minerals.",
    "Der Zug nach Wien hat heute zwanzig Minuten Verspätung.",
    "The patient was given antibiotics and sent home after three days.",
    "SELECT name FROM customer WHERE city = 'Lima' ORDER BY name;",
    "He forgot his umbrella on the bus again!",
    "A court ruled that the contract had been broken.",
    "Owls turn their heads because their eyes cannot move.",
    "We should repaint the kitchen before the guests arrive.",
    "La biblioteca cierra los domingos por la tarde.",
    "The goalkeeper saved two penalties in the final.",
    "Set the temperature of the kiln to 1,050 degrees.",
    "for (int i = 0; i < n; i++) sum += values[i];",
    "Her grandfather had been a watchmaker in Geneva.",
    "Please send the invoice by the end of the month.",
    "The treaty of 1648 ended thirty years of war.",
    "How do I get a stain of red wine out of a carpet?",
    "Light bends when it passes from air into glass.",
    "Le marché aux fleurs ouvre à huit heures.",
    "Their new album sounds like the seventies.",
    "TypeError: cannot read properties of undefined",
    "The museum lends two of its paintings to Tokyo.",
    "I am allergic to peanuts, so no satay for me.",
    "Whales sing longer songs in deeper water.",
    "The meeting about the budget was moved to Tuesday.",
    "周末我们打算去爬山。",
)


class CentredEmbedder:
    """An embedder that subtracts the mean vector of a model from its vectors."""

    def __init__(self, inner: "CachedEmbedder") -> None:
        self._inner = inner
        self._common: list[float] = []
        self.sentences = inner.sentences

    @property
    def identity(self) -> "ModelIdentity":
        """The inner model's identity, marked as centred. Raises ModelError while it is unknown."""
        known = self._inner.identity
        return known.replace(revision=centred_revision(known.revision))

    def ready(self) -> None:
        """Ensure that the identity is known. Raises ModelError."""
        self._inner.ready()

    def embed(self, texts: "Sequence[str]") -> "list[Vector]":
        """One vector per text, in order. Raises ModelError."""
        return [self._without_common(vector) for vector in self._inner.embed(texts)]

    def embed_query(
        self, text: str, word_weight: "Callable[[str], float] | None" = None
    ) -> "Vector":
        """The vector of a query. Raises ModelError."""
        return self._without_common(self._inner.embed_query(text, word_weight))

    def ask_ahead(self, text: str) -> None:
        """Embed a query in advance, so that no open transaction waits for a server."""
        self._inner.ask_ahead(text)
        with suppress(ModelError):  # the next use raises it
            self._shared()

    def _without_common(self, vector: "Vector") -> "Vector":
        if not vector.norm:
            return vector
        parts = zip(_unit(vector), self._shared(), strict=True)
        return quantised([one - common for one, common in parts])

    def _shared(self) -> list[float]:
        """The model's mean vector of unrelated texts. Raises ModelError."""
        if not self._common:
            read = [_unit(vector) for vector in self._inner.embed(STRANGERS)]
            self._common = [sum(column) / len(read) for column in zip(*read, strict=True)]
        return self._common


def centred_revision(revision: str) -> str:
    """The revision that names a model with centred vectors."""
    return f"{revision}, centred"


def _unit(vector: "Vector") -> list[float]:
    values = memoryview(vector.values).cast("b").tolist()
    length = sqrt(sum(value * value for value in values)) or 1.0
    return [value / length for value in values]
