"""Rebuilds the word indexes from the text, a batch at a time, while others read and write.

The indexes hold only derived data: the matches and the rarity of each word follow from the stored texts.
Until it is done, entries not yet indexed are found by meaning alone, and every answer says so. A run that
is killed leaves a mark in the store, and the next process that opens it for writing finishes the work.
"""

import json
import os
from contextlib import contextmanager, suppress

from bowerbird.core.types import FORGOTTEN, STATES
from bowerbird.host.locks import lock, opened_to_lock
from bowerbird.storage.sqlite.nouns.entries import altered
from bowerbird.storage.sqlite.nouns.words import BEING_REBUILT, REWORDING, count, lack_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    import apsw

    from bowerbird.core.ports.files import Documents
    from bowerbird.core.ports.progress import Progress

    Transaction = Callable[[], AbstractContextManager[None]]

# Entries that one transaction indexes: others who want to write wait for tenths of a second.
_BATCH = 2_000
_KEPT = f"f.state <> {STATES.index(FORGOTTEN)}"
_EMPTY = """
INSERT INTO word_index (word_index) VALUES ('delete-all');
INSERT INTO document_index (document_index) VALUES ('delete-all');
DELETE FROM word;
UPDATE meta SET value = 0 WHERE key IN ('entries', 'words');
DELETE FROM tally;
INSERT INTO tally SELECT project, family, kind, state, count(*) FROM facet GROUP BY 1, 2, 3, 4;
"""
_WORDS = (
    "INSERT INTO word_index (rowid, text, context, path, tags)"
    " SELECT id, text, context, path, tags FROM word_row"
    " WHERE id IN (SELECT value FROM json_each(?))"
)
_WHOLES = """
INSERT INTO document_index (rowid, text)
    SELECT document, group_concat(searchable(text), char(10)) FROM (
        SELECT f.document, e.text FROM facet f JOIN entry e ON e.id = f.id
        WHERE f.document IN (SELECT value FROM json_each(?)) ORDER BY f.document, f.ordinal
    ) GROUP BY document
"""
_NEXT = (
    f"SELECT f.id FROM facet f JOIN entry e ON e.id = f.id WHERE f.id > ? AND {_KEPT}"
    " AND NOT EXISTS (SELECT 1 FROM word_index_docsize w WHERE w.id = f.id) ORDER BY f.id LIMIT ?"
)
_NEXT_WHOLES = (
    "SELECT f.document FROM facet f WHERE f.document > ? AND NOT EXISTS"
    " (SELECT 1 FROM document_index_docsize w WHERE w.id = f.document)"
    " GROUP BY f.document HAVING count(*) > 1 ORDER BY f.document LIMIT ?"
)


def reword(
    connection: "apsw.Connection",
    transaction: "Transaction",
    documents: "Documents",
    progress: "Progress | None",
) -> tuple[int, int]:
    """Rebuild the word indexes, the counts of words and those of entries.

    Returns how many entries are indexed, and how many were left out because their text is unreadable.
    """
    rewording = _Rewording(connection, transaction)
    with _turn(connection.filename, wait=True):
        with transaction():
            connection.execute(_EMPTY)
            connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, 1)", (REWORDING,)
            )
            altered(connection)
        rewording.fill(documents, progress)
    return rewording.indexed, rewording.unreadable


def finish(
    connection: "apsw.Connection", transaction: "Transaction", documents: "Documents"
) -> None:
    """Finish a rebuild that was killed; does nothing if none was, or if it is still running."""
    if not lack_entries(connection):
        return
    with _turn(connection.filename, wait=False) as mine:
        if mine and lack_entries(connection):
            _Rewording(connection, transaction).fill(documents, None)


@contextmanager
def _turn(path: str, *, wait: bool) -> "Iterator[bool]":
    """Hold the lock of whoever rebuilds, and remove its file afterwards.

    Gives False, without the lock, if another process holds it and `wait` is not set.
    """
    if not path:  # a store in memory, which no other process sees
        yield True
        return
    handle = opened_to_lock(path + BEING_REBUILT, links=False)
    try:
        if not lock(handle, wait=wait):
            yield False
            return
        yield True
        with suppress(FileNotFoundError):
            os.unlink(path + BEING_REBUILT)
    finally:
        os.close(handle)


class _Rewording:
    """One run of it; each batch inside what `transaction` gives."""

    def __init__(self, connection: "apsw.Connection", transaction: "Transaction") -> None:
        self._connection = connection
        self._transaction = transaction
        self.indexed = self.unreadable = 0

    def fill(self, documents: "Documents", progress: "Progress | None") -> None:
        """Index what is not indexed yet, merge the indexes, and remove the mark."""
        if progress is not None:
            total = f"SELECT count(*) FROM facet f WHERE {_KEPT}"
            progress.start("rebuilding words", int(next(self._connection.execute(total))[0]))
        try:
            self.go_through(_NEXT, self.index, progress)
            self.go_through(_NEXT_WHOLES, self.index_wholes, None)
            begin = more = True
            while more:
                with self._transaction():
                    more = documents.merge(begin=begin)
                begin = False
            with self._transaction():
                self._connection.execute("DELETE FROM meta WHERE key = ?", (REWORDING,))
        finally:
            if progress is not None:
                progress.finish()

    def go_through(
        self, sql: str, work: "Callable[[Sequence[int]], None]", progress: "Progress | None"
    ) -> None:
        """Process the rows that a statement returns, batch by batch."""
        after = 0
        while True:
            with self._transaction():
                rows = [int(row) for (row,) in self._connection.execute(sql, (after, _BATCH))]
                if not rows:
                    return
                self._spare(rows, work)
                altered(self._connection)
            after = rows[-1]
            if progress is not None:
                progress.advance(len(rows))

    def _spare(self, rows: "Sequence[int]", work: "Callable[[Sequence[int]], None]") -> None:
        """All at once; where a text among them is no text any more, the others without it."""
        try:
            with self._connection:
                work(rows)
        except UnicodeDecodeError:
            if len(rows) == 1:
                self.unreadable += 1
                return
            for half in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
                self._spare(half, work)

    def index(self, rows: "Sequence[int]") -> None:
        """Let some entries be found by their words."""
        listed = json.dumps(rows)
        texts = [
            str(text)
            for (text,) in self._connection.execute(
                "SELECT text FROM entry WHERE id IN (SELECT value FROM json_each(?))", (listed,)
            )
        ]
        count(self._connection, texts)
        self._connection.execute(_WORDS, (listed,))
        self.indexed += len(texts)

    def index_wholes(self, documents: "Sequence[int]") -> None:
        """Index all words of some documents."""
        self._connection.execute(_WHOLES, (json.dumps(documents),))
