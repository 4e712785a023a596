"""Bowerbird: memory for AI agents, in one embedded file."""

from importlib import import_module

from bowerbird.bird import Bowerbird
from bowerbird.core.answers import Hit, Hits, Pack, Report, Status
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.memories import Decision
from bowerbird.core.query import Filter, Query
from bowerbird.core.types import Entry
from bowerbird.core.version import VERSION as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.http.client import Client

__all__ = [
    "Bowerbird",
    "BowerbirdError",
    "Client",
    "Decision",
    "Entry",
    "Filter",
    "Hit",
    "Hits",
    "Pack",
    "Query",
    "Report",
    "Status",
    "__version__",
]


def __getattr__(name: str) -> "Any":
    """The client of a server, loaded when it is first asked for."""
    if name == "Client":
        return import_module("bowerbird.surfaces.http.client").Client
    raise AttributeError(f"module 'bowerbird' has no attribute {name!r}")
