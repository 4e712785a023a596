"""FTS5 alone: one table, OR of the words except stop-words, BM25."""

import os

import apsw

from bowerbird.bench.baselines import STOP_WORDS
from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VERSION = apsw.sqlite_lib_version()


def load(folder: str, texts: "Sequence[str]", _vectors: "Callable[[], object]") -> None:
    """Inserts all rows in one transaction, then runs FTS5's optimize."""
    connection = apsw.Connection(os.path.join(folder, "words.db"))
    connection.pragma("journal_mode", "wal")
    connection.execute(
        "CREATE VIRTUAL TABLE row USING fts5("
        "text, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    with connection:
        connection.executemany("INSERT INTO row (rowid, text) VALUES (?, ?)", enumerate(texts))
    connection.execute("INSERT INTO row (row) VALUES ('optimize')")
    connection.close()


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Orders by the table's own rank, which is the fastest way."""
    connection = apsw.Connection(os.path.join(folder, "words.db"))
    connection.pragma("mmap_size", 256 * 1024 * 1024)

    def ask(text: str, _vector: "Sequence[float]", limit: int) -> list[int]:
        asked = dict.fromkeys(words(text))
        kept = [word for word in asked if word not in STOP_WORDS] or list(asked)
        found = connection.execute(
            "SELECT rowid, text FROM row WHERE row MATCH ? ORDER BY rank LIMIT ?",
            (" OR ".join(f'"{word}"' for word in kept), limit),
        )
        return [int(row) for row, _ in found]

    return ask
