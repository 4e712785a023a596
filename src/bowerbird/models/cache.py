"""Vectors that were paid for once: kept in memory for a day, and in the store for good.

Before a model behind a server. The built-in one is as fast as any cache.
"""

from time import monotonic

from bowerbird.core.errors import ModelError
from bowerbird.core.ids import content_hash
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Protocol

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.types import ModelIdentity, Vector

    class Embeddings(Protocol):
        """Vectors kept by model and by the hash of their text. Knows nothing of who makes them."""

        def known(self, model: str, hashes: Collection[bytes]) -> dict[bytes, Vector]:
            """Those of some texts."""
            ...

        def keep(
            self, model: str, vectors: Mapping[bytes, Vector], used: Collection[bytes]
        ) -> None:
            """Put vectors in and count that others were used, where it may be written."""
            ...

        def note(self, model: str, hash: bytes, vector: Vector) -> None:
            """Keep the vector of a question."""
            ...


# In memory: at most this number of vectors, none for longer than a day.
MOST = 10_000
LIFETIME_SECONDS = 24 * 3600.0


class _Failure(Value):
    """Why the model did not read a question; told again to who asks the same at once."""

    __slots__ = ("error", "hash")

    def __init__(self, hash: bytes, error: ModelError) -> None:
        self.hash = hash
        self.error = error


class CachedEmbedder:
    """An embedder that asks another one only for what neither memory nor the store knows."""

    def __init__(
        self,
        inner: "Embedder",
        kept: "Embeddings",
        clock: "Callable[[], float]" = monotonic,
    ) -> None:
        self._inner = inner
        self._kept = kept
        self._clock = clock
        self._near: dict[bytes, tuple[float, Vector]] = {}
        self._failure: _Failure | None = None
        self.sentences = inner.sentences

    @property
    def identity(self) -> "ModelIdentity":
        """The inner model's. Raises ModelError while it is not known."""
        return self._inner.identity

    def ready(self) -> None:
        """Make sure that the identity is known. Raises ModelError."""
        self._inner.ready()

    def embed(self, texts: "Sequence[str]") -> "list[Vector]":
        """One vector a text, in order; each different text is asked for once. Raises ModelError."""
        hashes = [content_hash(text.encode("utf-8", "replace")) for text in texts]
        known = self._known(set(hashes))
        used = tuple(known)
        missing = {
            hash: text for hash, text in zip(hashes, texts, strict=True) if hash not in known
        }
        fresh = {}
        if missing:
            fresh = dict(zip(missing, self._inner.embed(list(missing.values())), strict=True))
            known |= fresh
            for hash, vector in fresh.items():
                self._remember(hash, vector)
        if known:
            self._kept.keep(str(self.identity), fresh, used)
        return [known[hash] for hash in hashes]

    def embed_query(
        self, text: str, word_weight: "Callable[[str], float] | None" = None
    ) -> "Vector":
        """The vector of a question; the same one is asked for once. Raises ModelError."""
        hash = _question_hash(text)
        failure, self._failure = self._failure, None
        if failure is not None and failure.hash == hash:
            raise failure.error
        vector = self._known({hash}).get(hash)
        if vector is None:
            vector = self._inner.embed_query(text, word_weight)
            self._remember(hash, vector)
            self._kept.note(str(self.identity), hash, vector)
        return vector

    def ask_ahead(self, text: str) -> None:
        """Read a question before the store is, so that nothing waits for a server meanwhile."""
        try:
            self.embed_query(text)
        except ModelError as error:
            self._failure = _Failure(_question_hash(text), error)

    def _remembered(self, hashes: "set[bytes]") -> "dict[bytes, Vector]":
        """Those that are in memory."""
        now = self._clock()
        known = {}
        for hash in hashes:
            found = self._near.pop(hash, None)
            if found is not None and now - found[0] < LIFETIME_SECONDS:
                self._near[hash] = found  # the last one used goes last
                known[hash] = found[1]
        return known

    def _known(self, hashes: "set[bytes]") -> "dict[bytes, Vector]":
        """Those that are in memory or in the store."""
        known = self._remembered(hashes)
        rest = hashes - set(known)
        if not rest:
            return known
        try:
            model = str(self.identity)
        except ModelError:
            return known  # nothing of it can be there
        for hash, vector in self._kept.known(model, rest).items():
            known[hash] = vector
            self._remember(hash, vector)
        return known

    def _remember(self, hash: bytes, vector: "Vector") -> None:
        self._near[hash] = (self._clock(), vector)
        if len(self._near) > MOST:
            del self._near[next(iter(self._near))]


def _question_hash(text: str) -> bytes:
    """Some models read a question otherwise than the same words in a text."""
    return content_hash(b"question\0" + text.encode("utf-8", "replace"))
