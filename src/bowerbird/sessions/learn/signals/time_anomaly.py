"""Time anomaly: slow commands, among those that another signal reports as routines.

Definition: a command of general use that succeeded had a median of at least `_LONG` seconds in the last
`_LATELY` sessions, of at least `SESSIONS`; the lesson gives the range in those. The number is its
seconds. Source: shell commands and the times of their results.
"""

from collections import Counter

from bowerbird.sessions.learn.commands import checks, lasting
from bowerbird.sessions.learn.recurrence import median, recurring
from bowerbird.sessions.learn.signals import routines
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "time_anomaly"
SESSIONS = 3
# In seconds. An agent gives up on a command after two minutes by default.
_LONG = 30
# The share of the usual duration below which nothing was run: the output came from a cache.
_CACHED = 1 / 3
# Sessions that count: the duration of a command grows with the project.
_LATELY = 5


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the durations of commands that were alone in their line; the median of several runs."""
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
    """Return a lesson for each slow command that is a routine."""
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
