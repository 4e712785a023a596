"""What the trust of a lesson rests on: the file of its session, its lines, and what hooks recorded."""

import time

from bowerbird.agents.index import HOOKED
from bowerbird.core.events import PROMPTED
from bowerbird.core.origins import origin_of
from bowerbird.core.text import one_line
from bowerbird.guard.reading import NAMES
from bowerbird.guard.trust import TAINTED, Evidence, evidence
from bowerbird.sessions.learn.commands import cut_short
from bowerbird.sessions.observe.calls import command
from bowerbird.sessions.observe.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.sessions.learn.steps import Lesson, RecordedSession, Step
    from bowerbird.wiring.opened import Opened

# Lines of a transcript that are quoted in a review, and the characters of each.
_MOST_QUOTES = 2
_LONGEST = 160
_LONGEST_COMMAND = 60
# How far the clocks of a hook and a transcript are apart for the same event.
_SAME_MS = 10_000


def evidence_of(lesson: "Lesson", session: "RecordedSession", *, own: bool, shown: str) -> Evidence:
    """The trust of a lesson's evidence, and why it waits.

    `own`: the transcript is the user's own. `shown` is the lowest trust that the session was shown
    without a step that tells when. What the agent proposed and a person accepted is the person's, unless
    it may rest on the words of others: nobody reads each page that their agent read.
    """
    last = max(lesson.lines, default=0)
    before = [step for step in session.steps if step.foreign and (not last or step.line <= last)]
    others_words = lesson.accepted and (lesson.outside or bool(shown))
    return evidence(
        "agent" if others_words else origin_of(lesson.source),
        own=own,
        kept=lesson.asked,
        follows=lesson.outside,
        shown=shown,
        reason=_reason(before[0]) if before else "",
    )


def learned_at(lesson: "Lesson", session: "RecordedSession") -> int:
    """When the last line of a lesson's evidence was written, in UTC milliseconds; 0 if unknown."""
    known = [step.at for step in session.steps if step.line in lesson.lines]
    return max(known, default=max((step.at for step in session.steps), default=0))


def quotes(lesson: "Lesson", session: "RecordedSession") -> "list[list[Any]]":
    """The beginnings of the lines that a lesson rests on: number, author and text of each."""
    steps = [step for step in session.steps if step.line in lesson.lines]
    return [[step.line, *_quoted(step)] for step in steps[:_MOST_QUOTES]]


def _quoted(step: "Step") -> tuple[str, str]:
    event = step.event
    who = event.tool or ("user" if event.what == PROMPTED else "agent")
    # Not what a tool returned: that may be others' words.
    text = " ".join((command(event.given), *step.paths)) if event.tool else event.text
    return who, cut_short(one_line(text), _LONGEST)


def _reason(step: "Step") -> str:
    """Which step read what others wrote: its command, or the kind of its source, with line and day."""
    ran = one_line(command(step.event.given))
    what = f"`{cut_short(ran, _LONGEST_COMMAND)}`" if ran else NAMES[step.foreign]
    return f"{what} (line {step.line}{', ' + _day(step.at) if step.at else ''})"


def _day(at: int) -> str:
    """The day of a time in UTC milliseconds, as in 2026-02-03."""
    return time.strftime("%Y-%m-%d", time.gmtime(at / 1000))


def lowered_by_hooks(session: "RecordedSession", opened: "Opened") -> str:
    """Marks the steps after the time at which a hook met text of others.

    The read itself may be in a sub-agent's transcript, or in an earlier one. Returns the lowest trust
    that the session was shown if nothing says when, so that it counts for all lessons; else empty.
    """
    shown = opened.shown.lowest((session.id,))
    if shown != TAINTED:
        return shown
    times = _external(session.id, opened.path)
    since = min(times, default=None)
    if since is None and any(step.foreign for step in session.steps):
        return ""
    unseen = _first_unseen(session, times)
    for step in session.steps:
        if since is None or not step.at or step.at >= since:
            step.outside = step.follows = True
        # What was said there is unknown, so that anything may repeat it.
        step.repeats = step.repeats or (unseen is not None and (not step.at or step.at >= unseen))
    return shown if since is None else ""


def _first_unseen(session: "RecordedSession", times: "list[int]") -> int | None:
    """The first of some times at which no step of a session read what others wrote; None: all have."""
    known = [step.at for step in session.steps if step.foreign]
    unseen = (one for one in times if not any(abs(one - at) <= _SAME_MS for at in known))
    return min(unseen, default=None)


def _external(session: str, store: str) -> "list[int]":
    """When hooks met text of others in a session, in UTC milliseconds."""
    journal = Journal(store)
    return [
        int(line["at"])
        for agent in HOOKED
        for line in journal.lines(f"{agent}-{session}", holding=b'"external"')
        if line.get("external") and isinstance(line.get("at"), int)
    ]
