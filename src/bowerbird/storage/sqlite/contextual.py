"""What the contextual model of the package read: a second vector of memories, and of passages in time.

Of memories it keeps what it made of their words, too; of passages, which have none, the vector alone.

One model at a time: which one is a fact about the file (`meta`). Where another one comes, what the former
read goes, and memories wait to be read anew.

Whoever keeps a memory compares it with all others. A process that keeps one or two asks the file. One
that goes on keeping holds the vectors of all memories in its own memory, and reads only what came since:
comparing 8,000 takes 1 ms then, in the file 19.
"""

import json
from contextlib import suppress

import apsw

from bowerbird.core.types import MEMORY
from bowerbird.storage.sqlite.candidates import CandidateSource
from bowerbird.storage.sqlite.entries import altered, beside, passing
from bowerbird.storage.sqlite.filters import ALL, needless, where
from bowerbird.storage.sqlite.sparing import UNREADABLE, sparing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry, ModelIdentity, Vector
    from bowerbird.storage.sqlite.alike import Alike
    from bowerbird.storage.sqlite.entries import Entries

    Near = list[tuple[Entry, float, float]]

# Of `meta`: the identity of the model that reads.
MODEL = "contextual"

# So often the file is asked before vectors are read: reading 8,000 memories takes 40 ms.
FROM_FILE = 2
# Vectors of up to this number of memories are cached, 640 bytes each.
MOST_KEPT = 50_000
# Rows read for each requested one: those of other projects and states are filtered out.
LOOKED_AT = 2


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
                (MEMORY, MODEL),
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
            ((one.values, row, text, model, MODEL) for row, (text, one) in read.items()),
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
                (MODEL,),
            )
        )
        if model != str(identity) or (last is not None and min(read, default=last + 1) <= last):
            altered(self._connection)
        if model != str(identity):
            self._connection.execute("DELETE FROM contextual")
            self._connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (MODEL, str(identity))
            )
        self._connection.executemany(
            "INSERT OR REPLACE INTO contextual (id, int8, words) SELECT m.id, ?, ?"
            " FROM memory m JOIN entry e ON e.id = m.id WHERE m.id = ? AND e.text = ?",
            ((one.values, one.words, row, text) for row, (text, one) in read.items()),
        )


