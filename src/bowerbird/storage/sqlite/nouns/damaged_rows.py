"""A damaged row costs that row, not the answer: reads rows, skipping those that cannot be read.

A changed bit may make a text undecodable, JSON invalid, and a vector of another length. All code that
reads rows by number goes through here: if that fails, the rows are halved until the damaged ones are
isolated. Those are left out and recorded.
"""

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    Method = TypeVar("Method", bound=Callable[..., Any])

# What only damage leads to: no text of ours is none, and SQLite says so itself.
_SURELY = (UnicodeDecodeError, apsw.CorruptError)
# A bug of ours could raise these as well: the row's seal decides.
_MAYBE = (ValueError, TypeError, LookupError, apsw.SQLError)
UNREADABLE = (*_SURELY, *_MAYBE)


def sparing(position: int) -> "Callable[[Method], Method]":
    """Decorates a method of an object with `_connection` and a set `damaged`; `position` finds its rows.

    The method returns a dictionary, a set or a list by row, or a tuple of those.
    """

    def decorate(method: "Method") -> "Method":
        def spared(self: "Any", *arguments: "Any") -> "Any":
            try:
                return method(self, *arguments)
            except UNREADABLE as error:
                rows = arguments[position]
                lost: set[int] = set()

                def read(some: "Sequence[int]") -> "Any":
                    return method(self, *arguments[:position], some, *arguments[position + 1 :])

                found = _halved(read, rows, lost, self._connection, error)
                if isinstance(error, apsw.CorruptError) and len(lost) == len(rows):
                    raise  # the table is damaged, not a row of it
                self.damaged |= lost
                return found

        spared.__name__, spared.__doc__ = method.__name__, method.__doc__
        return spared  # type: ignore[return-value]

    return decorate


def _halved(
    read: "Callable[[Sequence[int]], Any]",
    rows: "Sequence[int]",
    lost: set[int],
    connection: "apsw.Connection",
    error: Exception,
) -> "Any":
    """What can be read of rows that cannot be read together; the others are `lost`."""
    if len(rows) <= 1:
        if not rows or not _is_damaged(connection, rows[0], error):
            raise error
        lost.add(rows[0])
        return read([])
    parts = []
    for half in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
        try:
            parts.append(read(half))
        except UNREADABLE as again:
            parts.append(_halved(read, half, lost, connection, again))
    return _joined(*parts)


def _joined(first: "Any", rest: "Any") -> "Any":
    if isinstance(first, tuple):
        return tuple(_joined(*both) for both in zip(first, rest, strict=True))
    return first + rest if isinstance(first, list) else first | rest


def _is_damaged(connection: "apsw.Connection", row: int, error: Exception) -> bool:
    """Whether an entry is not what was written: else the fault is ours."""
    if isinstance(error, _SURELY) or not isinstance(connection, apsw.Connection):
        return isinstance(error, _SURELY)  # elsewhere no row has a seal
    from bowerbird.storage.sqlite.nouns.seals import (  # start-up: for damage
        OF_ENTRY,
        agrees,
        register,
    )

    register(connection)
    return not all(agrees(connection, table, row) for table in OF_ENTRY)
