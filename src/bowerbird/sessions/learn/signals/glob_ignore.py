"""Glob-ignore: a file that is looked for in the wrong place.

Definition: a path was read or searched that does not exist, and afterwards one was opened that has the
same name, or a name that differs in punctuation only, or that the agent's program suggested. In
`SESSIONS` sessions. Source: reads and searches.
"""

import os
import re

from bowerbird.sessions.learn import quoting
from bowerbird.sessions.learn.recurrence import recurring
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "glob_ignore"
SESSIONS = 2
# Characters at the beginning of a result that are searched for the error.
_BEGINS = 300
# Maximum calls between the miss and the right file.
_SOON = 12
_MISSING = (
    "file does not exist",
    "path does not exist",
    "no such file",
    "file not found",
    "enoent",
)


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the missed paths, with the right ones."""
    steps = [step for step in session.steps if step.event.tool]
    found = {}
    for at, step in enumerate(steps):
        if step.outside or not _missing(step):
            continue
        for missed in _within(session, step):
            meant = _meant(missed, steps[at + 1 : at + 1 + _SOON])
            if meant and quoting.path(missed) and quoting.path(meant[0]):
                lines = (step.line, meant[1])
                found[missed] = Mark(1, lines, meant[0], (meant[0],))
    return found


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each missed path."""
    return recurring(
        NAME,
        "gotcha",
        SESSIONS,
        session,
        past,
        marks(session),
        lambda missed, mark, _: f"There is no `{missed}`: what is meant is `{mark.detail}`.",
    )


def _within(session: "RecordedSession", step: "Step") -> list[str]:
    base = session.folder.rstrip("/") + "/"
    named = [one.removeprefix(base) for one in paths(step.event.given)]
    return [os.path.normpath(one) for one in named if one and not os.path.isabs(one)]


def _meant(missed: str, later: "Sequence[Step]") -> tuple[str, int] | None:
    for step in later:
        if step.failed or not step.paths or _missing(step):
            continue
        for path in step.paths:
            if path != missed and _bare(path) == _bare(missed):
                return path, step.line
    return None


def _missing(step: "Step") -> bool:
    """Return whether a result says that there is no such file."""
    answer = step.event.answer if isinstance(step.event.answer, str) else ""
    begins = answer[:_BEGINS].lower()
    return any(one in begins for one in _MISSING)


def _bare(path: str) -> str:
    name = os.path.basename(path).lower().replace(".yaml", ".yml")
    return re.sub(r"[^a-z0-9]", "", name)
