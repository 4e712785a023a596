"""The stamps of what is written: the store's hybrid logical clock, kept in the file."""

from bowerbird.core.hlc import tick

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.core.clock import Clock


class Stamps:
    """Gives ascending stamps to whoever writes, whichever process it is. Inside a transaction."""

    def __init__(self, connection: "apsw.Connection", clock: "Clock", replica: str) -> None:
        self._connection = connection
        self._clock = clock
        self.replica = replica

    def now(self) -> int:
        """UTC milliseconds."""
        return self._clock()

    def next(self) -> str:
        """The next stamp, after every one this file has seen."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'clock'").fetchone()
        stamp = tick(str(row[0]) if row else None, self._clock(), self.replica)
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES ('clock', ?1)"
            " ON CONFLICT (key) DO UPDATE SET value = ?1",
            (stamp,),
        )
        return stamp
