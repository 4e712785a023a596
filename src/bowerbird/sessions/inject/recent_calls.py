"""The last calls of a session, from its journal. Pure."""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Calls whose files count as the agent's working files.
_CALLS = 5
_PATTERNS = 3
# Journal lines that are searched for them.
LOOKED_AT = 20


class Recent(Record):
    """The number of a session's calls, the files of the last five, and the last searches."""

    calls: int
    paths: tuple[str, ...]
    patterns: tuple[str, ...]


def recent(calls: int, last: "Sequence[dict[str, Any]]") -> Recent:
    """Return the summary of a session's last calls; `calls` is their total number."""
    paths = {one: None for line in last[-_CALLS:] for one in _texts(line.get("paths"))}
    patterns = [line["pattern"] for line in last if isinstance(line.get("pattern"), str)]
    return Recent(calls, tuple(paths), tuple(patterns[-_PATTERNS:]))


def _texts(value: "Any") -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
