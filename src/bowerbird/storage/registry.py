"""Backends by name, each loaded when it is asked for."""

from bowerbird.core.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.storage.sqlite.store import Store


def backend(name: str) -> "type[Store]":
    """The class of a backend. Raises UnknownName."""
    if name == "sqlite":
        from bowerbird.storage.sqlite.store import Store

        return Store
    raise UnknownName.among("storage backend", name, ["sqlite"])
