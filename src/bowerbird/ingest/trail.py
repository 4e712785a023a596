"""What a recorded session had read when each of its turns was said, by which the turn is trusted.

What a person typed counts as theirs, and the rest of a prompt as nobody's. What the agent said counts as
its own until it read what others wrote; the answer that read it, and all that follow, have low trust.
What a program of the project printed has it, and answers that repeat that, or the rest of a prompt.
"""

import os

from bowerbird.guard.reading import AGENT, CHECK, PROGRAM, Reading, names_vendored, runs
from bowerbird.guard.trust import TAINTED
from bowerbird.guard.typed import Typed, typed
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

    def __init__(
        self,
        path: str,
        folder_of: "Callable[[str], str]" = os.path.dirname,
        reading_for: "ReadingFor" = judged_by_folder,
    ) -> None:
        """`path` is the transcript, `folder_of` returns the folder in which its session was held.

        `reading_for` returns what judges the calls made in a folder.
        """
        self._folder_of = folder_of
        self._path = path
        self._reading_for = reading_for
        self._reading: Reading | None = None
        self._folder = ""
        self._subs = SubAgents(path, reading_for)
        self._open: dict[str, tuple[str, dict[str, Any]]] = {}
        # Runs of words that nobody known wrote.
        self._runs: set[str] = set()
        self._begun = False
        self.outside = False

    def called(self, id: str, tool: str, arguments: "Any", at: int = 0) -> None:
        """Notes a tool call; `id` is how its answer refers to it, `at` its time, 0 if unknown."""
        self._begun = True
        if self._reading is None:
            self._folder = self._folder_of(self._path)
            self._reading = self._reading_for(self._folder)
        given = arguments if isinstance(arguments, dict) else {"input": arguments}
        why = self._reading.foreign(tool, given, self._folder, at)
        if why in (AGENT, CHECK, PROGRAM):
            self._open[id] = (why, given)
        elif why:
            self.outside = True

    def answered(self, id: str, text: str) -> str:
        """Notes the answer to a call. Returns the trust that limits it; empty if nothing does."""
        why, given = self._open.pop(id, ("", {}))
        if why in (CHECK, PROGRAM) or names_vendored(text):
            return self.unknown(text)
        if why == AGENT and self._subs.read_foreign(given, text):
            self.outside = True
        return self.trust_of("")

    def prompted(self, text: str, *, one_line: bool = False) -> Typed:
        """Notes a prompt. Returns what a person typed of it, and the rest, which has low trust."""
        self._begun = True
        found = typed(text, one_line=one_line)
        self.unknown(found.rest)
        self.outside = self.outside or found.others
        return found

    def unknown(self, text: str, *, others: bool = False) -> str:
        """Notes a text whose author is unknown, or known to be somebody else. Returns its trust."""
        self._runs |= runs(text)
        self.outside = self.outside or others
        return TAINTED

    def recapped(self, text: str) -> str:
        """Notes the agent's summary of what was said before. Returns the trust that limits it.

        What a summary at the beginning rests on is in another transcript, and unknown.
        """
        if not self._begun:
            self.unknown(text)
        return self.trust_of(text)

    def trust_of(self, text: str) -> str:
        """The trust that limits what the agent says now; empty if nothing does."""
        return TAINTED if self.outside or not self._runs.isdisjoint(runs(text)) else ""