class NearestMemories:
    """Compares memories with a text, for one connection."""

    def __init__(
        self,
        connection: "apsw.Connection",
        entries: "Entries",
        settled: "Callable[[], bool]",
        keep: "Callable[[int | None], Alike]",
    ) -> None:
        """`settled`: whether reads see committed data; an open transaction may be rolled back.

        `keep` begins to keep what a model made of memories.
        """
        self._connection = connection
        self._entries = entries
        self.damaged = entries.damaged
        self._settled = settled
        self._keep = keep
        self._asked = 0
        self._kept: Alike | None = None

    def find(
        self,
        vector: "Vector | None",
        model: int | None,
        understood: "Vector | None",
        filter: "Filter",
        limit: int,
        also: "Sequence[int]",
        size: int,
    ) -> "Near":
        """The nearest by either vector that pass a filter, and `also`, with both cosines, 0 if unknown.

        `vector` is what `model` made of a text, `understood` what the contextual one did; `size` is how
        many entries the store holds. Inside `reading`.
        """
        kept = self._current(model) if self._settled() else None
        if kept is not None:
            try:
                return self._compared(kept, vector, understood, filter, limit, also)
            except (ValueError, TypeError):
                self._asked, self._kept = 0, None
        source = CandidateSource(self._connection, self._entries.damaged)
        contextual = Contextual(self._connection)
        if vector is not None and model is not None and understood is not None:
            with suppress(*UNREADABLE):
                if source.tier(size, model) == "exact":
                    return self._scanned(vector, model, understood, filter, limit, also)
        rows = dict.fromkeys(also)
        cosines: dict[int, float] = {}
        met: dict[int, float] = {}
        if vector is not None and model is not None:
            rows |= dict.fromkeys(
                row for row, _ in source.dense(vector, model, filter, limit, size)
            )
        if understood is not None:
            rows |= dict.fromkeys(
                row for row, _ in contextual.nearest(understood, filter, limit)[0]
            )
        if vector is not None and model is not None and understood is not None:
            cosines, met = self._both_cosines(vector, model, understood, list(rows))
        elif vector is not None and model is not None:
            cosines = source.cosines(vector, model, list(rows))
        elif understood is not None:
            met = contextual.cosines(understood, list(rows))
        return self._loaded(rows, cosines, met)

    def _scanned(
        self,
        vector: "Vector",
        model: int,
        understood: "Vector",
        filter: "Filter",
        limit: int,
        also: "Sequence[int]",
    ) -> "Near":
        """The same in one statement, by one scan of each. Raises one of UNREADABLE."""
        condition, values = where(filter)
        found = beside(
            self._connection,
            "SELECT value FROM json_each(?) UNION SELECT id FROM"
            " (SELECT v.id FROM vector v JOIN facet f ON f.id = v.id"
            f" WHERE v.model = ? AND v.norm > 0 AND {condition}"
            " ORDER BY vec_distance_cosine(vec_int8(v.int8), vec_int8(?)) LIMIT ?)"
            " UNION SELECT id FROM (SELECT c.id FROM contextual c JOIN facet f ON f.id = c.id"
            f" WHERE c.words IS NOT NULL AND {condition}"
            " ORDER BY vec_distance_cosine(vec_int8(c.int8), vec_int8(?)) LIMIT ?)",
            "(SELECT 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?)) FROM vector v"
            " WHERE v.model = ? AND v.id = f.id AND v.norm > 0),"
            " (SELECT 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?)) FROM contextual c"
            " WHERE c.id = f.id)",
            (
                *(json.dumps(list(also)), model, *values, vector.values, limit),
                *(*values, understood.values, limit),
                *(vector.values, model, understood.values),
            ),
        )
        near = [
            (entry, by_model or 0.0, by_reading or 0.0) for entry, by_model, by_reading in found
        ]
        # Of equally near ones the one that shares words comes first.
        place = {row: at for at, row in enumerate(also)}
        return sorted(near, key=lambda one: (place.get(one[0].row, len(place)), -one[1], -one[2]))

    @sparing(3)
    def _both_cosines(
        self, vector: "Vector", model: int, understood: "Vector", rows: "Sequence[int]"
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Cosines of some rows by their vectors, and by what the contextual model made of memories."""
        found = self._connection.execute(
            "SELECT 0, v.id, 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?1))"
            " FROM json_each(?2) j CROSS JOIN vector v ON v.model = ?3 AND v.id = j.value"
            " WHERE v.norm > 0 UNION ALL"
            " SELECT 1, c.id, 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?4))"
            " FROM json_each(?2) j CROSS JOIN contextual c ON c.id = j.value",
            (vector.values, json.dumps(list(rows)), model, understood.values),
        )
        wanted = list(found)
        by_model, by_reading = ({row: at for one, row, at in wanted if one == n} for n in (0, 1))
        return by_model, by_reading

    @sparing(0)
    def _passing(self, rows: "Sequence[int]", filter: "Filter") -> "dict[int, Entry]":
        return passing(self._connection, rows, filter)

    def _loaded(
        self, rows: "Iterable[int]", cosines: dict[int, float], met: dict[int, float]
    ) -> "Near":
        found = self._entries.load(list(rows))
        return [(found[at], cosines.get(at, 0.0), met.get(at, 0.0)) for at in rows if at in found]

    def _current(self, model: int | None) -> "Alike | None":
        """What is kept, with what came since; None where the file is to be asked."""
        if self._asked < FROM_FILE:
            self._asked += 1
            return None
        if self._kept is None or self._kept.model != model:
            self._kept = self._keep(model)
        try:
            if not self._kept.read(MOST_KEPT):
                self._asked, self._kept = 0, None
        except (ValueError, TypeError, apsw.SQLError):
            # A damaged vector is of another length than the others.
            self._asked, self._kept = 0, None
        return self._kept

    def _compared(
        self,
        kept: "Alike",
        vector: "Vector | None",
        understood: "Vector | None",
        filter: "Filter",
        limit: int,
        also: "Sequence[int]",
    ) -> "Near":
        cosines, met = kept.cosines(vector), kept.cosines(understood, contextual=True)
        looked_at = LOOKED_AT * limit
        while True:
            by_vector, by_reading = kept.best(cosines, looked_at), kept.best(met, looked_at)
            found = self._passing([*also, *by_vector, *by_reading], filter)
            passed = [[row for row in near if row in found] for near in (by_vector, by_reading)]
            if looked_at >= len(kept) or all(
                len(near) < looked_at or len(some) >= limit
                for near, some in zip((by_vector, by_reading), passed, strict=True)
            ):
                break
            looked_at *= looked_at
        rows = dict.fromkeys((*also, *passed[0][:limit], *passed[1][:limit]))
        return [
            (found[row], kept.at(cosines, row), kept.at(met, row)) for row in rows if row in found
        ]
