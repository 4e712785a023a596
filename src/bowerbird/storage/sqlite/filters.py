"""A filter as SQL over `facet`, applied while candidates are generated, never after."""

from bowerbird.core.answers import Filter
from bowerbird.core.types import STATES, TRUSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PATTERN_CHARACTERS = frozenset("*?[")


def where(filter: Filter) -> "tuple[str, list[Any]]":
    """The condition over the alias `f` of `facet`, and its parameters. Never empty."""
    parts: list[str] = []
    values: list[Any] = []

    def among(column: str, wanted: "tuple[Any, ...]") -> None:
        parts.append(f"{column} IN ({', '.join('?' * len(wanted))})")
        values.extend(wanted)

    among("f.state", tuple(STATES.index(state) for state in filter.states))
    if filter.projects is not None:
        marks = ", ".join("?" * len(filter.projects))
        parts.append(f"f.project IN (SELECT id FROM project WHERE uid IN ({marks}))")
        values.extend(filter.projects)
    if filter.families:
        among("f.family", filter.families)
    if filter.kinds:
        among("f.kind", filter.kinds)
    if filter.min_trust != TRUSTS[0]:
        parts.append("f.trust >= ?")
        values.append(TRUSTS.index(filter.min_trust))
    if filter.since is not None:
        parts.append("f.created >= ?")
        values.append(filter.since)
    if filter.until is not None:
        parts.append("f.created <= ?")
        values.append(filter.until)
    if filter.path is not None:
        parts.append("f.document IN (SELECT id FROM document WHERE path GLOB ?)")
        values.append(path_pattern(filter.path))
    for tag in filter.tags:
        parts.append("f.id IN (SELECT entry FROM tag WHERE name = ? AND present = 1)")
        values.append(tag)
    return " AND ".join(parts), values


def path_pattern(path: str) -> str:
    """A file, folder or pattern as GLOB: a plain text stands anywhere in the path."""
    if _PATTERN_CHARACTERS.isdisjoint(path):
        return f"*{path}*"
    return path if path.startswith(("*", "/")) else f"*{path}"
