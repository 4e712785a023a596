"""Sessions that a language model has yet to read: a queue, of which each is taken when it was read."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw


class UnreadSessions:
    """The queue."""

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
