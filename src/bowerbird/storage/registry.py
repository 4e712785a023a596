"""Backends by the prefix of a store's location, each loaded on first use."""

from bowerbird.core.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.store import Backend


def backend(location: str) -> "Backend":
    """The backend for a location; a path is a SQLite file. Raises UnknownName for ``scheme://…``."""
    scheme, colon, _ = location.partition("://")
    if not colon:
        from bowerbird.storage.sqlite import Sqlite

        return Sqlite()
    raise UnknownName(f"no backend keeps stores at {scheme}://", "give the path of a file")
