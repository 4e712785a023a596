"""Collects changes of documents and writes them to the store, one transaction for each batch."""

from contextlib import contextmanager, suppress
from itertools import islice

from bowerbird.core.document import Incoming
from bowerbird.core.errors import ModelError
from bowerbird.core.origins import trust_of
from bowerbird.core.pieces import in_pieces
from bowerbird.core.report import Stopped
from bowerbird.core.types import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bowerbird.core.document import Document, Piece
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store
    from bowerbird.core.report import Report

    Freeing = Callable[[Callable[[], list[int]]], list[int]]

# Text of one transaction: large enough that its fsync does not count, small enough that other writers
# wait for tenths of a second.
_TEXT_BYTES = 2_000_000
_PASSAGES = 5_000
_DOCUMENTS = 500
# After a run that wrote at least one in this many of all passages, the word indexes are merged: for
# 100,000 passages that takes .7 s of 24 s, and a query then takes .97 of its CPU time.
_SETTLES = 4


class Batch:
    """Documents to write, touch and remove.

    `embedded` counts the embedded texts, `added`, `changed` and `removed` count documents, `passages`
    their passages, and `met` the documents that another process wrote meanwhile. `unread` is why the
    model did not embed other texts, whose vectors are still missing.
    """

    def __init__(
        self, store: "Store", embedder: "Embedder", since: int, freeing: "Freeing | None" = None
    ) -> None:
        """`since` is the store's generation when the run began; `freeing` runs deleting writes."""
        self._freeing = freeing
        self.embedded = self.added = self.changed = self.removed = self.passages = self.met = 0
        self.unread = ""
        self._since = since
        self._store = store
        # Documents that this run wrote itself and then removes again.
        self._withdrawn: set[tuple[int, str]] = set()
        self._embedder = embedder
        # Whether Ctrl-C was pressed while a batch was written: its transaction is rolled back.
        self._interrupted = False
        self._clear()

    def _clear(self) -> None:
        self._put: list[tuple[int, str, Document, list[Piece], int, bool]] = []
        self._touched: list[tuple[int, str, int, int]] = []
        self._retrusted: list[tuple[int, str, str]] = []
        self._removed: list[tuple[int, str]] = []
        self._bytes = self._pieces = 0

    @property
    def kept(self) -> int:
        """The number of documents that this run wrote and that are still stored."""
        return self.added + self.changed + self.met

    def replace(
        self,
        project: int,
        origin: str,
        document: "Document",
        pieces: "list[Piece]",
        meaning: int,
        *,
        new: bool,
        instead_of: "Sequence[str]" = (),
    ) -> None:
        """Replaces the document at a path, and removes those at the paths `instead_of`.

        All in one transaction, including documents that this run wrote. The first `meaning` pieces are
        embedded, the others are found by their words only.
        """
        gone = [(project, path) for path in instead_of]
        self._put = [one for one in self._put if (one[0], one[2].path) not in gone]
        self._withdrawn.update(gone)
        self._removed += gone
        self._put.append((project, origin, document, pieces, meaning, new))
        self._bytes += document.size
        self._pieces += len(pieces)
        self._write_if_full()

    def touch(self, project: int, path: str, size: int, modified: int) -> None:
        """Records that a file is unchanged, with its new size and time."""
        self._touched.append((project, path, size, modified))
        self._write_if_full()

    def update_trust(self, project: int, path: str, before: str | None, origin: str) -> None:
        """Adapts the trust of an unchanged file's passages to the file's current origin.

        `before` is their trust so far, None where there are no passages.
        """
        if before in (None, trust_of(origin)):
            return
        self._retrusted.append((project, path, origin))
        self._write_if_full()

    def remove(self, project: int, path: str) -> None:
        """Removes a document with everything that belongs to it."""
        self._removed.append((project, path))
        self._write_if_full()

    def _write_if_full(self) -> None:
        documents = len(self._put) + len(self._touched) + len(self._retrusted) + len(self._removed)
        full = self._bytes >= _TEXT_BYTES or self._pieces >= _PASSAGES
        if full or documents >= _DOCUMENTS:
            self.write()

    def write(self) -> None:
        """Embeds, then writes everything in one transaction; on failure the old state remains."""
        if not (self._put or self._touched or self._retrusted or self._removed):
            return
        try:
            self._write()
        except KeyboardInterrupt:
            self._interrupted = True
            raise

    def write_read(self) -> None:
        """Writes the documents that were read before the run was interrupted.

        Does nothing if the interrupt hit a write, which would start again, or if the embedder is a
        sentence model, which takes minutes for a batch.
        """
        if not self._interrupted and not self._embedder.sentences:
            self.write()

    def _write(self) -> None:
        if self._freeing is not None and self._removed and not self._put:
            self.removed += sum(self._freeing(self._take_out))
            self._clear()
            return
        texts = [
            embedded_text(piece.text, piece.context, piece.speaker, document.tags)
            for _, _, document, pieces, meaning, _ in self._put
            for piece in pieces[:meaning]
        ]
        vectors: list[Vector] | None = None
        try:
            vectors = self._embedder.embed(texts)
        except ModelError as error:
            # The texts are stored without vectors and found by their words until the model is available.
            self.unread = f"{error.message}; {error.remedy}"
        with self._store.transaction():
            documents = self._store.documents
            model = self._store.ensure_model(self._embedder.identity) if vectors else 0
            documents.replace_all(list(self._incoming(vectors)), model)
            self._keep()
            for project, path in self._removed:
                if self._put_meanwhile(project, path) is None:
                    self.removed += documents.remove(project, path)
        self.embedded += len(vectors or ())
        self._clear()

    def _take_out(self) -> list[int]:
        with self._store.transaction():
            self._keep()
        return [*in_pieces(self._removed, self._remove)]

    def _keep(self) -> None:
        documents = self._store.documents
        for project, path, size, modified in self._touched:
            documents.touch(project, path, size, modified)
        for project, path, origin in self._retrusted:
            documents.set_trust(project, path, origin, trust_of(origin))

    def _remove(self, some: "Sequence[tuple[int, str]]") -> int:
        documents = self._store.documents
        with self._store.transaction():
            return sum(
                documents.remove(project, path)
                for project, path in some
                if self._put_meanwhile(project, path) is None
            )

    def settle(self) -> None:
        """Merges the word indexes step by step if this run wrote a large part of their content."""
        if self.passages * _SETTLES < self._store.words.totals()[0]:
            return
        documents = self._store.documents
        begin = more = True
        while more:
            with self._store.transaction():
                more = documents.merge(begin=begin)
            begin = False

    def fill(self, report: "Report") -> None:
        """Writes the counts into the report of the run."""
        report.added, report.changed, report.removed = self.added, self.changed, self.removed
        report.passages, report.embedded, report.unread = self.passages, self.embedded, self.unread
        report.unchanged += self.met

    def _incoming(self, vectors: "list[Vector] | None") -> "Iterator[Incoming]":
        """The documents to write, without those that another process wrote meanwhile and as recently.

        Their passages wait for the model if there are no `vectors`.

        That process may have read the file later, and the ids of its passages may be in use.
        """
        left = iter(vectors or ())
        for project, origin, document, pieces, meaning, new in self._put:
            read = list(islice(left, meaning))
            if vectors is not None:
                read += [self._meaningless] * (len(pieces) - meaning)
            theirs = self._put_meanwhile(project, document.path)
            if theirs is not None and (theirs[0] == document.hash or theirs[1] > document.modified):
                self.met += 1
                continue
            self.added += new
            self.changed += not new
            self.passages += len(pieces)
            yield Incoming(project, document, pieces, read, origin, trust_of(origin))

    @property
    def _meaningless(self) -> "Vector":
        """The vector of a text without a known word."""
        return Vector(bytes(self._embedder.identity.dims), 0.0)

    def _put_meanwhile(self, project: int, path: str) -> tuple[bytes, int] | None:
        """Hash and time of what another process wrote at a path since this run began, else None."""
        known = self._store.documents.known(path).get((project, path))
        if known is None or (project, path) in self._withdrawn:
            return None
        hash, _, modified, _, generation, _ = known
        return (hash, modified) if generation >= self._since else None


@contextmanager
def stoppable(batch: Batch) -> "Iterator[None]":
    """On Ctrl-C, writes what was read and reports how much; on a second Ctrl-C, stops at once."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        with suppress(KeyboardInterrupt):
            batch.write_read()
        raise Stopped(batch.kept) from interrupt


def embedded_text(text: str, context: str, speaker: str, tags: "Iterable[str]" = ()) -> str:
    """Notes and code with their context and tags above; turns of a conversation unchanged.

    For a turn its neighbours say more than any heading, and they are joined at query time.
    """
    if speaker:
        return text
    above = " ".join(filter(None, (context, *(f"#{tag}" for tag in sorted(tags)))))
    return f"{above}\n{text}" if above else text
