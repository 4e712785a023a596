"""Outcomes of memories: verdicts of people, and what was injected into each session and used.

They contain no text of anybody. Hooks record and ask them without opening the store: a line in the side
file, which the next writer takes into the table, and a copy of the table.
"""

import os

from bowerbird.host.places import make_folder
from bowerbird.storage.side_file import TOKEN, WHAT, SideFile, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Outcome = dict[str, Any]

# What a line of the side file records: an outcome, under its key.
OUTCOME = "outcome"
# The copy of the table, a line each.
COPY = ".outcomes"
_MARK = b'"what":"outcome"'
# The copy that was read last, its lines and their outcomes: a page asks for them several times, and each
# verdict adds one to thousands.
_LAST: "list[tuple[tuple[str, int, int, int, int] | None, bytes, dict[object, Outcome]]]"
_LAST = [(None, b"", {})]


class Outcomes:
    """The outcomes of one store's memories."""

    def __init__(self, store: str) -> None:
        self._side = SideFile(store)
        self._copy = store + COPY

    def add(self, project: str, sessions: int, what: str, at: int, **details: "Any") -> None:
        """Record an outcome in a project's n-th session, with its time. Raises OSError."""
        make_folder(os.path.dirname(self._copy))
        outcome = {"sessions": sessions, "what": what} | details
        if not self._side.append([{WHAT: OUTCOME, "at": at, "project": project, OUTCOME: outcome}]):
            raise OSError(f"{self._side.path} cannot be written")

    def of(self, project: str = "") -> "Iterator[Outcome]":
        """Yield the outcomes of a project, or all, in the order in which they were recorded.

        They are those that others get: nobody changes one.
        """
        # The side file first: a line that is folded meanwhile is then seen twice rather than never.
        waiting = _outcomes(self._side.waiting())
        copied = _copied(self._copy)
        new = (outcome for token, outcome in waiting.items() if token not in copied)
        for outcome in (*copied.values(), *new):
            if not project or outcome["project"] == project:
                yield outcome


def _copied(copy: str) -> "dict[object, Outcome]":
    """The outcomes of a copy, which is only ever replaced by another file."""
    try:
        with open(copy, "rb") as file:
            found = os.fstat(file.fileno())
            known = (copy, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
            last, before, outcomes = _LAST[0]
            if last != known:
                data = file.read()
                added = before and data.startswith(before)
                outcomes = _outcomes(data[len(before) :], outcomes) if added else _outcomes(data)
                _LAST[0] = known, data, outcomes
            return outcomes
    except OSError:
        return {}


def _outcomes(
    data: bytes, before: "dict[object, Outcome] | None" = None
) -> "dict[object, Outcome]":
    """The outcomes in some lines, in order, each by the token of its line, after those `before`."""
    found = {**(before or {})}
    for raw in data.splitlines():
        line = parsed(raw) if _MARK in raw else None
        if line is not None and isinstance(line.get(OUTCOME), dict):
            said = {"at": line["at"], "project": line.get("project")} | line[OUTCOME]
            found.setdefault(line.get(TOKEN), said)
    return found
