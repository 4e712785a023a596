"""Vectors of the contextual model: of memories, and over time of passages.

For a memory it also stores the vectors of its words; for a passage only its own.

One model at a time, named in `meta`. If the model changes, the former vectors are deleted and memories
wait to be embedded again.
"""

from bowerbird.core import plainjson
from bowerbird.core.types import MEMORY, NOTES
from bowerbird.storage.sqlite.nouns.entries import altered, reread
from bowerbird.storage.sqlite.nouns.filters import ALL, condition_of
from bowerbird.storage.sqlite.nouns.projects import CONTEXTUAL_MODEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.query import Filter
    from bowerbird.core.types import ModelIdentity, Vector
    from bowerbird.storage.sqlite.nouns.words import Snapshot

_READ = "(SELECT count(*) FROM contextual WHERE words IS NOT NULL)"
_MEMORIES = f"(SELECT coalesce(sum(entries), 0) FROM tally WHERE family = '{MEMORY}')"
# How many times as many of the nearest are found first, of which some may not pass a filter.
_BEFOREHAND = 16
_COSINE = "1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?))"
# How many notes the passages that are read at once are shared by, at least: a run of `index` reads 128 of
# 30 to 60 ms of processor time each, which one large file would take for itself.
_SHARE_OF_A_NOTE = 8


