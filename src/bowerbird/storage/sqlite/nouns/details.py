"""What only memories have, for answers: read without what a writer needs."""

from bowerbird.core import plainjson
from bowerbird.core.details import Details
from bowerbird.core.memories import Fields
from bowerbird.core.origins import ARRIVALS
from bowerbird.storage.sqlite.nouns.damaged_rows import sparing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw


class MemoryDetails:
    """The details of memories, for one connection."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection
        # Rows that could not be read, and were left out.
        self.damaged: set[int] = set()

    @sparing(0)
    def load(self, rows: "Sequence[int]") -> dict[int, Details]:
        """What only memories have, by row; other rows are left out."""
        found = self._connection.execute(
            "SELECT m.id, v.fields, m.head, m.importance, m.decay_rate, m.half_life, m.updated,"
            " m.accessed, (SELECT coalesce(sum(a.count), 0) FROM access a WHERE a.memory = e.uid),"
            " e.origin, m.source, m.agent, m.taint, v.reason, v.parents,"
            f" (SELECT action FROM audit WHERE entry = e.uid AND action IN {ARRIVALS}"
            " ORDER BY seq DESC LIMIT 1),"
            " coalesce((SELECT c.days FROM file_changes c WHERE c.memory = m.id), 0),"
            " (SELECT w.actor FROM version w WHERE w.memory = e.uid AND w.text = v.text"
            " ORDER BY w.created, w.uid LIMIT 1)"
            " FROM memory m JOIN entry e ON e.id = m.id"
            " JOIN version v ON v.uid = m.head WHERE m.id IN (SELECT value FROM json_each(?))",
            (plainjson.escaped(list(rows)),),
        )
        return {row[0]: _details(row[1:]) for row in found}


def _details(row: "tuple[Any, ...]") -> Details:
    fields, version, importance, decay_rate, half_life, updated, accessed = row[:7]
    access_count, origin, source, agent, taint, reason, parents, arrived, changes, by = row[7:]
    return Details(
        Fields(**plainjson.loads(fields)),
        version,
        importance,
        decay_rate,
        half_life,
        updated,
        accessed,
        access_count,
        origin,
        source,
        agent,
        bool(taint),
        reason,
        previous=next(iter(plainjson.loads(parents)), ""),
        changes=changes,
        arrived=arrived or "",
        worded_by=by or "",
    )
