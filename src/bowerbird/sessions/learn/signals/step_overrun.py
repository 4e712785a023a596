"""Step overrun: how many calls a step of a plan takes in a part of the code.

Definition: sessions that kept a list of at least `_FEWEST` things to do, and edited files of one folder
only, or mostly; the number is calls per item. After `SESSIONS` sessions it gives the median, if that is
at least `_MANY`. Source: lists of things to do.
"""

from collections import Counter

from bowerbird.sessions.learn.recurrence import median
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.learn.touched_files import accesses, module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "step_overrun"
SESSIONS = 3
_FEWEST = 3
_MANY = 8
_LISTS = ("todos", "plan")


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the folder with most of the edits, and the calls per item of the plan."""
    planned = max((len(_listed(step.event.given)) for step in session.steps), default=0)
    todos = sum(step.event.given.get("subject") is not None for step in session.steps)
    planned = max(planned, todos)
    folders = Counter(module(path) for _, path, edits in accesses(session) if edits)
    calls = sum(bool(step.event.tool) for step in session.steps)
    if planned < _FEWEST or not folders:
        return {}
    return {folders.most_common(1)[0][0]: Mark(round(calls / planned))}


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for the folder with most of the edits."""
    found = []
    for folder, mark in marks(session).items():
        before = [one for one in past if folder in one.marks.get(NAME, {})]
        numbers = [one.marks[NAME][folder] for one in before] + [mark.number]
        calls = median(numbers)
        if len(numbers) >= SESSIONS and calls >= _MANY:
            text = f"Work on `{folder}` takes about {calls} calls for each step of a plan."
            payload = {"module": folder, "ratio": float(calls), "sample_count": len(numbers)}
            found.append(
                Lesson(
                    NAME,
                    folder,
                    "task_calibration",
                    text,
                    sessions=(*(one.session for one in before), session.id),
                    payload=payload,
                )
            )
    return found


def _listed(given: "dict[str, object]") -> "list[object]":
    return next((one for name in _LISTS if isinstance(one := given.get(name), list)), [])
