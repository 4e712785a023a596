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
        """Yield the outcomes of a project, or all, in the order in which they were recorded."""
        # The side file first: a line that is folded meanwhile is then seen twice rather than never.
        waiting = self._side.waiting()
        try:
            with open(self._copy, "rb") as file:
                data = file.read()
        except OSError:
            data = b""
        seen: set[object] = set()
        for raw in (*data.splitlines(), *waiting.splitlines()):
            line = parsed(raw) if _MARK in raw else None
            if line is None or line.get(TOKEN) in seen or not isinstance(line.get(OUTCOME), dict):
                continue
            seen.add(line.get(TOKEN))
            if not project or line.get("project") == project:
                yield {"at": line["at"], "project": line["project"]} | line[OUTCOME]