class Contextual:
    """The contextual vectors of memories and passages, by row."""

    def __init__(
        self,
        connection: "apsw.Connection",
        snapshot: "Snapshot",
        nominate: "Callable[[Vector, Filter], tuple[list[int], int, int] | None] | None" = None,
    ) -> None:
        """`snapshot` is what is known of the whole store.

        `nominate` knows which memories may lie nearest, how many pass and how many were read, or None.
        """
        self._connection = connection
        self._snapshot = snapshot
        self._nominate = nominate

    def state(self) -> tuple[int, int, str]:
        """How many memories have a vector, how many lack one, and the identity of the model.

        Vectors of another model are not compared.
        """
        read, memories, model = next(
            self._connection.execute(
                f"SELECT {_READ}, {_MEMORIES}, coalesce((SELECT value FROM meta WHERE key = ?), '')",
                (CONTEXTUAL_MODEL,),
            )
        )
        return int(read), int(memories) - int(read), str(model)

    def model(self) -> tuple[bool, str]:
        """Whether there are memories, with or without a vector, and the identity of the model."""
        facts = self._snapshot.facts
        if "memories" in facts:
            return facts["memories"] > 0, str(facts.get(CONTEXTUAL_MODEL, ""))
        read, waiting, model = self.state()
        return read + waiting > 0, model

    def nearest(self, vector: "Vector", filter: "Filter", limit: int) -> list[int]:
        """The memories with the nearest vectors, best first."""
        if self._nominate is None:
            # Of few whose turn it is, less is looked up: 100,000 take .3 s of CPU instead of .6.
            condition, values = condition_of(self._connection, filter)
            found: Any = self._connection.execute(
                f"SELECT n.id FROM (SELECT c.id AS id, {_COSINE} AS cosine FROM contextual c"
                " WHERE c.words IS NOT NULL ORDER BY 2 DESC, 1 LIMIT ?) n"
                f" CROSS JOIN facet f ON f.id = n.id WHERE {condition}"
                " ORDER BY n.cosine DESC, n.id LIMIT ?",
                (vector.values, _BEFOREHAND * limit, *values, limit),
            )
            if len(rows := [row for (row,) in found]) == limit:
                return rows
        sql, values, _ = self._nearest(vector, filter, limit)
        return [row for row, _, _ in self._connection.execute(sql, values)]

    def _nearest(
        self, vector: "Vector", filter: "Filter", limit: int
    ) -> "tuple[str, Sequence[Any], str]":
        """A statement of the nearest, its parameters, and how many memories have a vector, as SQL."""
        nominated = self._nominate(vector, filter) if self._nominate is not None else None
        if nominated is not None:
            rows, compared, read = nominated
            sql = (
                f"SELECT c.id, {_COSINE} AS cosine, {compared} AS compared FROM json_each(?) j"
                " CROSS JOIN contextual c ON c.id = j.value ORDER BY cosine DESC, c.id LIMIT ?"
            )
            return sql, (vector.values, plainjson.escaped(rows), limit), str(read)
        condition, values = condition_of(self._connection, filter)
        joined = "" if condition == ALL[0] else "JOIN facet f ON f.id = c.id"
        sql = (
            f"SELECT c.id, {_COSINE} AS cosine, count(*) OVER () AS compared FROM contextual c {joined}"
            f" WHERE c.words IS NOT NULL AND {condition} ORDER BY cosine DESC, c.id LIMIT ?"
        )
        return sql, (vector.values, *values, limit), _READ

    def compared(
        self, vector: "Vector", filter: "Filter", limit: int, passages: "Sequence[int]"
    ) -> "tuple[dict[int, tuple[float, bytes]], int, int, dict[int, float]]":
        """The nearest memories, best first, with their cosines and the vectors of their words.

        And how many were compared (all that pass the filter), how many memories lack a vector, and the
        cosines of those of some passages that have one. Reads the generation as well.
        """
        nearest, values, read = self._nearest(vector, filter, limit)
        near: dict[int, tuple[float, bytes]] = {}
        count = waiting = generation = 0
        beside: dict[int, float] = {}
        found: Any = self._connection.execute(
            f"SELECT n.id, n.cosine, n.compared, c.words FROM ({nearest}) n"
            " CROSS JOIN contextual c ON c.id = n.id"
            f" UNION ALL SELECT NULL, NULL, {_MEMORIES} - {read}, NULL"
            " UNION ALL SELECT NULL, CAST(value AS DOUBLE PRECISION), NULL, NULL FROM meta"
            " WHERE key = 'generation'"
            f" UNION ALL SELECT c.id, {_COSINE}, NULL, NULL"
            " FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value",
            (*values, vector.values, plainjson.escaped(list(passages))),
        )
        for row, cosine, number, words in found:
            if words is not None:
                near[row], count = (cosine, words), number
            elif row is None and cosine is None:
                waiting = number
            elif row is None:
                generation = int(cosine)
            else:
                beside[row] = cosine
        if self._snapshot.moved_to is None:
            self._snapshot.moved_to = generation
        return near, count, waiting, beside

    def cosines(self, vector: "Vector", rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some entries; those without a vector are left out."""
        found: Any = self._connection.execute(
            f"SELECT c.id, {_COSINE} FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value",
            (vector.values, plainjson.escaped(list(rows))),
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

    def unread_of(self, rows: "Sequence[int]") -> list[tuple[int, str]]:
        """Those of some memories that are pending, each with its text, in the order of their rows."""
        found = self._connection.execute(
            "SELECT m.id, e.text FROM json_each(?) j CROSS JOIN memory m ON m.id = j.value"
            " JOIN entry e ON e.id = m.id"
            " WHERE NOT EXISTS (SELECT 1 FROM contextual c WHERE c.id = m.id) ORDER BY m.id",
            (plainjson.escaped(list(rows)),),
        )
        return list(found)

    def has_any(self, rows: "Sequence[int]") -> bool:
        """Whether any of some entries has a vector."""
        found = self._connection.execute(
            "SELECT 1 FROM json_each(?) j CROSS JOIN contextual c ON c.id = j.value LIMIT 1",
            (plainjson.escaped(list(rows)),),
        )
        return found.fetchone() is not None

    def unread_passages(self, limit: int, *, notes: bool = False) -> list[tuple[int, str]]:
        """The newest passages without a vector, each with its text.

        With `notes`, of notes alone, and of each the beginning: an eighth of the limit.
        """
        if notes:
            found = self._connection.execute(
                "SELECT f.id, e.text FROM document d JOIN facet f ON f.document = d.id"
                " JOIN entry e ON e.id = f.id WHERE d.source IN (?, ?)"
                " AND f.ordinal < ?"
                " AND NOT EXISTS (SELECT 1 FROM contextual c WHERE c.id = f.id)"
                " ORDER BY f.id DESC LIMIT ?",
                (*NOTES, max(1, limit // _SHARE_OF_A_NOTE), limit),
            )
            return list(found)
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
        again = [row for row in read if last is not None and row <= last]
        if again or model != str(identity):
            altered(self._connection, *again)
            reread(self._connection, *again)
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
