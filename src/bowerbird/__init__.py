"""Bowerbird: memory for AI agents, in one embedded file.

Each name is loaded when it is first asked for: a command or a hook pays for what it uses alone.
"""

from bowerbird.core.version import VERSION as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.answers import Hit, Hits, Status
    from bowerbird.core.errors import BowerbirdError
    from bowerbird.core.memories import Decision
    from bowerbird.core.packs import Pack
    from bowerbird.core.query import Filter, Query
    from bowerbird.core.report import Report
    from bowerbird.core.types import Entry
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

_HOMES = {
    "Bowerbird": "bowerbird.bird",
    "BowerbirdError": "bowerbird.core.errors",
    "Client": "bowerbird.surfaces.http.client",
    "Decision": "bowerbird.core.memories",
    "Entry": "bowerbird.core.types",
    "Filter": "bowerbird.core.query",
    "Hit": "bowerbird.core.answers",
    "Hits": "bowerbird.core.answers",
    "Pack": "bowerbird.core.packs",
    "Query": "bowerbird.core.query",
    "Report": "bowerbird.core.report",
    "Status": "bowerbird.core.answers",
}


def __getattr__(name: str) -> "Any":
    """A name of the package, out of the module that holds it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'bowerbird' has no attribute {name!r}")
    found = getattr(__import__(_HOMES[name], fromlist=("",)), name)
    globals()[name] = found
    return found
