"""Checks the word indexes against the texts: each word is indexed where the text has it, and only there.

FTS5 can check whether a contentless index is consistent, not whether it matches the texts. So the texts
are indexed once more, in a temporary database, and both are compared: every word with each of its places.
"""

from itertools import groupby
from operator import itemgetter

import apsw

from bowerbird.core.text import words
from bowerbird.core.types import FORGOTTEN, STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.ports.progress import Progress

_KEPT = f"f.state <> {STATES.index(FORGOTTEN)}"
# Each index: the text of each row, from the entries.
_INDEXES = {
    "word_index": "SELECT w.id, w.text, w.context, coalesce(w.path, ''), w.tags FROM word_row w"
    f" JOIN facet f ON f.id = w.id WHERE w.id > ? AND {_KEPT} ORDER BY w.id LIMIT ?",
    "document_index": "SELECT document, group_concat(searchable(text), char(10)) FROM ("
    " SELECT f.document, e.text FROM facet f JOIN entry e ON e.id = f.id WHERE f.document IN"
    " (SELECT document FROM facet WHERE document > ? GROUP BY document HAVING count(*) > 1"
    " ORDER BY document LIMIT ?)"
    " ORDER BY f.document, f.ordinal) GROUP BY document ORDER BY document",
}
# Rows that are indexed at a time. What only one damaged text keeps from being read is left out.
_BATCH = 1_000
# FTS5's own record of how many rows and words there are, by which BM25 weighs.
_AVERAGES = 1


def wrong_words(
    connection: "apsw.Connection", progress: "Progress | None"
) -> "Iterator[tuple[str, int, str]]":
    """Index, row and word of each wrong or missing posting; row 0 if unknown.

    The connection must be able to make temporary tables.
    """
    again = apsw.Connection("")
    try:
        for index, sql in _INDEXES.items():
            _make(connection, again, index)
            skipped = _fill(connection, again, index, sql, progress)
            yield from _compared(connection, again, index, skipped)
        yield from _miscounted(connection)
    finally:
        again.close()


def _make(connection: "apsw.Connection", again: "apsw.Connection", index: str) -> None:
    found = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (index,))
    again.execute(str(next(found)[0]))
    for one, schema in ((connection, "main"), (again, "main")):
        one.execute(
            f"CREATE VIRTUAL TABLE temp.{index}_places USING fts5vocab({schema}, {index}, instance)"
        )


def _fill(
    connection: "apsw.Connection",
    again: "apsw.Connection",
    index: str,
    sql: str,
    progress: "Progress | None",
) -> set[int]:
    """Index the texts again; returns the rows that cannot be read."""
    after, skipped = 0, set()
    while True:
        rows, unreadable, last = _rows(connection, sql, after, _BATCH)
        skipped |= unreadable
        if last is None:
            return skipped
        marks = ", ".join("?" * len(rows[0])) if rows else "?"
        columns = [
            name for (name,) in again.execute("SELECT name FROM pragma_table_info(?)", (index,))
        ]
        with again:
            again.executemany(
                f"INSERT INTO {index} (rowid, {', '.join(map(str, columns))}) VALUES ({marks})",
                rows,
            )
        after = last
        if progress is not None and index == "word_index":
            progress.advance(len(rows))


def _rows(
    connection: "apsw.Connection", sql: str, after: int, batch: int
) -> "tuple[list[Any], set[int], int | None]":
    """The next rows, those among them that cannot be read, and where they end."""
    try:
        rows: list[Any] = connection.execute(sql, (after, batch)).fetchall()
    except UnicodeDecodeError:
        if batch > 1:
            return _rows(connection, sql, after, batch // 2)
        table = "facet WHERE id" if "word_row" in sql else "facet WHERE document"
        column = "id" if "word_row" in sql else "document"
        found = connection.execute(f"SELECT min({column}) FROM {table} > ?", (after,))
        row = int(str(next(found)[0]))
        return [], {row}, row
    return rows, set(), int(rows[-1][0]) if rows else None


def _compared(
    connection: "apsw.Connection", again: "apsw.Connection", index: str, skipped: set[int]
) -> "Iterator[tuple[str, int, str]]":
    """Where the two differ, by the word and each row."""
    ours, theirs = _terms(connection, index), _terms(again, index)
    one, other = next(ours, None), next(theirs, None)
    while one is not None or other is not None:
        term = min(each[0] for each in (one, other) if each is not None)
        here: Sequence[Any] = ()
        there: Sequence[Any] = ()
        if one is not None and one[0] == term:
            here, one = one[1], next(ours, None)
        if other is not None and other[0] == term:
            there, other = other[1], next(theirs, None)
        if here != there:
            yield from _differing(index, term, here, there, skipped)
    if not skipped and _summed(connection, index) != _summed(again, index):
        yield index, 0, ""


def _terms(connection: "apsw.Connection", index: str) -> "Iterator[tuple[bytes, Sequence[Any]]]":
    """Each word, in the order of its bytes, with all of its places."""
    found = connection.execute(
        f"SELECT CAST(term AS BLOB), doc, col, offset FROM temp.{index}_places"
    )
    for term, positions in groupby(found, itemgetter(0)):
        yield term, [offset[1:] for offset in positions]


def _differing(
    index: str, term: bytes, ours: "Sequence[Any]", theirs: "Sequence[Any]", skipped: set[int]
) -> "Iterator[tuple[str, int, str]]":
    word = term.decode(errors="replace")
    for row in sorted({row for row, *_ in {*ours} ^ {*theirs}} - skipped):
        yield index, row, word


def _summed(connection: "apsw.Connection", index: str) -> "list[Any]":
    """How long each row is, and all together: what a word weighs in it follows from that."""
    totals = connection.execute(f"SELECT block FROM {index}_data WHERE id = {_AVERAGES}")
    return [
        # FTS5 writes none for an index that was always empty, and zeros once its last row has gone.
        *(bytes(block).strip(b"\0") and block for (block,) in totals),
        *connection.execute(f"SELECT id, sz FROM {index}_docsize ORDER BY id"),
    ]


def _miscounted(connection: "apsw.Connection") -> "Iterator[tuple[str, int, str]]":
    """The counts of words, against the texts."""
    counts: dict[bytes, int] = {}
    total = 0
    for (text,) in connection.execute(
        "SELECT CAST(e.text AS BLOB) FROM word_index_docsize w JOIN entry e ON e.id = w.id"
    ):
        total += 1
        for word in {*words(bytes(text).decode(errors="replace"))}:
            key = word.encode()
            counts[key] = counts.get(key, 0) + 1
    kept = dict(connection.execute("SELECT CAST(term AS BLOB), entries FROM word"))
    totals = dict(
        connection.execute("SELECT key, value FROM meta WHERE key IN ('entries', 'words')")
    )
    if kept != counts or totals != {"entries": total, "words": sum(counts.values())}:
        yield "word", 0, ""
