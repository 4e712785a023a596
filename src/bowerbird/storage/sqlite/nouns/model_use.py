"""What models were asked, folded from the side file."""

from bowerbird.core import plainjson
from bowerbird.storage.model_use import use_of
from bowerbird.storage.side_file import TOKEN, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.storage.side_file import Line

# The days for which uses are kept, in milliseconds.
_KEPT_MS = 40 * 24 * 3_600_000


def take_use(connection: "apsw.Connection", line: "Line") -> None:
    """Store a line of the side file once, and drop those that are too old. Inside a transaction."""
    token, use = line.get(TOKEN), use_of(line)
    if use is None or not isinstance(token, str):
        return
    connection.execute(
        "INSERT OR IGNORE INTO model_use (token, at, line) VALUES (?, ?, ?)",
        (token, use.at, plainjson.dumps(line)),
    )
    connection.execute("DELETE FROM model_use WHERE at < ?", (use.at - _KEPT_MS,))


def uses_since(connection: "apsw.Connection", at: int) -> "list[Line]":
    """The lines since a time, in the order in which they were recorded."""
    rows = connection.execute("SELECT line FROM model_use WHERE at >= ? ORDER BY id", (at,))
    return [found for (line,) in rows if (found := parsed(line.encode())) is not None]
