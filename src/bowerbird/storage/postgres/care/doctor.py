"""What may be wrong with a server, and what is used of it."""

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.health import PROBLEM, Finding
from bowerbird.storage.postgres.file.cluster import ABOUT
from bowerbird.storage.postgres.file.connection import connect
from bowerbird.storage.postgres.file.location import address, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def about() -> "Iterator[Finding]":
    """The client library in use."""
    import psycopg  # start-up: asked by the doctor

    yield Finding("psycopg", psycopg.__version__)


def surroundings(location: str) -> "Iterator[Finding]":
    """The server, its version and that of pgvector."""
    where = shown(address(location))
    try:
        connection = connect(location)
    except BowerbirdError as error:
        yield Finding("server", error.message, PROBLEM, str(error.remedy))
        return
    try:
        found = connection.raw.execute(
            "SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension"
            " WHERE extname = 'vector')"
        ).fetchone()
        version, vector = found or ("", "")
        said = f"{where}: PostgreSQL {version}, pgvector {vector or 'not yet made'}"
        if connection.cluster:
            citus, nodes = connection.raw.execute(ABOUT).fetchone() or ("", 0)
            said += f", Citus {citus} with {nodes} nodes"
        yield Finding("server", said)
    finally:
        connection.close()
