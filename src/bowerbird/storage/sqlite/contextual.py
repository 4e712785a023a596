"""What the contextual model of the package read: a second vector of memories, and of passages in time.

Of memories it keeps what it made of their words, too; of passages, which have none, the vector alone.

One model at a time: which one is a fact about the file (`meta`). Where another one comes, what the former
read goes, and memories wait to be read anew.
"""

import json

from bowerbird.core.types import MEMORY
from bowerbird.storage.sqlite.entries import altered
from bowerbird.storage.sqlite.filters import ALL, needless, where
from bowerbird.storage.sqlite.projects import CONTEXTUAL_MODEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.query import Filter
    from bowerbird.core.types import ModelIdentity, Vector


class Contextual:
    """Vectors of memories by their rows."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def state(self) -> tuple[int, int, str]:
        """How many memories were read, how many wait, and the identity of the model that reads.

        What another model read is not to be compared.
        """
        read, memories, model = next(
            self._connection.execute(
                "SELECT (SELECT count(*) FROM contextual WHERE words IS NOT NULL),"
                " (SELECT coalesce(sum(entries), 0) FROM tally WHERE family = ?),"
                " coalesce((SELECT value FROM meta WHERE key = ?), '')",
                (MEMORY, CONTEXTUAL_MODEL),
            )
        )
        return int(read), int(memories) - int(read), str(model)

    def nearest(
        self, vector: "Vector", filter: "Filter", limit: int
    ) -> tuple[list[tuple[int, float]], int]:
        """The memories whose vectors lie nearest, with their cosines, best first.

        Apart, how many were compared: every one that passes.
        """
        condition, values = ALL if needless(self._connection, filter) else where(filter)
        joined = "" if condition == ALL[0] else "JOIN facet f ON f.id = c.id"
        found: list[Any] = self._connection.execute(
            "SELECT c.id, 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?)) AS cosine,"
            f" count(*) OVER () FROM contextual c {joined} WHERE c.words IS NOT NULL AND {condition}"
            " ORDER BY cosine DESC LIMIT ?",
            (vector.values, *values, limit),
        ).fetchall()
        return [(row, cosine) for row, cosine, _ in found], int(found[0][2]) if found else 0

    def cosines(self, vector: "Vector", rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some entries; those that wait to be read are left out."""
        found: Any = self._connection.execute(
            "SELECT c.id, 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?))"
            " FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value",
            (vector.values, json.dumps(list(rows))),
        )
        return dict(found)

    def words(self, rows: "Sequence[int]") -> dict[int, bytes]:
        """What the model made of the words of some memories that it has read."""
        found: Any = self._connection.execute(
            "SELECT c.id, c.words FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value"
            " WHERE c.words IS NOT NULL",
            (json.dumps(list(rows)),),
        )
        return dict(found)

    def next_unread(self, limit: int, after: int) -> list[tuple[int, str]]:
        """The next pending memories after a row, each with its text, in the order of their rows."""
        found = self._connection.execute(
            "SELECT m.id, e.text FROM memory m JOIN entry e ON e.id = m.id"
            " WHERE m.id > ? AND NOT EXISTS (SELECT 1 FROM contextual c WHERE c.id = m.id)"
            " ORDER BY m.id LIMIT ?",
            (after, limit),
        )
        return list(found)

    def holds_any(self, rows: "Sequence[int]") -> bool:
        """Whether any of some entries was read."""
        found = self._connection.execute(
            "SELECT 1 FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value LIMIT 1",
            (json.dumps(list(rows)),),
        )
        return found.fetchone() is not None

    def unread_passages(self, limit: int) -> list[tuple[int, str]]:
        """The newest passages that wait, each with its text."""
        found = self._connection.execute(
            "SELECT f.id, e.text FROM facet f JOIN entry e ON e.id = f.id WHERE f.family <> ?"
            " AND NOT EXISTS (SELECT 1 FROM contextual c WHERE c.id = f.id)"
            " ORDER BY f.id DESC LIMIT ?",
            (MEMORY, limit),
        )
        return list(found)

    def write_passages(self, read: "Mapping[int, tuple[str, Vector]]", model: str) -> None:
        """Put what a model read of some passages, by row, with their texts; inside a transaction.

        Those whose text is another one by now are left out, and all where another model reads now.
        """
        self._connection.executemany(
            "INSERT OR IGNORE INTO contextual (id, int8) SELECT e.id, ? FROM entry e"
            " WHERE e.id = ? AND e.text = ? AND ? = (SELECT value FROM meta WHERE key = ?)",
            ((one.values, row, text, model, CONTEXTUAL_MODEL) for row, (text, one) in read.items()),
        )

    def row_of(self, id: str) -> int:
        """The row of a memory, by its whole id."""
        row: Any = self._connection.execute("SELECT id FROM entry WHERE uid = ?", (id,)).fetchone()
        return int(row[0])

    def write(self, read: "Mapping[int, tuple[str, Vector]]", identity: "ModelIdentity") -> None:
        """Put what a model read of some memories, by row, with their texts; inside a transaction.

        Those that are gone, or whose text is another one by now, are left out.
        """
        last, model = next(
            self._connection.execute(
                "SELECT (SELECT max(id) FROM contextual WHERE words IS NOT NULL),"
                " (SELECT value FROM meta WHERE key = ?)",
                (CONTEXTUAL_MODEL,),
            )
        )
        if model != str(identity) or (last is not None and min(read, default=last + 1) <= last):
            altered(self._connection)
        if model != str(identity):
            self._connection.execute("DELETE FROM contextual")
            self._connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                (CONTEXTUAL_MODEL, str(identity)),
            )
        self._connection.executemany(
            "INSERT OR REPLACE INTO contextual (id, int8, words) SELECT m.id, ?, ?"
            " FROM memory m JOIN entry e ON e.id = m.id WHERE m.id = ? AND e.text = ?",
            ((one.values, one.words, row, text) for row, (text, one) in read.items()),
        )
