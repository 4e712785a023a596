"""What a recorded session had read when each of its turns was said, by which the turn is trusted.

What a person typed counts as theirs. What the agent said counts as its own until it read what others
wrote; the answer that read it, and all that follow, have low trust. Answers that repeat what a program of
the project printed have it, too.
"""

import os

from bowerbird.guard.reading import AGENT, PROGRAM, Reading, runs
from bowerbird.guard.trust import TAINTED
from bowerbird.guard.typed import typed
from bowerbird.ingest.session_folder import session_folder
from bowerbird.ingest.sub_agents import SubAgents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    ReadingFor = Callable[[str], Reading]


def judged_by_folder(folder: str) -> Reading:
    """What judges calls where only the session's folder is known to be the user's own."""
    return Reading((folder,), os.path.expanduser("~"))


class Trail:
    """What one session read so far."""

    def __init__(self, path: str, reading_for: "ReadingFor" = judged_by_folder) -> None:
        """`path` is the transcript; `reading_for` returns what judges the calls made in a folder."""
        self._path = path
        self._reading_for = reading_for
        self._reading: Reading | None = None
        self._folder = ""
        self._subs = SubAgents(path, reading_for)
        self._open: dict[str, tuple[str, dict[str, Any]]] = {}
        self._printed: set[str] = set()
        self.outside = False

    def called(self, id: str, tool: str, arguments: "Any") -> None:
        """Notes a tool call; `id` is how its answer refers to it."""
        if self._reading is None:
            found = session_folder(self._path)
            self._folder = found.folder if found is not None else os.path.dirname(self._path)
            self._reading = self._reading_for(self._folder)
        given = arguments if isinstance(arguments, dict) else {"input": arguments}
        why = self._reading.foreign(tool, given, self._folder)
        if why in (AGENT, PROGRAM):
            self._open[id] = (why, given)
        elif why:
            self.outside = True

    def answered(self, id: str, text: str) -> None:
        """Notes the answer to a call."""
        why, given = self._open.pop(id, ("", {}))
        if why == PROGRAM:
            self._printed |= runs(text)
        elif why == AGENT and self._subs.read_foreign(given, text):
            self.outside = True

    def trust_of(self, text: str, *, of_user: bool) -> str:
        """The trust that limits a text said now; empty if nothing does."""
        if of_user:
            lowers = typed(text).others
        else:
            lowers = self.outside or not self._printed.isdisjoint(runs(text))
        return TAINTED if lowers else ""
