"""Outcomes of memories, folded from the side file; hooks ask a copy of the table."""

from bowerbird.core import plainjson
from bowerbird.storage.outcomes import COPY
from bowerbird.storage.side_file import TOKEN, write_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.storage.side_file import Line

# The characters of a line: of one session with all that was injected into it some hundreds.
_LONGEST = 1_000_000


def take_outcome(connection: "apsw.Connection", line: "Line") -> bool:
    """Store a line of the side file once; whether it is an outcome. Inside a transaction."""
    token, at, project = line.get(TOKEN), line.get("at"), line.get("project")
    if not (isinstance(token, str) and isinstance(at, int) and isinstance(project, str)):
        return False
    text = plainjson.dumps(line)
    if len(text) > _LONGEST:
        return False
    connection.execute(
        "INSERT OR IGNORE INTO outcome (token, at, project, line) VALUES (?, ?, ?, ?)",
        (token, at, project, text),
    )
    return True


def write_outcomes(connection: "apsw.Connection", path: str) -> None:
    """Write the copy that hooks ask, with what is in the table now. Raises OSError."""
    rows = connection.execute("SELECT line FROM outcome ORDER BY id")
    write_copy(path + COPY, (f"{line}\n".encode("utf-8", "replace") for (line,) in rows))
