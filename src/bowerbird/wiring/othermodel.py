"""A configured embedder other than the built-in one, with its vectors cached in the store."""

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
    """One such embedder for one store."""

    def __init__(
        self,
        config: "Config",
        reader: "Callable[[], Store]",
        writer: "Callable[[], Store | None]",
        asked: "QuestionVectors",
        counted: "Callable[[int, float, str], None]",
        *,
        anew: bool = False,
    ) -> None:
        """`writer` returns the store only if it is open for writing; `counted` is told of requests.

        `anew`: the model is asked for its dimensions, whatever vectors of it the store has.

        Raises as the model registry does.
        """
        self._reader = reader
        self._writer = writer
        self._asked = asked
        self._most: int = config["cache.max_entries"]
        self._model = other_embedder(config, counted)
        if not anew:
            self._model.recall(self._dims_of)
        self.embedder = CentredEmbedder(cached(self._model, self))

    def ask_ahead(self, text: str) -> None:
        """Computes the vector of a query now."""
        try:
            known = self._reader().model_row(self.embedder.identity) is not None
        except ModelError:
            return  # the store has no vectors of this model to compare with
        if known:
            self.embedder.ask_ahead(text)

    def _dims_of(self, provider: str, name: str, revision: str) -> int:
        with suppress(StoreError):  # the next access to the store reports it
            return self._reader().vectors.dims_of(provider, name, centred_revision(revision))
        return 0

    def close(self) -> None:
        """Releases connections and weights; the next query opens them again."""
        self._model.close()

    def known(self, model: str, hashes: "Collection[bytes]") -> "dict[bytes, Vector]":
        """Cached vectors from the store, or from the file of query vectors beside it."""
        try:
            found = self._reader().embeddings(self._most).known(model, hashes)
        except StoreError:
            found = {}
        rest = [hash for hash in hashes if hash not in found]
        return {**self._asked.known(model, rest), **found} if rest else found

    def keep(
        self, model: str, vectors: "Mapping[bytes, Vector]", used: "Collection[bytes]"
    ) -> None:
        """Saves vectors in the store if it is open for writing, else beside it."""
        store = self._writer()
        if store is None:
            if vectors:
                self._asked.keep(model, vectors)
        else:
            with store.transaction():
                store.embeddings(self._most).keep(model, vectors, used)

    def note(self, model: str, hash: bytes, vector: "Vector") -> None:
        """Saves a query's vector beside the store, so that cached answers stay valid."""
        if self._most:
            self._asked.keep(model, {hash: vector})
