"""What the contextual model of the package read of each memory: a second vector, for a second look.

One model at a time: which one is a fact about the file (`meta`). Where another one comes, what the former
read goes, and memories wait to be read anew.
"""

import json

from bowerbird.core.types import MEMORY
from bowerbird.storage.sqlite.entries import altered
from bowerbird.storage.sqlite.filters import ALL, needless, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.query import Filter
    from bowerbird.core.types import ModelIdentity, Vector

_MODEL = "contextual"


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
                "SELECT (SELECT count(*) FROM contextual),"
                " (SELECT coalesce(sum(entries), 0) FROM tally WHERE family = ?),"
                " coalesce((SELECT value FROM meta WHERE key = ?), '')",
                (MEMORY, _MODEL),
            )
        )
        return int(read), int(memories) - int(read), str(model)

    def nearest(
        self, vector: "Vector", filter: "Filter", limit: int
    ) -> tuple[list[tuple[int, float]], float, int]:
        """The memories whose vectors lie nearest, with their cosines, best first.

        Apart, the mean cosine of all that were compared, and how many those were: every one that passes.
        """
        condition, values = ALL if needless(self._connection, filter) else where(filter)
        joined = "" if condition == ALL[0] else "JOIN facet f ON f.id = c.id"
        found: list[Any] = self._connection.execute(
            "WITH near AS MATERIALIZED"
            " (SELECT c.id AS id, 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?)) AS cosine"
            f" FROM contextual c {joined} WHERE {condition})"
            " SELECT id, cosine, (SELECT avg(cosine) FROM near), (SELECT count(*) FROM near)"
            " FROM near ORDER BY cosine DESC LIMIT ?",
            (vector.values, *values, limit),
        ).fetchall()
        if not found:
            return [], 0.0, 0
        return [(row, cosine) for row, cosine, *_ in found], float(found[0][2]), int(found[0][3])

    def cosines(self, vector: "Vector", rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some memories; those that wait to be read are left out."""
        found: Any = self._connection.execute(
            "SELECT c.id, 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?))"
            " FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value",
            (vector.values, json.dumps(list(rows))),
        )
        return dict(found)

    def next_unread(self, limit: int, after: int) -> list[tuple[int, str]]:
        """The next memories behind a row that wait, each with its text, in the order of their rows."""
        found = self._connection.execute(
            "SELECT m.id, e.text FROM memory m JOIN entry e ON e.id = m.id"
            " WHERE m.id > ? AND NOT EXISTS (SELECT 1 FROM contextual c WHERE c.id = m.id)"
            " ORDER BY m.id LIMIT ?",
            (after, limit),
        )
        return list(found)

    def row_of(self, id: str) -> int:
        """The row of a memory, by its whole id."""
        row: Any = self._connection.execute("SELECT id FROM entry WHERE uid = ?", (id,)).fetchone()
        return int(row[0])

    def write(self, vectors: "Mapping[int, Vector]", identity: "ModelIdentity") -> None:
        """Put the vectors of some memories, by row; those that are gone are left out.

        Inside a transaction. The text of a memory never changes, so what was read stays right.
        """
        last, model = next(
            self._connection.execute(
                "SELECT (SELECT max(id) FROM contextual), (SELECT value FROM meta WHERE key = ?)",
                (_MODEL,),
            )
        )
        if model != str(identity) or (last is not None and min(vectors, default=last + 1) <= last):
            altered(self._connection)
        if model != str(identity):
            self._connection.execute("DELETE FROM contextual")
            self._connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_MODEL, str(identity))
            )
        there: list[Any] = self._connection.execute(
            "SELECT id FROM memory WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(vectors)),),
        ).fetchall()
        self._connection.executemany(
            "INSERT OR REPLACE INTO contextual (id, int8) VALUES (?, ?)",
            ((row, vectors[row].values) for (row,) in there),
        )
