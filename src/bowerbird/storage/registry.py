"""Backends by a store's location, each loaded on first use."""

from bowerbird.core.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.store import Backend

# The ending of the file that stands for a store on a server.
_SERVED = ".postgresql"


def backend(location: str) -> "Backend":
    """The backend for a location: the path of a file. Raises UnknownName for ``scheme://…``."""
    if location.endswith(_SERVED):
        from bowerbird.storage.postgres import Postgres

        return Postgres()
    scheme, colon, _ = location.partition("://")
    if not colon:
        from bowerbird.storage.sqlite import Sqlite

        return Sqlite()
    raise UnknownName(
        f"no backend keeps stores at {scheme}://",
        "give the path of a file, or postgresql://HOST/NAME",
    )


def place(location: str, state: str) -> str:
    """The file that stands for a location of the form ``scheme://…`` on this machine."""
    from bowerbird.storage.postgres.file.location import SCHEMES, place

    return place(location, state) if location.startswith(SCHEMES) else location
