"""The cache of vectors, by the hash of the text and the model.

For models that cost money or time: a text that occurs again is not sent again.
"""

import json

from bowerbird.core.health import CacheState
from bowerbird.core.types import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import apsw

    from bowerbird.core.clock import Clock


class Embeddings:
    """The table of cached vectors. Writes happen inside a transaction."""

    def __init__(self, connection: "apsw.Connection", clock: "Clock", most: int) -> None:
        """`most` vectors are kept; those unused for longest are deleted first."""
        self._connection = connection
        self._clock = clock
        self._most = most

    def known(self, model: str, hashes: "Collection[bytes]") -> dict[bytes, Vector]:
        """The vectors of some texts, by the hashes of those texts."""
        found = self._connection.execute(
            'SELECT hash, "values", norm FROM embedding WHERE model = ?'
            " AND hash IN (SELECT unhex(value) FROM json_each(?))",
            (model, _listed(hashes)),
        )
        return {hash: Vector(values, norm) for hash, values, norm in found}

    def keep(
        self, model: str, vectors: "Mapping[bytes, Vector]", used: "Collection[bytes]"
    ) -> None:
        """Stores vectors, records that others were used, and deletes those above the limit."""
        now = self._clock()
        self._connection.execute(
            "UPDATE embedding SET hits = hits + 1, used = ? WHERE model = ?"
            " AND hash IN (SELECT unhex(value) FROM json_each(?))",
            (now, model, _listed(used)),
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO embedding VALUES (?, ?, ?, ?, 0, ?)",
            ((model, hash, one.values, one.norm, now) for hash, one in vectors.items()),
        )
        beyond = self._count() - self._most
        if beyond > 0:
            self._connection.execute(
                "DELETE FROM embedding WHERE (model, hash) IN"
                " (SELECT model, hash FROM embedding ORDER BY used, hits LIMIT ?)",
                (beyond,),
            )

    def state(self) -> CacheState:
        """The number of vectors by model, how often they were used, and their size in bytes."""
        found: list[tuple[str, int, int, int]] = self._connection.execute(
            'SELECT model, count(*), sum(hits), sum(length("values")) FROM embedding GROUP BY model'
        ).fetchall()  # type: ignore[assignment]
        return CacheState(
            vectors=sum(row[1] for row in found),
            hits=sum(row[2] for row in found),
            size_bytes=sum(row[3] for row in found),
            max_entries=self._most,
            models={row[0]: row[1] for row in found},
        )

    def prune(self, before: int | None, most: int = -1) -> int:
        """Deletes vectors last used before a time in UTC milliseconds; returns how many.

        None deletes any; `most` limits the number, -1 does not.
        """
        self._connection.execute(
            "DELETE FROM embedding WHERE (model, hash) IN"
            " (SELECT model, hash FROM embedding WHERE ?1 IS NULL OR used < ?1 LIMIT ?2)",
            (before, most),
        )
        return int(self._connection.changes())

    def _count(self) -> int:
        # Uses an index: the rows hold the vectors, and `state` reads them all.
        return int(next(self._connection.execute("SELECT count(*) FROM embedding"))[0])


def _listed(hashes: "Collection[bytes]") -> str:
    return json.dumps([hash.hex() for hash in hashes])
