"""Pruning: which memories have aged, deleting one permanently, and when it began."""

import json

from bowerbird.core.life import DAY
from bowerbird.core.pruned import Aged
from bowerbird.core.types import ALIVE, STATES
from bowerbird.storage.sqlite.nouns.registry import TABLES
from bowerbird.storage.sqlite.nouns.words import delete_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.history import Change
    from bowerbird.storage.sqlite.nouns.stamps import Stamps

_SELECT = """
SELECT m.id, e.uid, p.uid, f.kind, f.state, f.created, m.accessed, m.updated, m.importance,
    m.decay_rate, m.half_life, m.expires, m.pinned, m.verified, m.needs_review, e.origin,
    coalesce(v.actor, ''), coalesce(v.reason, ''), m.valid_to,
    coalesce((SELECT c.days FROM file_changes c WHERE c.memory = m.id), 0)
FROM memory m
JOIN facet f ON f.id = m.id
JOIN entry e ON e.id = m.id
JOIN project p ON p.id = f.project
LEFT JOIN version v ON v.uid = m.head AND f.state <> 0
WHERE f.state IN (SELECT value FROM json_each(?))
"""
_ALIVE = ", ".join(str(STATES.index(state)) for state in ALIVE)
_BEGUN = "prune_begun"
_WAITS = "prune_waits"


# Facts alone, and only of memories that time may end: of 100,000 that were used lately none is read.
_OVERDUE = f"""
SELECT m.id FROM memory m JOIN facet f ON f.id = m.id JOIN project p ON p.id = f.project
WHERE (m.pinned = 0 OR m.expires <= :now) AND f.state IN (SELECT value FROM json_each(:states))
    AND (:projects IS NULL OR p.uid IN (SELECT value FROM json_each(:projects)))
    AND (f.state NOT IN ({_ALIVE}) OR m.expires <= :now
        OR max(m.accessed, m.updated) + :quiet * {DAY} < :now
        OR (m.half_life > 0 AND max(m.accessed, m.updated) + :lives * m.half_life * {DAY} < :now))
ORDER BY m.id
"""


class Aging:
    """The memories of a store, as far as pruning needs them."""

    def __init__(self, connection: "apsw.Connection", stamps: "Stamps") -> None:
        self._connection = connection
        self._stamps = stamps

    def aged(
        self,
        projects: "Sequence[str] | None",
        states: "Sequence[str]",
        rows: "Sequence[int] | None" = None,
    ) -> "Iterator[Aged]":
        """Memories of some projects (None: all) in some states, in the order they were written.

        `rows` are the only ones that count; None: all.
        """
        sql, values = _SELECT, [json.dumps([STATES.index(state) for state in states])]
        if projects is not None:
            sql += " AND p.uid IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(projects)))
        if rows is not None:
            sql += " AND m.id IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(rows)))
        facts: tuple[Any, ...]
        for facts in self._connection.execute(sql + " ORDER BY m.id", values):
            row, id, project, kind, state, created, accessed, updated = facts[:8]
            importance, decay_rate, half_life, expires, pinned, verified, needs_review = facts[8:15]
            origin, ended_by, ended_why, valid_to, changes = facts[15:]
            yield Aged(
                row,
                id,
                project,
                kind,
                STATES[state],
                created,
                accessed,
                updated,
                importance,
                decay_rate,
                half_life,
                expires,
                bool(pinned),
                bool(verified),
                bool(needs_review),
                origin,
                ended_by,
                ended_why,
                valid_to,
                changes,
            )

    def overdue(
        self,
        projects: "Sequence[str] | None",
        states: "Sequence[str]",
        now: int,
        half_lives: float,
        quiet: int,
    ) -> list[int]:
        """The rows of memories that have ended, or may end by time, in the order they were written.

        Those whose day has passed, or that were untouched for some half-lives or `quiet` days.
        """
        values = {
            "states": json.dumps([STATES.index(state) for state in states]),
            "projects": None if projects is None else json.dumps(list(projects)),
            "now": now,
            "lives": half_lives,
            "quiet": quiet,
        }
        return [row for (row,) in self._connection.execute(_OVERDUE, values)]

    def tied(self, project: str) -> list[tuple[int, str, int]]:
        """The active memories of a project that are about files: row, a path, and the noted changes."""
        return list(
            self._connection.execute(
                "SELECT DISTINCT a.memory, a.path, coalesce(c.days, 0) FROM anchor a"
                " CROSS JOIN facet f ON f.id = a.memory LEFT JOIN file_changes c ON c.memory = a.memory"
                f" JOIN project p ON p.id = f.project WHERE p.uid = ? AND f.state IN ({_ALIVE})"
                " AND a.hash <> ''",
                (project,),
            )
        )

    def note_changes(self, days: "Mapping[int, int]") -> None:
        """Records on how many days the files of memories changed, by row. Inside a transaction."""
        self._connection.executemany(
            "INSERT INTO file_changes VALUES (?1, ?2) ON CONFLICT (memory) DO UPDATE SET days = ?2",
            list(days.items()),
        )

    def remove(self, gone: "Sequence[tuple[int, str, int, Change]]") -> None:
        """Deletes memories from every table; their audit stays. Inside a transaction.

        Each with its row and id, and until when it was known to be wanted.
        """
        if not gone:
            return
        stamps = self._stamps
        delete(self._connection, [(row, id) for row, id, *_ in gone])
        self._connection.executemany(
            "INSERT OR REPLACE INTO tombstone VALUES (?, ?, ?, ?, ?)",
            [
                (id, until, change.reason, stamps.replica, stamps.next())
                for _, id, until, change in gone
            ],
        )
        for _, id, _, change in gone:
            stamps.audit(change, id, None, None)

    def begun(self) -> tuple[int | None, int | None]:
        """When pruning last began, and since when it waits; None if never."""
        found = self._connection.execute(
            "SELECT key, value FROM meta WHERE key IN (?, ?)", (_BEGUN, _WAITS)
        )
        begun = {key: int(value) for key, value in found}
        return begun.get(_BEGUN), begun.get(_WAITS)

    def begin(self, now: int, *, waits: bool) -> None:
        """Records that pruning begins, or waits from now on. Inside a transaction."""
        self._put(_BEGUN, now)
        if waits:
            self._put(_WAITS, now)

    def _put(self, key: str, value: "int | str") -> None:
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES (?1, ?2)"
            " ON CONFLICT (key) DO UPDATE SET value = ?2",
            (key, value),
        )


def delete(connection: "apsw.Connection", memories: "Sequence[tuple[int, str]]") -> None:
    """Deletes memories, by their rows and ids, from every table but the audit. Inside a transaction."""
    delete_entries(connection, [row for row, _ in memories])
    for table in TABLES:
        if table.removed:
            connection.executemany(
                f"DELETE FROM {table.name} AS t WHERE {table.removed}",
                [(id,) for _, id in memories],
            )
