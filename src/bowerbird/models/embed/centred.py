"""Vectors without what all vectors of a model share.

Many models read every text into one corner of their space: two texts that have nothing to do with each
other have a cosine of .1 with one model and .7 with another. Taken as it is, such a cosine would say
that everything is relevant; it fills the signs of sketches with what tells nothing apart, and windows,
which are sums of vectors, even more. What is common to texts about everything is therefore taken
out of each text (as in Mu and Viswanath, "All-but-the-top", 2018, of which this is the mean alone), so
that no relation is 0 with every model, as it is with the built-in one.
"""

from contextlib import suppress
from math import sqrt

from bowerbird.core.errors import ModelError
from bowerbird.models.embed.remote import quantised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.types import ModelIdentity, Vector
    from bowerbird.models.cache import CachedEmbedder

# Texts that have nothing to do with each other: subjects, forms and languages that people write in.
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
    """An embedder that takes out of its vectors what the model sees in every text."""

    def __init__(self, inner: "CachedEmbedder") -> None:
        self._inner = inner
        self._common: list[float] = []
        self.sentences = inner.sentences

    @property
    def identity(self) -> "ModelIdentity":
        """The inner model's, and that it is centred. Raises ModelError while it is not known."""
        known = self._inner.identity
        return known.replace(revision=centred_revision(known.revision))

    def ready(self) -> None:
        """Make sure that the identity is known. Raises ModelError."""
        self._inner.ready()

    def embed(self, texts: "Sequence[str]") -> "list[Vector]":
        """One vector a text, in order. Raises ModelError."""
        return [self._without_common(vector) for vector in self._inner.embed(texts)]

    def embed_query(
        self, text: str, word_weight: "Callable[[str], float] | None" = None
    ) -> "Vector":
        """The vector of a question. Raises ModelError."""
        return self._without_common(self._inner.embed_query(text, word_weight))

    def ask_ahead(self, text: str) -> None:
        """Read a question before the store is, so that nothing waits for a server meanwhile."""
        self._inner.ask_ahead(text)
        with suppress(ModelError):  # whoever needs it next is told
            self._shared()

    def _without_common(self, vector: "Vector") -> "Vector":
        if not vector.norm:
            return vector
        parts = zip(_unit(vector), self._shared(), strict=True)
        return quantised([one - common for one, common in parts])

    def _shared(self) -> list[float]:
        """The mean of what the model reads in texts that share nothing. Raises ModelError."""
        if not self._common:
            read = [_unit(vector) for vector in self._inner.embed(STRANGERS)]
            self._common = [sum(column) / len(read) for column in zip(*read, strict=True)]
        return self._common


def centred_revision(revision: str) -> str:
    """How the revision of a model is told with its vectors centred."""
    return f"{revision}, centred"


def _unit(vector: "Vector") -> list[float]:
    values = memoryview(vector.values).cast("b").tolist()
    length = sqrt(sum(value * value for value in values)) or 1.0
    return [value / length for value in values]
