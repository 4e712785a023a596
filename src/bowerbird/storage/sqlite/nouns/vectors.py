"""Vectors of entries that were written under another model: found, recomputed, the old ones deleted."""

import json

from bowerbird.core.types import FORGOTTEN, STATES, ModelIdentity
from bowerbird.core.value import Value
from bowerbird.storage.sqlite.nouns.entries import altered, reread
from bowerbird.storage.sqlite.nouns.neighbourhood_norms import window_lengths
from bowerbird.storage.sqlite.nouns.sketch import sketches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    from bowerbird.core.types import Vector

# The model whose vectors are written beside those in use, until all are there.
_EXPECTED = "expected model"


# What is read of an entry: the columns of `Unread`.
_UNREAD = (
    "SELECT f.id, e.uid, e.hash, f.document, f.place, e.text, e.context, e.speaker,"
    " (SELECT group_concat(t.name, ' ') FROM tag t"
    " WHERE t.entry = f.id AND t.present = 1 AND f.document IS NOT NULL)"
    " FROM facet f JOIN entry e ON e.id = f.id"
)


class Unread(Value):
    """An entry that a model has not read yet, with what a reader of its kind would give it.

    `tags` are those of its document: a memory is read without.
    """

    __slots__ = ("context", "document", "hash", "place", "row", "speaker", "tags", "text", "uid")

    def __init__(
        self,
        row: int,
        uid: str,
        hash: bytes,
        document: int | None,
        place: int,
        text: str,
        context: str,
        speaker: str,
        tags: str | None,
    ) -> None:
        self.row = row
        self.tags = tuple((tags or "").split())
        self.uid = uid
        self.hash = hash
        self.document = document
        self.place = place
        self.text = text
        self.context = context
        self.speaker = speaker


