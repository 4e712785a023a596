"""Where a word stands, as FTS5's index tells it: the rows that hold it, and how often.

What weighs each row by itself, bm25(), looks up its size for every word: 1 µs a row, and as much again
to hand it over. The index alone tells of a row in .2 µs, and sizes are read once.
"""

import apsw
import numpy as np

from bowerbird.storage.sqlite.columns import batches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
# A row and one of four columns of `word_index` in one number, the column in two bits by its position;
# tags are what is none of the others. Written out for each: nine in ten stand in the text.
_BITS = 2
_KEY = (
    f"CASE col WHEN 'text' THEN doc << {_BITS} WHEN 'context' THEN doc << {_BITS} | 1"
    f" WHEN 'path' THEN doc << {_BITS} | 2 ELSE doc << {_BITS} | 3 END"
)
TEXT = 0
_MARK = 0x80
_LAST_LETTER = "char(1114111)"


class Occurrences:
    """Each place of a word in `word_index`, as a row and a column."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Outside of a transaction: its end would take the view of the index along."""
        self._connection = connection
        self._tokenizer = connection.fts5_tokenizer(*_TOKENIZER)
        reads_only = connection.pragma("query_only")
        connection.pragma("query_only", False)
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurrence"
            " USING fts5vocab(main, word_index, instance)"
        )
        connection.pragma("query_only", reads_only)

    def of(self, word: str) -> "tuple[NDArray[np.int64], NDArray[np.int64]] | None":
        """The rows and columns in which a word stands, each as often as it stands there, by row.

        The word may be the beginning of one, marked by ``*``. None where the index would read it as
        several.
        """
        begins = word.endswith("*")
        tokens = self._tokens(word.removesuffix("*"), begins=begins)
        if len(tokens) > 1:
            return None
        among = f"BETWEEN ?1 AND ?1 || {_LAST_LETTER}" if begins else "= ?1"
        found = self._connection.execute(
            f"SELECT group_concat({_KEY}) FROM temp.occurrence WHERE term {among}",
            tokens or ("",),
        )
        keys = joined(next(found)[0])
        if begins:
            keys.sort(kind="stable")
        return keys >> _BITS, keys & ((1 << _BITS) - 1)

    def _tokens(self, word: str, *, begins: bool) -> list[str]:
        flags = apsw.FTS5_TOKENIZE_QUERY | (apsw.FTS5_TOKENIZE_PREFIX if begins else 0)
        found = self._tokenizer(word.encode(), flags, None, include_offsets=False)
        return [str(token) for colocated in found for token in colocated]


def joined(numbers: str | None) -> "NDArray[np.int64]":
    """What group_concat() hands over as one text: a row at a time costs twice as much."""
    return np.fromstring(numbers, np.int64, sep=",") if numbers else np.zeros(0, np.int64)


def sizes(
    connection: apsw.Connection, table: str, after: int = 0
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """The rows of a full-text table, ascending, and how many tokens each has, a column each.

    Of the rows `after` one.
    """
    rows, tokens = [np.zeros(0, np.int64)], []
    found = connection.execute(
        f"SELECT id, sz FROM {table}_docsize WHERE id > ? ORDER BY id", (after,)
    )
    for some in batches(found):
        rows.append(np.array([row for row, _ in some], np.int64))
        tokens.append(_varints(b"".join(size for _, size in some)).reshape(len(some), -1))
    return np.concatenate(rows), np.concatenate(tokens or [np.zeros((0, 1), np.int64)])


def _varints(packed: bytes) -> "NDArray[np.int64]":
    """Numbers as SQLite packs them: seven bits a byte, the highest first, the last without a mark."""
    marked = np.frombuffer(packed, np.uint8)
    ends = np.flatnonzero(marked < _MARK)
    starts = np.concatenate(([0], ends[:-1] + 1))
    after = np.repeat(ends, ends - starts + 1) - np.arange(len(marked))
    return np.add.reduceat((marked & (_MARK - 1)).astype(np.int64) << (7 * after), starts)
