"""Another model than the built-in one, with what the store keeps of its reading."""

from contextlib import suppress

from bowerbird.core.errors import ModelError, StoreError
from bowerbird.models.embed.centred import CentredEmbedder, centred_revision
from bowerbird.models.registry import cached, other_embedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from bowerbird.core.config import Config
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Vector
    from bowerbird.storage.question_vectors import QuestionVectors


class OtherModel:
    """One such model for one store."""

    def __init__(
        self,
        config: "Config",
        reader: "Callable[[], Store]",
        writer: "Callable[[], Store | None]",
        asked: "QuestionVectors",
    ) -> None:
        """`writer` gives a store only where one is open for writing. Raises as the registry does."""
        self._reader = reader
        self._writer = writer
        self._asked = asked
        self._most: int = config["cache.max_entries"]
        self._model = other_embedder(config)
        self._model.recall(self._dims_of)
        self.embedder = CentredEmbedder(cached(self._model, self))

    def ask_ahead(self, text: str) -> None:
        """Let the model read a question now."""
        try:
            known = self._reader().model_row(self.embedder.identity) is not None
        except ModelError:
            return  # nothing it read is here: there is nothing to compare with
        if known:
            self.embedder.ask_ahead(text)

    def _dims_of(self, provider: str, name: str, revision: str) -> int:
        with suppress(StoreError):  # whoever needs the store will say so
            return self._reader().vectors.dims_of(provider, name, centred_revision(revision))
        return 0

    def close(self) -> None:
        """Let go of connections and weights; the next question takes them up again."""
        self._model.close()

    def known(self, model: str, hashes: "Collection[bytes]") -> "dict[bytes, Vector]":
        """Vectors that the store keeps, or the file of questions beside it."""
        try:
            found = self._reader().embeddings(self._most).known(model, hashes)
        except StoreError:
            found = {}
        rest = [hash for hash in hashes if hash not in found]
        return {**self._asked.known(model, rest), **found} if rest else found

    def keep(
        self, model: str, vectors: "Mapping[bytes, Vector]", used: "Collection[bytes]"
    ) -> None:
        """Put vectors into the store, where it is open for writing; else beside it."""
        store = self._writer()
        if store is None:
            if vectors:
                self._asked.keep(model, vectors)
        else:
            with store.transaction():
                store.embeddings(self._most).keep(model, vectors, used)

    def note(self, model: str, hash: bytes, vector: "Vector") -> None:
        """Store the vector of a question beside the store, which keeps its cached answers."""
        if self._most:
            self._asked.keep(model, {hash: vector})
