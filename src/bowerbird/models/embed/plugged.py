"""An embedder of another package: an `Encoder` (core.ports.models) as the rest of Bowerbird uses one."""

from functools import partial
from math import isfinite

from bowerbird.core.clock import waited, within
from bowerbird.core.errors import ModelError, PluginFailed
from bowerbird.core.plugins import EMBEDDERS
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.guard.redact import redact
from bowerbird.host.plugins import made, told
from bowerbird.models.embed.quantise import quantised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bowerbird.core.ports.models import Encoder

# Texts that a package's encoder gets at once.
TOGETHER = 100
_HAS = ("dims", "encode", "revision")


class PluggedEmbedder:
    """The encoder of an installed package, loaded with the first text."""

    sentences = True

    def __init__(self, name: str, settings: "dict[str, Any]") -> None:
        """`settings` are those of `embed`, which the package's encoder is made with."""
        self._name, self._settings = name, settings
        self._encoder: Encoder | None = None
        self._failed: ModelError | None = None

    def _loaded(self) -> "Encoder":
        """The encoder. Raises ModelError, at once where it failed before."""
        if self._failed is not None:
            raise self._failed
        if self._encoder is None:
            try:
                self._encoder = made(EMBEDDERS, self._name, self._settings, has=_HAS)
            except PluginFailed as error:
                self._failed = ModelError(error.message, error.remedy)
                raise self._failed from error
        return self._encoder

    @property
    def identity(self) -> ModelIdentity:
        """The model's identity. Raises ModelError if the plug-in cannot be used."""
        encoder, model = self._loaded(), self._settings["model"]
        return ModelIdentity(self._name, model or self._name, encoder.dims, encoder.revision)

    def recall(self, _dims_of: "Callable[[str, str, str], int]") -> None:
        """Does nothing: the encoder knows its dimensions."""

    def ready(self) -> None:
        """Ensure that the encoder is there. Raises ModelError."""
        self._loaded()

    def close(self) -> None:
        """Release the encoder; the next text makes another."""
        self._encoder = None

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in order. Raises ModelError."""
        return self._read(texts, question=False)

    def embed_query(
        self, text: str, _word_weight: "Callable[[str], float] | None" = None
    ) -> Vector:
        """The vector of a question, which may hold a secret that the package must not get."""
        return self._read([redact(text).text], question=True)[0]

    def _read(self, texts: "Sequence[str]", *, question: bool) -> list[Vector]:
        encoder = self._loaded()
        dims = encoder.dims
        asked = [i for i, text in enumerate(texts) if text.strip()]
        vectors = [Vector(bytes(dims), 0.0)] * len(texts)
        for start in range(0, len(asked), TOGETHER):
            batch = asked[start : start + TOGETHER]
            some = [texts[i] for i in batch]
            try:
                rows = within(waited(), partial(encoder.encode, some, question=question))
                found = [[float(number) for number in row] for row in rows]
            except ModelError:
                raise
            except Exception as error:  # it is somebody else's code
                raise self._error(told(error)) from error
            if len(found) != len(batch):
                raise self._error(f"it makes {len(found)} vectors of {len(batch)} texts")
            for i, numbers in zip(batch, found, strict=True):
                if len(numbers) != dims or not all(map(isfinite, numbers)):
                    raise self._error(f"it makes a vector that is not {dims} finite numbers")
                vectors[i] = quantised(numbers)
        return vectors

    def _error(self, why: str) -> ModelError:
        return ModelError(
            f"the embedder {self._name!r} cannot read: {why}",
            "update its package, or set embed.provider to another",
        )
