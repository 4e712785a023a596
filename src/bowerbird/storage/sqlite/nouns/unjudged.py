"""Pairs of memories that wait for a judge: a queue, of which each pair is taken until it is judged."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw


class Unjudged:
    """The queue."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def put(self, memory: str, others: "Sequence[str]") -> None:
        """Add pairs of a new memory with stored ones. Inside a transaction."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO unjudged (memory, other) VALUES (?, ?)",
            [(memory, other) for other in others],
        )

    def next(self, limit: int) -> list[tuple[str, str]]:
        """The pairs to judge next: a new memory and a stored one; those that failed least first."""
        found = self._connection.execute(
            "SELECT memory, other FROM unjudged ORDER BY tries, memory, other LIMIT ?", (limit,)
        )
        return list(found)

    def failed(self, memory: str, other: str, most: int) -> None:
        """Count a judgement that failed, and drop the pair after so many. Inside a transaction."""
        pair = (memory, other)
        self._connection.execute(
            "UPDATE unjudged SET tries = tries + 1 WHERE memory = ? AND other = ?", pair
        )
        self._connection.execute(
            "DELETE FROM unjudged WHERE memory = ? AND other = ? AND tries >= ?", (*pair, most)
        )

    def take(self, memory: str, other: str) -> bool:
        """Remove a pair; whether it was still there. Inside a transaction."""
        self._connection.execute(
            "DELETE FROM unjudged WHERE memory = ? AND other = ?", (memory, other)
        )
        return bool(self._connection.changes())
