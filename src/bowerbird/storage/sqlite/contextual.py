"""Vectors of the contextual model: of memories, and over time of passages.

For a memory it also stores the vectors of its words; for a passage only its own.

One model at a time, named in `meta`. If the model changes, the former vectors are deleted and memories
wait to be embedded again.
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
    """The contextual vectors of memories and passages, by row."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def state(self) -> tuple[int, int, str]:
        """How many memories have a vector, how many lack one, and the identity of the model.

        Vectors of another model are not compared.
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
        """The memories with the nearest vectors, with cosines, best first.

        And the number of memories compared: all that pass the filter.
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
        """The cosines of some entries; those without a vector are left out."""
        found: Any = self._connection.execute(
            "SELECT c.id, 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?))"
            " FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value",
            (vector.values, json.dumps(list(rows))),
        )
        return dict(found)

    def words(self, rows: "Sequence[int]") -> dict[int, bytes]:
        """The word vectors of some memories."""
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

    def has_any(self, rows: "Sequence[int]") -> bool:
        """Whether any of some entries has a vector."""
        found = self._connection.execute(
            "SELECT 1 FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value LIMIT 1",
            (json.dumps(list(rows)),),
        )
        return found.fetchone() is not None

    def unread_passages(self, limit: int) -> list[tuple[int, str]]:
        """The newest passages without a vector, each with its text."""
        found = self._connection.execute(
            "SELECT f.id, e.text FROM facet f JOIN entry e ON e.id = f.id WHERE f.family <> ?"
            " AND NOT EXISTS (SELECT 1 FROM contextual c WHERE c.id = f.id)"
            " ORDER BY f.id DESC LIMIT ?",
            (MEMORY, limit),
        )
        return list(found)

    def write_passages(self, read: "Mapping[int, tuple[str, Vector]]", model: str) -> None:
        """Stores vectors of passages, by row, with the texts they were computed from.

        Inside a transaction. Skips passages whose text has changed, and all of them if the model has
        changed.
        """
        self._connection.executemany(
            "INSERT OR IGNORE INTO contextual (id, int8) SELECT e.id, ? FROM entry e"
            " WHERE e.id = ? AND e.text = ? AND ? = (SELECT value FROM meta WHERE key = ?)",
            ((one.values, row, text, model, CONTEXTUAL_MODEL) for row, (text, one) in read.items()),
        )

    def row_of(self, id: str) -> int:
        """The row of a memory, by its complete id."""
        row: Any = self._connection.execute("SELECT id FROM entry WHERE uid = ?", (id,)).fetchone()
        return int(row[0])

    def write(self, read: "Mapping[int, tuple[str, Vector]]", identity: "ModelIdentity") -> None:
        """Stores vectors of memories, by row, with the texts they were computed from.

        Inside a transaction. Skips memories that are gone or whose text has changed.
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
