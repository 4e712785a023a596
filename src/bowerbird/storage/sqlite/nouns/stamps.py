"""The stamps of what is written: the store's hybrid logical clock, kept in the file, and its audit."""

from contextlib import contextmanager

from bowerbird.core.errors import StoreOutdated
from bowerbird.core.hlc import following, tick
from bowerbird.storage.sqlite.file.schema import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import apsw

    from bowerbird.core.clock import Clock
    from bowerbird.core.history import Change, Version

BEGUN = (
    "SELECT user_version, (SELECT value FROM meta WHERE key = 'clock'),"
    " (SELECT value FROM meta WHERE key = 'replica'),"
    " (SELECT value FROM meta WHERE key = 'noted') FROM pragma_user_version"
)
END = (
    "INSERT INTO meta (key, value) SELECT 'generation', 1 UNION ALL"
    " SELECT 'clock', ?1 WHERE ?1 IS NOT NULL UNION ALL SELECT 'last_row', ?2 WHERE ?2 UNION ALL"
    " SELECT 'entries', ?3 WHERE ?3 UNION ALL SELECT 'words', ?4 WHERE ?4"
    " ON CONFLICT (key) DO UPDATE SET value ="
    " CASE key WHEN 'clock' THEN excluded.value WHEN 'last_row' THEN max(value, excluded.value)"
    " ELSE value + excluded.value END"
)
_VERSION = "INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LINE = (
    "INSERT INTO audit (at, operation, action, entry, actor, reason, before, after, undoes)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Stamps:
    """Gives ascending stamps to the writers of all processes. Inside a transaction.

    `lines` of the audit wait until its end, so that they are written together, and so do `versions`, by
    their memory, while `together` is entered.
    """

    def __init__(self, connection: "apsw.Connection", clock: "Clock") -> None:
        self._connection = connection
        self._clock = clock
        # Which copy of a store writes: read with the first transaction.
        self.replica = ""
        # Whether it holds what was noted beside it: so at the beginning of the transaction.
        self.noted = False
        # The last stamp, and the last that this transaction was given.
        self._last: str | None = None
        self._given: str | None = None
        self.lines: list[tuple[Any, ...]] = []
        self.versions: dict[str, tuple[Any, ...]] = {}
        self._together = False
        # The last row that was added, how many were, and the sum of their words' counts.
        self._added = (0, 0, 0)
        # The head of the memory read last in this transaction, and the state of its row.
        self.last_head: tuple[Version, tuple[Any, ...]] | None = None

    @contextmanager
    def within(self, path: str) -> "Iterator[None]":
        """From the beginning of a transaction to its end. Raises as `begin` does."""
        self.begin(path)
        try:
            yield
            self.flush()
        finally:
            # Where something was raised all of it is taken back.
            self.lines.clear()
            self.versions.clear()
        self.end()

    @contextmanager
    def together(self) -> "Iterator[None]":
        """Versions added inside are written by one statement at its end. Not to be nested."""
        self._together = True
        try:
            yield
        finally:
            self._together = False
        self._write_versions()

    def add_version(self, memory: str, row: "tuple[Any, ...]") -> None:
        """Write the next version of a memory, or let it wait for its like."""
        if memory in self.versions:
            self._write_versions()
        self.versions[memory] = row
        if not self._together:
            self._write_versions()

    def _write_versions(self) -> None:
        if self.versions:
            self._connection.executemany(_VERSION, self.versions.values())
            self.versions.clear()

    def count(self, row: int, words: int) -> None:
        """Add a new entry, with its number of distinct words, to the totals, at the end."""
        _, entries, total_words = self._added
        self._added = (row, entries + 1, total_words + words)

    def audit(self, change: "Change", entry: str, before: str | None, after: str | None) -> None:
        """Add a line to the audit: a change of an entry, with its state before and after."""
        self.lines.append(
            (
                self._clock(),
                change.operation,
                change.action,
                entry,
                change.actor,
                change.reason,
                before,
                after,
                change.undoes,
            )
        )

    def flush(self) -> None:
        """Write what waits to the audit and the versions, before they are read in their transaction."""
        self._write_versions()
        if self.lines:
            self._connection.executemany(_LINE, self.lines)
            self.lines.clear()

    def begin(self, path: str) -> None:
        """Continue after the file's last stamp: a transaction has begun.

        Raises StoreOutdated when another process upgraded the schema since this one opened it.
        """
        version, self._last, self.replica, noted = next(self._connection.execute(BEGUN))
        self.noted = noted is not None
        self._given = self.last_head = None
        self._added = (0, 0, 0)
        if version != VERSION:
            message = f"{path} was upgraded by another process"
            raise StoreOutdated(message, "restart this process")

    def now(self) -> int:
        """UTC milliseconds."""
        return self._clock()

    def next(self) -> str:
        """The next stamp, after every one this file has seen."""
        self._last = self._given = tick(self._last, self._clock(), self.replica)
        return self._given

    def after(self, stamp: str) -> str:
        """The next stamp, after this one too, however far ahead the clock of its replica is."""
        found = self.next()
        return found if found > stamp else following(stamp, self.replica)

    def saw(self, stamp: str) -> None:
        """Every stamp that is given from now on comes after this one, of another copy of the store."""
        if stamp > (self._last or ""):
            self._last = self._given = stamp

    def end(self) -> None:
        """Write down the last stamp that was given and what was counted; the generation moves."""
        self._connection.execute(END, (self._given, *self._added))