class Vectors:
    """The vectors of one model among those that the store holds."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def unread(self, model: int, after: int = 0) -> int:
        """How many entries after that row have no vector of this model."""
        found = self._connection.execute(
            "SELECT (SELECT count(*) FROM facet WHERE id > ?2)"
            " - (SELECT count(*) FROM vector WHERE model = ?1 AND id > ?2)",
            (model, after),
        )
        return int(next(found)[0])

    def before_newest(self, count: int) -> int:
        """The row after which the requested number of last written entries begins; 0 for all."""
        found = self._connection.execute(
            "SELECT id FROM facet ORDER BY id DESC LIMIT 1 OFFSET ?", (count,)
        )
        row = found.fetchone()
        return 0 if row is None else int(row[0])

    def next_unread(self, model: int, limit: int, after: int = 0) -> "tuple[list[Unread], int]":
        """The next of them, and where they end; documents always come whole.

        At least `limit` if that many follow `after`. A caller that continues where the last ones ended
        visits each row once; skipped rows are found by starting over.
        """
        first: list[Any] = self._connection.execute(
            "SELECT f.id, f.document FROM facet f WHERE f.id > ? AND NOT EXISTS"
            " (SELECT 1 FROM vector v WHERE v.model = ? AND v.id = f.id) ORDER BY f.id LIMIT ?",
            (after, model, limit),
        ).fetchall()
        if not first:
            return [], 0
        memories = [row for row, document in first if document is None]
        documents = sorted({document for _, document in first if document is not None})
        found = self._connection.execute(
            f"{_UNREAD} WHERE f.id IN (SELECT value FROM json_each(?))"
            " OR f.document IN (SELECT value FROM json_each(?))"
            " ORDER BY f.document, f.ordinal",
            (json.dumps(memories), json.dumps(documents)),
        )
        return [Unread(*row) for row in found], first[-1][0]

    def unread_of(self, model: int, rows: "Sequence[int]") -> "list[Unread]":
        """Those of some memories that have no vector of this model."""
        found = self._connection.execute(
            f"{_UNREAD} WHERE f.id IN (SELECT value FROM json_each(?)) AND NOT EXISTS"
            " (SELECT 1 FROM vector v WHERE v.model = ? AND v.id = f.id) ORDER BY f.id",
            (json.dumps(list(rows)), model),
        )
        return [Unread(*row) for row in found]

    def write(self, read: "Sequence[Unread]", vectors: "Sequence[Vector]", model: int) -> int:
        """Store the vectors of entries just embedded; returns how many. Inside a transaction.

        Entries deleted or replaced since they were returned are skipped.
        """
        bits = sketches([vector.values for vector in vectors])
        windows = [vector.norm for vector in vectors]
        for start, end in _documents(read):
            midpoints = [entry.place for entry in read[start:end]]
            windows[start:end] = window_lengths(vectors[start:end], midpoints)
        unchanged = self._unchanged(read)
        altered(self._connection, *(entry.row for entry in read))
        self._connection.executemany(
            "INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?, ?)",
            (
                (entry.row, model, vector.values, vector.norm, window)
                for entry, vector, window in zip(read, vectors, windows, strict=True)
                if entry.row in unchanged
            ),
        )
        if model == self.expected():
            return len(unchanged)  # sketches are those of the model in use
        self._connection.executemany(
            "UPDATE facet SET sketch = ? WHERE id = ?",
            (
                (sketch if vector.norm else None, entry.row)
                for entry, vector, sketch in zip(read, vectors, bits, strict=True)
                if entry.row in unchanged
            ),
        )
        return len(unchanged)

    def _unchanged(self, read: "Sequence[Unread]") -> set[int]:
        """The rows of the entries that did not change."""
        found = self._connection.execute(
            "SELECT id, uid, hash FROM entry WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps([entry.row for entry in read]),),
        )
        now = {row: (uid, hash) for row, uid, hash in found}
        return {entry.row for entry in read if now.get(entry.row) == (entry.uid, entry.hash)}

    def counts(self, model: int | None) -> tuple[int, int, int]:
        """Vectors of this model, entries in the index that have none of it, and vectors of others."""
        read = "facet f JOIN vector v ON v.id = f.id AND v.model = ?1 WHERE f.state <> ?2"
        found = self._connection.execute(
            "SELECT (SELECT count(*) FROM vector WHERE model = ?1),"
            f" (SELECT count(*) FROM facet WHERE state <> ?2) - (SELECT count(*) FROM {read}),"
            " (SELECT count(*) FROM vector WHERE model IS NOT ?1)",
            (model, STATES.index(FORGOTTEN)),
        )
        own, missing, others = next(found)
        return int(own), int(missing), int(others)

    def dims_of(self, provider: str, name: str, revision: str) -> int:
        """The dimensions of the vectors that a model made last; 0 where there are none."""
        row = self._connection.execute(
            "SELECT dims FROM model WHERE provider = ? AND name = ? AND revision = ?"
            " ORDER BY id DESC LIMIT 1",
            (provider, name, revision),
        ).fetchone()
        return int(row[0]) if row else 0

    def others(self, model: int) -> bool:
        """Whether the store knows any other model that may go."""
        kept = (model, self.expected())
        found = self._connection.execute("SELECT 1 FROM model WHERE id NOT IN (?, ?) LIMIT 1", kept)
        return found.fetchone() is not None

    def expect(self, model: int | None) -> None:
        """Keep a model's vectors beside those in use; None ends that. Inside a transaction."""
        self._connection.execute("DELETE FROM meta WHERE key = ?", (_EXPECTED,))
        if model is not None:
            self._connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?)", (_EXPECTED, model)
            )

    def expected(self) -> int:
        """The model whose vectors are kept beside those in use; 0 if there is none."""
        found = self._connection.execute(
            "SELECT value FROM meta WHERE key = ?", (_EXPECTED,)
        ).fetchone()
        return int(found[0]) if found else 0

    def stamp(self) -> "ModelIdentity | None":
        """The model of the newest vector in use."""
        found = self._connection.execute(
            "SELECT m.provider, m.name, m.dims, m.revision FROM vector v JOIN model m ON m.id = v.model"
            " WHERE m.id <> ? ORDER BY v.id DESC LIMIT 1",
            (self.expected(),),
        ).fetchone()
        return ModelIdentity(*found) if found else None

    def forget(self, model: int, limit: int) -> bool:
        """Forget some vectors of this model; whether none are left. Inside a transaction.

        Also deletes the contextual vectors: both are computed again.
        """
        altered(self._connection)
        reread(self._connection)
        self._connection.execute("DELETE FROM contextual")
        found = [
            row
            for (row,) in self._connection.execute(
                "SELECT id FROM vector WHERE model = ? LIMIT ?", (model, limit)
            )
        ]
        self._connection.execute(
            "DELETE FROM vector WHERE model = ? AND id IN (SELECT value FROM json_each(?))",
            (model, json.dumps(found)),
        )
        return len(found) < limit

    def drop_others(self, model: int, limit: int) -> bool:
        """Forget some vectors of every other model; whether none are left. Inside a transaction."""
        altered(self._connection)
        kept = (model, self.expected())
        found: list[tuple[Any, ...]] = self._connection.execute(
            "SELECT model, id FROM vector"
            " WHERE model IN (SELECT id FROM model WHERE id NOT IN (?, ?)) LIMIT ?",
            (*kept, limit),
        ).fetchall()
        self._update_sketches(model, [row for _, row in found])
        self._connection.executemany("DELETE FROM vector WHERE model = ? AND id = ?", found)
        if len(found) == limit:
            return False
        self._connection.execute("DELETE FROM model WHERE id NOT IN (?, ?)", kept)
        return True

    def _update_sketches(self, model: int, rows: "Sequence[int]") -> None:
        """Recompute sketches: rows with vectors of two models have the sketch of the last one."""
        found: list[tuple[Any, ...]] = self._connection.execute(
            "SELECT id, int8, norm FROM vector"
            " WHERE model = ? AND id IN (SELECT value FROM json_each(?))",
            (model, json.dumps(rows)),
        ).fetchall()
        bits = sketches([values for _, values, _ in found])
        self._connection.executemany(
            "UPDATE facet SET sketch = ?1 WHERE id = ?2 AND sketch IS NOT ?1",
            (
                (sketch if norm else None, row)
                for (row, _, norm), sketch in zip(found, bits, strict=True)
            ),
        )


def _documents(read: "Sequence[Unread]") -> list[tuple[int, int]]:
    """Where each document begins and ends in entries that are ordered by it."""
    spans: list[tuple[int, int]] = []
    start = 0
    for i in range(1, len(read) + 1):
        if i == len(read) or read[i].document != read[start].document:
            if read[start].document is not None:
                spans.append((start, i))
            start = i
    return spans
