"""Who did what to which memory, when and why. Lines are only ever added; they outlive the memory."""

from bowerbird.core.history import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.core.history import Change
    from bowerbird.storage.sqlite.stamps import Stamps

_COLUMNS = "seq, at, operation, action, entry, actor, reason, before, after, undoes"


class Audit:
    """The audit of all memories."""

    def __init__(self, connection: "apsw.Connection", stamps: "Stamps") -> None:
        self._connection = connection
        self._stamps = stamps

    def write(self, change: "Change", entry: str, before: str | None, after: str | None) -> None:
        """Add a line. Inside the transaction that makes the change."""
        self._connection.execute(
            "INSERT INTO audit (at, operation, action, entry, actor, reason, before, after, undoes)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._stamps.now(),
                change.operation,
                change.action,
                entry,
                change.actor,
                change.reason,
                before,
                after,
                change.undoes,
            ),
        )

    def of(self, entry: str) -> tuple[Event, ...]:
        """What was done to an entry, oldest first."""
        found = self._connection.execute(
            f"SELECT {_COLUMNS} FROM audit WHERE entry = ? ORDER BY seq", (entry,)
        )
        return tuple(Event(*row) for row in found)

    def operation(self, operation: str) -> tuple[Event, ...]:
        """What was done in one go, oldest first."""
        found = self._connection.execute(
            f"SELECT {_COLUMNS} FROM audit WHERE operation = ? ORDER BY seq", (operation,)
        )
        return tuple(Event(*row) for row in found)

    def last_done(self, entry: str) -> str | None:
        """The last operation on an entry that was not taken back, nor takes another one back.

        A link that went or came along with what was done to another entry is that one's operation.
        """
        row = self._connection.execute(
            "SELECT operation FROM audit WHERE entry = ?1 AND undoes IS NULL AND operation NOT IN"
            " (SELECT undoes FROM audit WHERE undoes IS NOT NULL AND entry = ?1)"
            " AND (action NOT IN ('linked', 'unlinked') OR seq ="
            " (SELECT min(o.seq) FROM audit o WHERE o.operation = audit.operation))"
            " ORDER BY seq DESC LIMIT 1",
            (entry,),
        ).fetchone()
        return str(row[0]) if row else None

    def last(self) -> int:
        """The number of the last change of any memory; numbers are never given twice."""
        found = self._connection.execute("SELECT coalesce(max(seq), 0) FROM audit")
        return int(next(found)[0])

    def changed_since(self, seen: int, most: int) -> list[str]:
        """The memories that were changed behind a number, the latest first, at most so many."""
        found = self._connection.execute(
            "SELECT entry FROM audit WHERE seq > ? GROUP BY entry ORDER BY max(seq) DESC LIMIT ?",
            (seen, most),
        )
        return [row[0] for row in found]
