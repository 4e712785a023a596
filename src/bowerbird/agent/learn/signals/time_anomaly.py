"""Time anomaly: commands that take long. Told of those alone that another signal knows as routines.

Definition: a command for every day that worked took `_LONG` seconds and more in the middle of the last
`_LATELY` sessions, of `SESSIONS` and more; told is between what and what it took in those. The number is
its seconds. Source: calls to a
shell and when their results came.
"""

from collections import Counter

from bowerbird.agent.learn.commands import checks, lasting
from bowerbird.agent.learn.recurring import median, recurring
from bowerbird.agent.learn.signals import routines
from bowerbird.agent.learn.steps import Lesson, Mark, once
from bowerbird.agent.observe.calls import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession

NAME = "time_anomaly"
SESSIONS = 3
# An agent gives up on a command after two minutes, unless it is told more.
_LONG = 30
# Of what is usual, below which nothing was run: what it would have printed was kept.
_CACHED = 1 / 3
# Sessions that count: what a command takes grows with what it is run on.
_LATELY = 5


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """How long the commands of a session took, alone in their line; of several runs the middle."""
    runs: dict[str, list[tuple[int, int]]] = {}
    for step in session.steps:
        parts = checks(command(step.event.given))
        if len(parts) == 1 and step.took and not step.failed and not step.outside:
            text = routines.within(session, step, parts[0])
            if text and lasting(parts[0].text):
                runs.setdefault(text, []).append((step.took // 1000, step.line))
    return {
        text: Mark(median([took for took, _ in some]), tuple(line for _, line in some[:3]))
        for text, some in runs.items()
    }


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """A lesson a command that is a routine by now."""
    met = Counter(text for one in past for text in one.marks.get(routines.NAME, {}))
    known = {text for text in routines.marks(session) if met[text] + 1 >= routines.SESSIONS}
    own = {text: mark for text, mark in marks(session).items() if text in known}
    return recurring(NAME, "fact", SESSIONS, session, past, own, _text)


def _text(text: str, _mark: Mark, numbers: "Sequence[int]") -> str:
    seconds = median(numbers[-_LATELY:])
    if seconds < _LONG:
        return ""
    whole = [one for one in numbers[-_LATELY:] if one >= seconds * _CACHED]
    least, most = min(whole), max(whole)
    took = f"{most} s" if least == most else f"{least} to {most} s"
    return f"`{text}` took {took} in the last sessions: give it that time, or run it in the background."
