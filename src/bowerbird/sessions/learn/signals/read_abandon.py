"""Read-abandon: a file that is read first, before the work is done in another one beside it.

Definition: in `SESSIONS` or more sessions a file was read once and never again, and the next file of its
folder was edited instead. Source: reads and edits.
"""

from itertools import pairwise

from bowerbird.sessions.learn.recurrence import recurring
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.learn.touched_files import module, stem, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "read_abandon"
SESSIONS = 3
_BETWEEN = " -> "


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the files that were abandoned for another one."""
    own = touched(session)
    names = [*own]
    found = {}
    for left, taken in pairwise(names):
        abandoned = own[left].reads == 1 and not own[left].edits and own[taken].edits
        if abandoned and module(left) == module(taken) and stem(left) != stem(taken):
            found[left + _BETWEEN + taken] = Mark(files=(left, taken))
    return found


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each pair of files."""
    return recurring(NAME, "gotcha", SESSIONS, session, past, marks(session), _text)


def _text(key: str, _mark: Mark, _numbers: "Sequence[int]") -> str:
    left, _, taken = key.partition(_BETWEEN)
    return f"What is looked for in `{left}` mostly stands in `{taken}`."
