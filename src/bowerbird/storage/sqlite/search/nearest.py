"""The memories nearest to a text, by both models: a new one is compared with all existing ones.

A process that writes one or two memories compares in the file. One that writes more caches the
vectors of all memories, and reads only what was added since: comparing 8,000 takes 1 ms then, in the
file 19. If that needs numpy first, it begins when loading numpy costs less than comparing in the file.
"""

import sys
from contextlib import suppress

import apsw

from bowerbird.core import plainjson
from bowerbird.storage.sqlite.nouns.damaged_rows import UNREADABLE, sparing
from bowerbird.storage.sqlite.nouns.entries import beside, passing
from bowerbird.storage.sqlite.nouns.filters import where
from bowerbird.storage.sqlite.search.candidates import CandidateSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry, Vector
    from bowerbird.storage.sqlite.nouns.entries import Entries
    from bowerbird.storage.sqlite.search.contextual import Contextual
    from bowerbird.storage.sqlite.search.memory_vectors import Alike

    Near = list[tuple[Entry, float, float]]

# So often the file is asked before vectors are read: reading 8,000 memories takes 40 ms.
FROM_FILE = 2
# Without numpy, the file is asked until this number of memories was compared, which takes as long as
# loading numpy: 70 ms.
WITHOUT_NUMPY = 30_000
_MEMORIES = "SELECT coalesce(sum(entries), 0) FROM tally WHERE family = 'memory'"
# Vectors of up to this number of memories are cached, 640 bytes each.
MOST_KEPT = 50_000
# Rows read for each requested one: those of other projects and states are filtered out.
LOOKED_AT = 2


class NearestMemories:
    """Compares memories with a text, for one connection."""

    def __init__(
        self,
        connection: "apsw.Connection",
        entries: "Entries",
        keep: "Callable[[int | None], Alike]",
        contextual: "Callable[[], Contextual]",
    ) -> None:
        """`keep` begins to cache the vectors of a model, `contextual` reads the contextual one's."""
        self._connection = connection
        self._entries = entries
        self.damaged = entries.damaged
        self._keep = keep
        self._contextual = contextual
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
        kept = self._current(model)
        if kept is not None:
            try:
                return self._compared(kept, vector, understood, filter, limit, also)
            except (ValueError, TypeError):
                self._asked, self._kept = 0, None
        source = CandidateSource(self._connection, self._entries.damaged)
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
            rows |= dict.fromkeys(self._contextual().nearest(understood, filter, limit))
        if vector is not None and model is not None and understood is not None:
            cosines, met = self._both_cosines(vector, model, understood, list(rows))
        elif vector is not None and model is not None:
            cosines = source.cosines(vector, model, list(rows))
        elif understood is not None:
            met = self._contextual().cosines(understood, list(rows))
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
            " ORDER BY vec_distance_cosine(vec_int8(v.int8), vec_int8(?)), v.id LIMIT ?) by_words"
            " UNION SELECT id FROM (SELECT c.id FROM contextual c JOIN facet f ON f.id = c.id"
            f" WHERE c.words IS NOT NULL AND {condition}"
            " ORDER BY vec_distance_cosine(vec_int8(c.int8), vec_int8(?)), c.id LIMIT ?) by_reading",
            "(SELECT 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?)) FROM vector v"
            " WHERE v.model = ? AND v.id = f.id AND v.norm > 0),"
            " (SELECT 1 - vec_distance_cosine(vec_int8(c.int8), vec_int8(?)) FROM contextual c"
            " WHERE c.id = f.id)",
            (
                plainjson.escaped(list(also)),
                model,
                *values,
                vector.values,
                limit,
                *values,
                understood.values,
                limit,
                vector.values,
                model,
                understood.values,
            ),
        )
        near = [
            (entry, by_model or 0.0, by_reading or 0.0) for entry, by_model, by_reading in found
        ]
        # Of equally near ones the one that shares words comes first.
        rank = {row: at for at, row in enumerate(also)}
        return sorted(near, key=lambda one: (rank.get(one[0].row, len(rank)), -one[1], -one[2]))

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
            (vector.values, plainjson.escaped(list(rows)), model, understood.values),
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
        if self._asked < FROM_FILE or self._cheap_in_file():
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

    def _cheap_in_file(self) -> bool:
        """Whether loading numpy would take longer than the comparisons in the file so far."""
        if self._kept is not None or "numpy" in sys.modules:
            return False
        (memories,) = next(self._connection.execute(_MEMORIES))
        return bool(self._asked * memories < WITHOUT_NUMPY)

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
