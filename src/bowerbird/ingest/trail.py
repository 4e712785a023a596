"""What a recorded session had read when each of its turns was said, by which the turn is trusted.

What a person typed counts as theirs, and the rest of a prompt as nobody's. What the agent said counts as
its own until it read what others wrote; the answer that read it, and all that follow, have low trust.
What a program of the project printed has it, and answers that repeat that, or the rest of a prompt.
"""

import os

from bowerbird.core.tool_calls import command, kind_of
from bowerbird.guard.heard import Heard
from bowerbird.guard.reading import AGENT, CHECK, PROGRAM, Reading
from bowerbird.guard.trust import TAINTED
from bowerbird.guard.typed import Typed, typed
from bowerbird.ingest.bounds import BYTES_PER_CALL, BYTES_PER_LINE, FEWEST_CALLS, FEWEST_LINES
from bowerbird.ingest.sub_agents import SubAgents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    ReadingFor = Callable[[str], Reading]


# Arguments of edits with what was there before.
_REPLACED = ("old_string", "oldString", "old_str")
# Characters of an answer that are looked at for words of others; a passage holds fewer.
_SHOWN = 1_500


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
        size: int = 0,
    ) -> None:
        """`path` is the transcript, `folder_of` returns the folder in which its session was held.

        `reading_for` returns what judges the calls made in a folder. By the transcript's `size` a number
        of calls and of lines of prompts is weighed; what follows has low trust.
        """
        self._most_calls = max(FEWEST_CALLS, size // BYTES_PER_CALL)
        self._most_lines = max(FEWEST_LINES, size // BYTES_PER_LINE)
        self._calls = self._lines = 0
        self._folder_of = folder_of
        self._path = path
        self._reading_for = reading_for
        self._reading: Reading | None = None
        self._folder = ""
        self._subs = SubAgents(path, reading_for)
        self._open: dict[str, tuple[str, dict[str, Any]]] = {}
        self._has_heard: Heard | None = None
        self._own_memory: set[str] = set()
        self._begun = False
        self.outside = False

    def called(self, id: str, tool: str, arguments: "Any", at: int = 0) -> str:
        """Notes a tool call; `id` is how its answer refers to it, `at` its time, 0 if unknown.

        Returns the trust that limits it; empty if nothing does.
        """
        self._begun = True
        self._calls += 1
        if self._beyond:
            self.outside = True
            return TAINTED
        given = arguments if isinstance(arguments, dict) else {"input": arguments}
        reading = self._judge
        repeats = self._heard.repeats(said_in(given), replaced_in(given))
        why = reading.foreign(tool, given, self._folder, at)
        if repeats or reading.wrote or kind_of(tool) == "edit":
            self._heard.wrote(said_in(given), replaced_in(given))
        if not repeats:
            self._heard.said(command(given))
        self._open[id] = (why, given)
        if kind_of(tool) == "own":
            self._own_memory.add(id)
        if why not in ("", AGENT, CHECK, PROGRAM):
            self.outside = True
        return TAINTED if self.outside or repeats else ""

    @property
    def _beyond(self) -> bool:
        """Whether there were more calls, or lines of prompts, than are weighed."""
        return self._calls > self._most_calls or self._lines > self._most_lines

    @property
    def left_out(self) -> str:
        """What the report says of a session of which not all is weighed; empty for others."""
        if not self._beyond:
            return ""
        most = f"{self._most_calls:,} tool calls and {self._most_lines:,} lines of prompts"
        return f"the first {most} are weighed; what follows has low trust"

    @property
    def _judge(self) -> Reading:
        if self._reading is None:
            self._folder = self._folder_of(self._path)
            self._reading = self._reading_for(self._folder)
        return self._reading

    @property
    def _heard(self) -> Heard:
        if self._has_heard is None:
            by = self._judge.heard_by
            self._has_heard = Heard() if by is None else by(self._judge)
        return self._has_heard

    def answered(self, id: str, text: str) -> str:
        """Notes the answer to a call. Returns the trust that limits it; empty if nothing does."""
        if self._beyond:
            return TAINTED
        why, given = self._open.pop(id, ("", {}))
        if why == AGENT:
            why = self._subs.read(given, text)
        if why or self._judge.names_foreign(text, self._folder):
            self.outside = self.outside or why == AGENT
            self._heard.others(text, printed=why in (CHECK, PROGRAM))
            return TAINTED
        heard = self._heard
        if id in self._own_memory:
            # What a memory holds is no evidence of whose it is.
            return self.trust_of("")
        heard.own(text)
        return TAINTED if self.outside or heard.repeats(text[:_SHOWN]) else ""

    def prompted(self, text: str, *, one_line: bool = False) -> Typed:
        """Notes a prompt. Returns what a person typed of it, and the rest, which has low trust."""
        self._begun = True
        self._lines += text.count("\n") + 1
        if self._beyond:
            self.outside = True
            return Typed("", text)
        found = typed(text, one_line=one_line)
        self._heard.typed(found.text)
        self.unknown(found.rest)
        self.outside = self.outside or found.others
        return found

    def unknown(self, text: str, *, others: bool = False) -> str:
        """Notes a text whose author is unknown, or known to be somebody else. Returns its trust."""
        if self._beyond:
            self.outside = True
            return TAINTED
        self._heard.others(text)
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
        if self.outside:
            return TAINTED
        # An empty text repeats nothing, and files of many results ask this for each of them.
        if not text:
            return ""
        if self._heard.repeats(text):
            return TAINTED
        self._heard.said(text)
        return ""


def said_in(given: "dict[str, Any]") -> str:
    """What an agent says in a call: its command, the text that it writes, a question."""
    said = (one for name, one in given.items() if name not in _REPLACED)
    return "\n".join(one for one in said if isinstance(one, str))


def replaced_in(given: "dict[str, Any]") -> str:
    """What stood in the place of what a call writes."""
    return "\n".join(str(given[name]) for name in _REPLACED if name in given)
