"""The memories nearest to a text by the embedder and by the contextual model, for whoever keeps another.

A process that keeps one or two asks the file. One that goes on keeping holds the vectors of all memories
in its own memory, and reads only what came since: comparing 8,000 takes 1 ms then, in the file 19.
"""

import apsw

from bowerbird.storage.sqlite.candidates import CandidateSource
from bowerbird.storage.sqlite.contextual import Contextual

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry, Vector
    from bowerbird.storage.sqlite.alike import Alike
    from bowerbird.storage.sqlite.entries import Entries

    Near = list[tuple[Entry, float, float]]

# So often the file is asked before vectors are read: reading 8,000 memories takes 40 ms.
FROM_FILE = 2
# Up to so many memories their vectors are kept, 640 bytes each.
MOST_KEPT = 50_000
# For one that is wanted, so many are looked at first: those of other projects and states do not pass.
LOOKED_AT = 2
# What tells that more than the newest memories changed, and whether they are too many.
_STATE = (
    "SELECT coalesce((SELECT value FROM meta WHERE key = 'altered'), 0),"
    " (SELECT coalesce(sum(entries), 0) FROM tally WHERE family = 'memory')"
)


class NearestMemories:
    """Compares memories with a text, for one connection."""

    def __init__(
        self, connection: "apsw.Connection", entries: "Entries", settled: "Callable[[], bool]"
    ) -> None:
        """`settled` tells whether what is read now stands: what a transaction wrote may be taken back."""
        self._connection = connection
        self._entries = entries
        self._settled = settled
        self._asked = 0
        self._kept: Alike | None = None
        self._altered = -1

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
        """So many that pass a filter by either vector, and `also`, with both cosines, 0 where unknown.

        `vector` is what `model` made of a text, `understood` what the contextual one did; `size` is how
        many entries the store holds. Inside `reading`.
        """
        kept = self._current(model) if self._settled() else None
        if kept is not None:
            try:
                return self._compared(kept, vector, understood, filter, limit, also)
            except (ValueError, TypeError):
                self._kept = None  # a damaged vector is of another length than the others
        source = CandidateSource(self._connection, self._entries.damaged)
        contextual = Contextual(self._connection)
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
        if vector is not None and model is not None:
            cosines = source.cosines(vector, model, list(rows))
        if understood is not None:
            met = contextual.cosines(understood, list(rows))
        found = self._entries.load(list(rows))
        return [(found[at], cosines.get(at, 0.0), met.get(at, 0.0)) for at in rows if at in found]

    def _current(self, model: int | None) -> "Alike | None":
        """What is kept, with what came since; None where the file is to be asked."""
        if self._asked < FROM_FILE:
            self._asked += 1
            return None
        altered, memories = next(self._connection.execute(_STATE))
        if memories > MOST_KEPT:
            self._kept = None
            return None
        if self._kept is None or altered != self._altered or self._kept.model != model:
            from bowerbird.storage.sqlite.alike import Alike  # start-up: for who keeps many

            self._kept, self._altered = Alike(model), altered
        try:
            self._kept.read(self._connection)
        except (ValueError, TypeError, apsw.SQLError):
            self._kept = None
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
            found = self._entries.passing([*also, *by_vector, *by_reading], filter)
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
