"""Tool sequence: checks that are run in one order before work is called done.

Definition: after the last edit of a turn, two to four commands of general use with different purposes
succeeded, in the same order in at least `SESSIONS` sessions, in at least the share `_SHARE` of those that
ran these commands in any order, and no less often than any other such sequence. Source: shell commands.
"""

from collections import Counter

from bowerbird.core.events import PROMPTED
from bowerbird.sessions.learn.commands import checks, lasting
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.commands import Part
    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "tool_sequence"
# With three, one sequence was reported that did not last.
SESSIONS = 5
_SHARE = 0.7
_FEWEST = 2
_MOST = 4
_THEN = " -> "


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the orders in which checks were run."""
    found: dict[str, Mark] = {}
    run: dict[str, Part] = {}
    lines: list[int] = []
    for step in session.steps:
        if step.event.what == PROMPTED or kind_of(step.event.tool) == "edit":
            _end(run, lines, found)
        parts = checks(command(step.event.given))
        if step.failed and parts:
            run.clear()
            lines.clear()
        elif parts and not step.outside:
            lines.append(step.line)
            for part in parts:
                if lasting(part.text) and not part.folder:
                    run.setdefault(part.purpose, part)
    _end(run, lines, found)
    return found


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each order."""
    found = []
    for key, mark in marks(session).items():
        before = [one.session for one in past if key in one.marks.get(NAME, {})]
        steps = key.split(_THEN)
        orders = [order for one in past for order in one.marks.get(NAME, {})]
        same = sum(sorted(order.split(_THEN)) == sorted(steps) for order in orders) + 1
        most = max(Counter(orders).values(), default=0)
        if len(before) + 1 >= max(SESSIONS, _SHARE * same, most):
            listed = ", then ".join(f"`{one}`" for one in steps)
            found.append(
                Lesson(
                    NAME,
                    key,
                    "workflow_recipe",
                    f"After a change to the code run {listed}.",
                    lines=mark.lines,
                    sessions=(*before, session.id),
                    strength=min(1.0, len(before) / 10),
                    payload={"task_pattern": "checking a change", "steps": steps},
                )
            )
    return found


def _end(run: "dict[str, Part]", lines: list[int], found: dict[str, Mark]) -> None:
    if _FEWEST <= len(run) <= _MOST:
        key = _THEN.join(part.text for part in run.values())
        found.setdefault(key, Mark(len(run), tuple(lines[:4])))
    run.clear()
    lines.clear()
