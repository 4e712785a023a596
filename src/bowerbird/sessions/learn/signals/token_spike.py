"""Context token spike: files that are too long to be read whole.

Definition: a file of at least `_LONG` lines was read in parts, or the agent's tool refused to read it
whole, in `SESSIONS` sessions. The number is that of the last line that was shown. Source: reads.
"""

import re

from bowerbird.sessions.learn import file_lengths, quoting
from bowerbird.sessions.learn.recurrence import median, recurring
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "token_spike"
SESSIONS = 2
# Lines: some 10,000 tokens.
_LONG = 800
_NUMBERED = re.compile(r"(?m)^[ \t]*(\d+)[→\t|]")


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the last line shown of each long file that was read in parts."""
    last: dict[str, Mark] = {}
    for step in session.steps:
        given = step.event.given
        by_parts = any(given.get(name) for name in ("offset", "start_line", "limit"))
        if kind_of(step.event.tool) != "read" or not by_parts or len(step.paths) != 1:
            continue
        answer = step.event.answer if isinstance(step.event.answer, str) else ""
        shown = max((int(one) for one in _NUMBERED.findall(answer[-400:])), default=0)
        path = step.paths[0]
        if shown >= _LONG and (path not in last or last[path].number < shown):
            last[path] = Mark(shown, (step.line,), files=(path,), outside=step.outside)
    return last


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each file."""
    found = recurring(NAME, "context_cost", SESSIONS, session, past, marks(session), _text)
    for one in found:
        numbers = [
            *(other.marks[NAME][one.key] for other in past if one.key in other.marks.get(NAME, {})),
            marks(session)[one.key].number,
        ]
        one.payload = file_lengths.payload(one.key, _lines(numbers))
    return found


def _text(path: str, _mark: Mark, numbers: "Sequence[int]") -> str:
    if not quoting.path(path):
        return ""
    return (
        f"`{path}` is long, more than {_lines(numbers):,} lines: search it and read the part that is"
        " needed, not the whole file."
    )


def _lines(numbers: "Sequence[int]") -> int:
    return max(median(numbers), _LONG) // 100 * 100
