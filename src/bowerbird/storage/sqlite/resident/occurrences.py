"""Occurrences of a word, from FTS5's index: the rows that hold it, and how often.

bm25(), which scores each row by itself, looks up its size for every word: 1 µs a row, and as much again
to return it. The index alone returns a row in .2 µs, and sizes are read once.
"""

import apsw
import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
# A row and one of four columns of `word_index` in one number, the column in two bits by its position;
# tags are the remaining column. Unrolled for each column: nine in ten occurrences are in the text.
_BITS = 2
_KEY = (
    f"CASE col WHEN 'text' THEN doc << {_BITS} WHEN 'context' THEN doc << {_BITS} | 1"
    f" WHEN 'path' THEN doc << {_BITS} | 2 ELSE doc << {_BITS} | 3 END"
)
TEXT = 0
# No row number is higher.
LAST_ROW = (1 << 63) - 1
_LAST_LETTER = "char(1114111)"


class Occurrences:
    """Each occurrence of a word in `word_index`, as a row and a column."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Outside of a transaction: its end would take the view of the index along."""
        self._connection = connection
        self._tokenizer = connection.fts5_tokenizer(*_TOKENIZER)
        self._sizes: list[int] = []
        # Once: a cached statement continues to call the function that existed when it was prepared.
        connection.register_fts5_function("tokens_of", self._note_size)
        reads_only = connection.pragma("query_only")
        connection.pragma("query_only", False)
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurrence"
            " USING fts5vocab(main, word_index, instance)"
        )
        connection.pragma("query_only", reads_only)

    def of(self, word: str) -> "tuple[NDArray[np.int64], NDArray[np.int64]] | None":
        """The rows and columns in which a word occurs, one item per occurrence, by row.

        The word may be a prefix, marked by ``*``. None where the index would read it as
        several.
        """
        begins = word.endswith("*")
        tokens = self._tokens(word.removesuffix("*"), begins=begins)
        if len(tokens) > 1:
            return None
        among = f"BETWEEN ?1 AND ?1 || {_LAST_LETTER}" if begins else "= ?1"
        found = self._connection.execute(
            f"SELECT group_concat({_KEY}) FROM temp.occurrence WHERE term {among}", tokens or ("",)
        )
        keys = joined(next(found)[0])
        if begins:
            keys.sort(kind="stable")
        return keys >> _BITS, keys & ((1 << _BITS) - 1)

    def sizes(
        self, table: str, after: int = 0, last: int = LAST_ROW
    ) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """The rows of a full-text table after one, ascending, and their tokens: in all, and in the text.

        By FTS5's own interface: 11 to 18 ms at 10,000 rows, once a process, where unpacking the pages
        that hold them took 9 to 12.
        """
        self._sizes.clear()
        found = self._connection.execute(
            f"SELECT rowid, tokens_of({table}) FROM {table} WHERE rowid > ? AND rowid <= ?"
            " ORDER BY rowid",
            (after, last),
        )
        rows = np.array([row for row, _ in found], np.int64)
        return rows, np.array(self._sizes, np.int64).reshape(-1, 2)

    def _note_size(self, row: "apsw.FTS5ExtensionApi", *_: object) -> None:
        self._sizes.append(row.column_size(-1))
        self._sizes.append(row.column_size(TEXT))

    def _tokens(self, word: str, *, begins: bool) -> list[str]:
        flags = apsw.FTS5_TOKENIZE_QUERY | (apsw.FTS5_TOKENIZE_PREFIX if begins else 0)
        found = self._tokenizer(word.encode(), flags, None, include_offsets=False)
        return [str(token) for colocated in found for token in colocated]


def joined(numbers: str | None) -> "NDArray[np.int64]":
    """Parses the single text that group_concat() returns: one row at a time costs twice as much."""
    return np.fromstring(numbers, np.int64, sep=",") if numbers else np.zeros(0, np.int64)
