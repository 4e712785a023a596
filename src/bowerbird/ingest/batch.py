"""Changes on their way into the store, written together in one transaction."""

from contextlib import contextmanager
from itertools import islice

from bowerbird.core.answers import Stopped
from bowerbird.core.errors import ModelError
from bowerbird.core.types import Incoming
from bowerbird.ingest.embedded import embedded_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.ports import Embedder, Store
    from bowerbird.core.types import Document, Piece
    from bowerbird.ingest.places import Place

# What one transaction writes: large enough that its fsync does not count, small enough that others
# who want to write wait for tenths of a second.
_TEXT_BYTES = 2_000_000
_DOCUMENTS = 500


class Batch:
    """Documents to put, touch and take away.

    `embedded` counts the texts that a model read, `kept` the documents that stand in the store;
    `unread` is why it did not read others, which wait in the store.
    """

    def __init__(self, store: "Store", embedder: "Embedder") -> None:
        self.embedded = self.kept = 0
        self.unread = ""
        self._store = store
        self._embedder = embedder
        self._clear()

    def _clear(self) -> None:
        self._put: list[tuple[int, Place, Document, list[Piece]]] = []
        self._touched: list[tuple[int, str, int, int]] = []
        self._removed: list[tuple[int, str]] = []
        self._bytes = 0

    def replace(
        self, project: int, place: "Place", document: "Document", pieces: "list[Piece]"
    ) -> None:
        """Put a document in the place of what stood at its path."""
        self._put.append((project, place, document, pieces))
        self._bytes += document.size
        self._write_if_full()

    def touch(self, project: int, path: str, size: int, modified: int) -> None:
        """Note that a file holds what it held."""
        self._touched.append((project, path, size, modified))
        self._write_if_full()

    def remove(self, project: int, path: str) -> None:
        """Take a document away with everything that belongs to it."""
        self._removed.append((project, path))
        self._write_if_full()

    def _write_if_full(self) -> None:
        documents = len(self._put) + len(self._touched) + len(self._removed)
        if self._bytes >= _TEXT_BYTES or documents >= _DOCUMENTS:
            self.write()

    def write(self) -> None:
        """Embed, then write everything in one transaction. The old or the new state survives."""
        if not (self._put or self._touched or self._removed):
            return
        texts = [
            embedded_text(piece.text, piece.context, piece.speaker)
            for _, _, _, pieces in self._put
            for piece in pieces
        ]
        try:
            vectors = self._embedder.embed(texts)
        except ModelError as error:
            # What it says is kept, and found by its words, until the model can be asked again.
            vectors = []
            self.unread = f"{error.message}; {error.remedy}"
        with self._store.transaction():
            documents = self._store.documents
            model = self._store.ensure_model(self._embedder.identity) if vectors else 0
            left = iter(vectors)
            documents.replace_all(
                [
                    Incoming(
                        project,
                        document,
                        pieces,
                        list(islice(left, len(pieces))),
                        place.origin,
                        place.trust,
                    )
                    for project, place, document, pieces in self._put
                ],
                model,
            )
            for project, path, size, modified in self._touched:
                documents.touch(project, path, size, modified)
            for project, path in self._removed:
                documents.remove(project, path)
        self.embedded += len(vectors)
        self.kept += len(self._put)
        self._clear()


@contextmanager
def stoppable(batch: Batch) -> "Iterator[None]":
    """Tell who presses Ctrl-C what is kept: what was not written yet is left, to be prompt."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise Stopped(batch.kept) from interrupt
