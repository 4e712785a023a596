"""What waits for a language model: pairs of memories to judge, and sessions to read."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw


class Unjudged:
    """A queue of pairs: each is taken until it is judged."""

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


class UnreadSessions:
    """A queue of sessions: each is taken when it was read."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def put(self, session: str, path: str) -> None:
        """Add a session with the path of its transcript. Inside a transaction."""
        self._connection.execute(
            "INSERT INTO unread_session (session, path) VALUES (?1, ?2)"
            " ON CONFLICT (session) DO UPDATE SET path = ?2, tries = 0",
            (session, path),
        )

    def next(self, limit: int) -> list[tuple[str, str]]:
        """The sessions to read next, each with its path; those that failed least first."""
        found = self._connection.execute(
            "SELECT session, path FROM unread_session ORDER BY tries, session LIMIT ?", (limit,)
        )
        return list(found)

    def count(self) -> int:
        """How many wait."""
        ((found,),) = self._connection.execute("SELECT count(*) FROM unread_session")
        return int(found)

    def failed(self, session: str, most: int) -> None:
        """Count a failure, and drop the session after so many. Inside a transaction."""
        self._connection.execute(
            "UPDATE unread_session SET tries = tries + 1 WHERE session = ?", (session,)
        )
        self._connection.execute(
            "DELETE FROM unread_session WHERE session = ? AND tries >= ?", (session, most)
        )

    def take(self, session: str) -> bool:
        """Remove a session; whether it was still there. Inside a transaction."""
        self._connection.execute("DELETE FROM unread_session WHERE session = ?", (session,))
        return bool(self._connection.changes())
