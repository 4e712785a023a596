"""Computes the vectors of memories whose text changed."""

from itertools import accumulate

from bowerbird.core.clock import VECTOR_SECONDS, soon
from bowerbird.core.errors import ModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store

# Memories that are embedded together and written in one transaction. The contextual model converts its
# matrices once for all of them: 50 notes take a third of the time that they take one by one.
_TOGETHER = 50


def read_again(
    store: "Store",
    ids: "Sequence[str]",
    embedder: "Embedder",
    contextual: "Embedder | None",
    most: int = 0,
) -> None:
    """Embeds memories whose text changed, with both models.

    The contextual one reads the first of them, of `most` characters together, if that is given. Returns
    early if a model fails: those without vectors are embedded by the next index run.
    """
    for start in range(0, len(ids), _TOGETHER):
        rows = [store.contextual.row_of(id) for id in ids[start : start + _TOGETHER]]
        try:
            _read_by_words(store, rows, embedder)
            if contextual is not None:
                _read_by_sentences(store, rows, contextual, most)
        except ModelError:
            return


def _read_by_words(store: "Store", rows: "Sequence[int]", embedder: "Embedder") -> None:
    model = store.model_row(embedder.identity)
    if model is None:
        return
    unread = store.vectors.unread_of(model, rows)
    if unread:
        with soon(VECTOR_SECONDS * len(unread)):
            vectors = embedder.embed([one.text for one in unread])
        with store.transaction():
            store.vectors.write(unread, vectors, model)


def _read_by_sentences(
    store: "Store", rows: "Sequence[int]", contextual: "Embedder", most: int
) -> None:
    unread = dict(store.contextual.unread_of(rows))
    if most:
        lengths = accumulate(map(len, unread.values()))
        unread = {
            row: text
            for (row, text), length in zip(unread.items(), lengths, strict=True)
            if length <= most
        }
    if unread:
        vectors = contextual.embed(list(unread.values()))
        with store.transaction():
            store.contextual.write(
                {
                    row: (text, vector)
                    for (row, text), vector in zip(unread.items(), vectors, strict=True)
                },
                contextual.identity,
            )
