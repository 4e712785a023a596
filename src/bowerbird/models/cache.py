"""A cache of vectors: in memory for a day, and permanently in the store.

For models behind a server. The built-in model is as fast as any cache.
"""

from time import monotonic

from bowerbird.core.errors import ModelError
from bowerbird.core.ids import content_hash
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Protocol

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.types import ModelIdentity, Vector

    class Embeddings(Protocol):
        """Stores vectors by model and hash of the text. Knows nothing of what computes them."""

        def known(self, model: str, hashes: Collection[bytes]) -> dict[bytes, Vector]:
            """The stored vectors, by hash of their text."""
            ...

        def keep(
            self, model: str, vectors: Mapping[bytes, Vector], used: Collection[bytes]
        ) -> None:
            """Store new vectors, and count uses of others, if the store is writable."""
            ...

        def note(self, model: str, hash: bytes, vector: Vector) -> None:
            """Store the vector of a query."""
            ...


# At most this number of vectors in memory, none for longer than a day.
MOST = 10_000
LIFETIME_SECONDS = 24 * 3600.0


class _Failure(Record):
    """Why the model could not embed a query; raised again for the same query without a new request."""

    hash: bytes
    error: ModelError


class CachedEmbedder:
    """An embedder that requests from another one only vectors that neither memory nor the store has."""

    def __init__(
        self, inner: "Embedder", kept: "Embeddings", clock: "Callable[[], float]" = monotonic
    ) -> None:
        self._inner = inner
        self._kept = kept
        self._clock = clock
        self._near: dict[bytes, tuple[float, Vector]] = {}
        self._failure: _Failure | None = None
        self.sentences = inner.sentences

    @property
    def identity(self) -> "ModelIdentity":
        """The identity of the inner model. Raises ModelError while it is unknown."""
        return self._inner.identity

    def ready(self) -> None:
        """Ensure that the identity is known. Raises ModelError."""
        self._inner.ready()

    def embed(self, texts: "Sequence[str]") -> "list[Vector]":
        """One vector per text, in order; each distinct text is requested once. Raises ModelError."""
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
        """The vector of a query; the same query is requested once. Raises ModelError."""
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
        """Embed a query in advance, so that no open transaction waits for a server."""
        try:
            self.embed_query(text)
        except ModelError as error:
            self._failure = _Failure(_question_hash(text), error)

    def _remembered(self, hashes: "set[bytes]") -> "dict[bytes, Vector]":
        """The vectors in memory, by hash."""
        now = self._clock()
        known = {}
        for hash in hashes:
            found = self._near.pop(hash, None)
            if found is not None and now - found[0] < LIFETIME_SECONDS:
                self._near[hash] = found  # most recently used last
                known[hash] = found[1]
        return known

    def _known(self, hashes: "set[bytes]") -> "dict[bytes, Vector]":
        """The vectors in memory or in the store, by hash."""
        known = self._remembered(hashes)
        rest = hashes - set(known)
        if not rest:
            return known
        try:
            model = str(self.identity)
        except ModelError:
            return known  # no vectors without an identity
        for hash, vector in self._kept.known(model, rest).items():
            known[hash] = vector
            self._remember(hash, vector)
        return known

    def _remember(self, hash: bytes, vector: "Vector") -> None:
        self._near[hash] = (self._clock(), vector)
        if len(self._near) > MOST:
            del self._near[next(iter(self._near))]


def _question_hash(text: str) -> bytes:
    """Some models embed queries differently from documents, so their hashes differ."""
    return content_hash(b"question\0" + text.encode("utf-8", "replace"))
