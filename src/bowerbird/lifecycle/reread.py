"""Computes the vectors of memories whose text changed."""

from bowerbird.core.errors import ModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store


def read_again(
    store: "Store",
    ids: "Iterable[str]",
    embedder: "Embedder",
    contextual: "Embedder | None",
) -> None:
    """Embeds memories whose text changed, with both models.

    Returns early if a model fails: those without vectors are embedded by the next index run.
    """
    for id in ids:
        row = store.contextual.row_of(id)
        try:
            model = store.model_row(embedder.identity)
            if model is not None:
                found, _ = store.vectors.next_unread(model, 1, row - 1)
                entry = [one for one in found if one.row == row]
                vectors = embedder.embed([one.text for one in entry]) if entry else ()
                with store.transaction():
                    store.vectors.write(entry, vectors, model)
            unread = store.contextual.next_unread(1, row - 1) if contextual is not None else []
            if contextual is not None and unread and unread[0][0] == row:
                text = unread[0][1]
                (vector,) = contextual.embed([text])
                with store.transaction():
                    store.contextual.write({row: (text, vector)}, contextual.identity)
        except ModelError:
            return
