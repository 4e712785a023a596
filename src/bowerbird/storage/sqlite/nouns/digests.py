"""What is kept of each learned session for later ones, as the learning part writes it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw


class Digests:
    """The table `digest` of one store."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def all(self) -> dict[str, str]:
        """The digest of every session, by its id, in the order in which they were first kept."""
        rows = self._connection.execute("SELECT session, line FROM digest ORDER BY id")
        return {str(session): str(line) for session, line in rows}

    def put(self, session: str, line: str) -> None:
        """Keep the digest of a session in place of an earlier one. Inside a transaction."""
        self._connection.execute(
            "INSERT INTO digest (session, line) VALUES (?1, ?2)"
            " ON CONFLICT (session) DO UPDATE SET line = ?2",
            (session, line),
        )
