"""Bowerbird: memory for AI agents, in one embedded file."""

from bowerbird.bird import Bowerbird
from bowerbird.core.answers import Hit, Hits, Pack, Report, Status
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.memories import Decision
from bowerbird.core.query import Filter, Query
from bowerbird.core.types import Entry
from bowerbird.core.version import VERSION as __version__

__all__ = [
    "Bowerbird",
    "BowerbirdError",
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
