"""What SQLite says of its file, and FTS5 of its word indexes, on a connection of whatever age."""

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_INDEXES = ("word_index", "document_index")


def integrity(connection: "apsw.Connection", most: int) -> "Sequence[str]":
    """The first complaints of the check; ("ok",) if there are none. Raises apsw.Error.

    A connection remembers how an index is put together. A query looks whether another connection has
    merged its parts meanwhile; the check alone does not, and calls the merged parts missing.
    """
    connection.execute("SAVEPOINT checked")
    try:
        for index in _INDEXES:
            try:
                connection.execute(f"SELECT rowid FROM {index} LIMIT 1").fetchall()
            except apsw.Error:
                continue  # damaged: the check says how
        return [str(line) for (line,) in connection.execute(f"PRAGMA integrity_check({most})")]
    finally:
        connection.execute("RELEASE checked")
