"""Outcomes of memories: verdicts of people, and what was injected into each session and used.

JSON lines in a file beside the store, appended one by one; they contain no text of anybody.
"""

import os

from bowerbird.core import plainjson
from bowerbird.host.places import append_to, make_folder, write_lines
from bowerbird.sessions.levels import CONFIRMED, REJECTED, VERDICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Outcome = dict[str, Any]

SUFFIX = ".outcomes"
# In bytes; a session takes some 300.
_LARGEST = 50_000_000
# The maximum of additional sessions required of a signal whose lessons were rejected.
_MOST_MORE = 3


class Outcomes:
    """The outcomes of one store's memories."""

    def __init__(self, store: str) -> None:
        self._path = store + SUFFIX

    def add(self, project: str, sessions: int, what: str, at: int, **details: "Any") -> None:
        """Append an outcome in a project's n-th session, with its time. Raises OSError."""
        line = {"at": at, "project": project, "sessions": sessions, "what": what} | details
        data = plainjson.dumps(line).encode() + b"\n"
        make_folder(os.path.dirname(self._path))
        handle = append_to(self._path)
        try:
            if os.fstat(handle).st_size < _LARGEST:
                write_lines(handle, data)
        finally:
            os.close(handle)

    def of(self, project: str = "") -> "Iterator[Outcome]":
        """Yield the outcomes of a project, or all, oldest first; a truncated line is skipped."""
        try:
            with open(self._path, "rb") as file:
                data = file.read(_LARGEST)
        except OSError:
            return
        name = plainjson.dumps(project).encode() if project else b""
        for raw in data.splitlines():
            if name in raw:
                try:
                    line = plainjson.loads(raw.decode())
                except ValueError:
                    continue  # truncated by a crash
                if isinstance(line, dict) and (not project or line.get("project") == project):
                    yield line


def needed_more(outcomes: "Iterable[Outcome]") -> dict[str, int]:
    """Return how many more sessions a signal's lessons need, by signal, given its rejected ones."""
    left: dict[str, int] = {}
    for one in outcomes:
        signal = one.get("signal")
        if isinstance(signal, str) and signal and one.get("what") in VERDICTS:
            step = {REJECTED: 1, CONFIRMED: -1}.get(one["what"], 0)
            left[signal] = min(_MOST_MORE, max(0, left.get(signal, 0) + step))
    return left
