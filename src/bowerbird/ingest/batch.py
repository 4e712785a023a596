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
    from bowerbird.core.types import Document, Piece, Vector
    from bowerbird.ingest.places import Place

# What one transaction writes: large enough that its fsync does not count, small enough that others
# who want to write wait for tenths of a second.
_TEXT_BYTES = 2_000_000
_DOCUMENTS = 500
# From one passage in so many of the store's on, the word indexes are merged behind a run: of 100,000
# passages for .7 s of the 24 that they take, which leaves a question .97 of its CPU.
_SETTLES = 4


class Batch:
    """Documents to put, touch and take away.

    `embedded` counts the texts that a model read, `added`, `changed` and `removed` documents, `passages`
    what they were cut into, and `met` documents that another process had put meanwhile; `unread` is why
    the model did not read others, which wait in the store.
    """

    def __init__(self, store: "Store", embedder: "Embedder", since: int) -> None:
        """`since` is the store's generation when the run began."""
        self.embedded = self.added = self.changed = self.removed = self.passages = self.met = 0
        self.unread = ""
        self._since = since
        self._store = store
        self._embedder = embedder
        self._clear()

    def _clear(self) -> None:
        self._put: list[tuple[int, Place, Document, list[Piece], bool]] = []
        self._touched: list[tuple[int, str, int, int]] = []
        self._removed: list[tuple[int, str]] = []
        self._bytes = 0

    @property
    def kept(self) -> int:
        """The documents of this run that stand in the store."""
        return self.added + self.changed + self.met

    def replace(
        self,
        project: int,
        place: "Place",
        document: "Document",
        pieces: "list[Piece]",
        *,
        new: bool,
    ) -> None:
        """Put a document in the place of what stood at its path, if anything did."""
        self._put.append((project, place, document, pieces, new))
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
            for _, _, _, pieces, _ in self._put
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
            documents.replace_all(list(self._incoming(vectors)), model)
            for project, path, size, modified in self._touched:
                documents.touch(project, path, size, modified)
            for project, path in self._removed:
                if self._put_meanwhile(project, path) is None:
                    self.removed += documents.remove(project, path)
        self.embedded += len(vectors)
        self._clear()

    def settle(self) -> None:
        """Merge the word indexes, step by step, where this run wrote a good part of what they hold."""
        if self.passages * _SETTLES < self._store.words.totals()[0]:
            return
        documents = self._store.documents
        begin = more = documents.in_pieces()
        while more:
            with self._store.transaction():
                more = documents.merge(begin=begin)
            begin = False

    def _incoming(self, vectors: "list[Vector]") -> "Iterator[Incoming]":
        """What is to be written: not what another process has put, as new as ours, since we began.

        Its passages have ids that somebody may have been told, and it may have read the file later.
        """
        left = iter(vectors)
        for project, place, document, pieces, new in self._put:
            read = list(islice(left, len(pieces)))
            theirs = self._put_meanwhile(project, document.path)
            if theirs is not None and (theirs[0] == document.hash or theirs[1] > document.modified):
                self.met += 1
                continue
            self.added += new
            self.changed += not new
            self.passages += len(pieces)
            yield Incoming(project, document, pieces, read, place.origin, place.trust)

    def _put_meanwhile(self, project: int, path: str) -> tuple[bytes, int] | None:
        """Hash and time of what another process has written at a path since this run began."""
        known = self._store.documents.known(path).get((project, path))
        if known is None:
            return None
        hash, _, modified, _, generation = known
        return (hash, modified) if generation >= self._since else None


@contextmanager
def stoppable(batch: Batch) -> "Iterator[None]":
    """Tell who presses Ctrl-C what is kept: what was not written yet is left, to be prompt."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise Stopped(batch.kept) from interrupt
