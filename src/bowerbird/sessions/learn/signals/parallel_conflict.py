"""Parallel conflict: a file that two agents of one session change.

Definition: two of a session's agents edited one file. An edit that was refused because a formatter or a
person had changed the file does not count: it is no use later. Source: edits.
"""

from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "parallel_conflict"


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each file."""
    editors: dict[str, set[str]] = {}
    found = {}
    for step in session.steps:
        if kind_of(step.event.tool) != "edit":
            continue
        for path in step.paths:
            editors.setdefault(path, set()).add(step.event.sub)
            if len(editors[path]) > 1:
                found[path] = Lesson(
                    NAME,
                    path,
                    "gotcha",
                    f"`{path}` is changed by several agents at once: read it again right before an edit.",
                    lines=(step.line,),
                    sessions=(session.id,),
                    files=(path,),
                    outside=step.outside,
                )
    return [*found.values()]
