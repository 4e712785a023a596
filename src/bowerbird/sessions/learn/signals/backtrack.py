"""Backtrack: a change that was reverted, and why; and a command that was given up for another one.

Definition, first kind: an edit that restored what an earlier one of the session had replaced, or a
command that discarded changes of a file, where the agent's messages between the two, or a person's
request, give the reason. Second kind: a command failed, the agent said in words of an abandoned approach
(“this approach won't work”) that it gives up, and another command succeeded soon.
Source: edits, commands and messages.
"""

import re

from bowerbird.core.events import SAID
from bowerbird.sessions.learn import quoting
from bowerbird.sessions.learn.claims import claims
from bowerbird.sessions.learn.commands import parts, without_output
from bowerbird.sessions.learn.curing import failed_command
from bowerbird.sessions.learn.doing import changes_something, same_command
from bowerbird.sessions.learn.edits import changes
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "backtrack"
_THROWN = re.compile(r"\bgit (?:checkout (?:HEAD )?-- |restore (?!--staged))(?P<paths>[\w./ -]+)")
_ABANDONED = re.compile(
    r"(?i)this approach (?:won't|will not|cannot) work|I need to abandon this"
    r"|let me try (?:a different|another) approach"
    r"|unavailable in (?:test|ci|production)|not available in this environment"
)
# Steps before a revert that are searched for the reason; and the characters below which a change is a
# slip.
_NEAR = 6
_SHORTEST = 40
# Maximum steps from giving up to what worked instead.
_SOON = 12


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each reverted change."""
    found = {}
    for at, path, line in _undone(session):
        near = [step for step in session.steps[max(0, at - _NEAR) : at] if step.event.what == SAID]
        for step in reversed(near):
            why = next((one.text for one in claims(step.event.text) if one.causes), "")
            if why and quoting.path(path):
                text = f"A change of `{path}` was taken back: {why}"
                found[path] = Lesson(
                    NAME,
                    path,
                    "dead_end",
                    text,
                    (step.line, line),
                    (session.id,),
                    files=(path,),
                    outside=step.outside,
                    payload={"approach_tried": f"a change of {path}", "why_it_failed": why},
                )
                break
    for lesson in _given_up(session):
        found.setdefault(lesson.key, lesson)
    return [*found.values()]


def _given_up(session: "RecordedSession") -> "Iterator[Lesson]":
    for at, step in enumerate(session.steps):
        if not _abandons(step):
            continue
        before = session.steps[max(0, at - _NEAR) : at]
        failed = next((one for one in reversed(before) if failed_command(one)), None)
        if failed is None:
            continue
        tried = command(failed.event.given)
        other = _worked(tried, session.steps[at + 1 : at + 1 + _SOON])
        shown = quoting.command(without_output(tried))
        instead = quoting.command(without_output(command(other.event.given))) if other else ""
        if other is None or not shown or not instead:
            continue
        yield Lesson(
            NAME,
            shown,
            "dead_end",
            f"`{shown}` failed and was given up; `{instead}` worked.",
            (failed.line, step.line, other.line),
            (session.id,),
            outside=other.outside,
            payload={
                "approach_tried": f"`{shown}`",
                "why_it_failed": "it failed, and was given up",
                "alternative_used": f"`{instead}`",
                "command": shown,
            },
        )


def _worked(tried: str, later: "Sequence[Step]") -> "Step | None":
    """Return the next command that succeeded instead; None if the first one did after all."""
    for step in later:
        line = command(step.event.given) if kind_of(step.event.tool) == "shell" else ""
        if not line or step.failed:
            continue
        if same_command(tried, line):
            return None
        if any(map(changes_something, parts(line))):
            return step
    return None


def _undone(session: "RecordedSession") -> "Iterator[tuple[int, str, int]]":
    edits: dict[tuple[str, str, str], int] = {}
    edited = set()
    for at, step in enumerate(session.steps):
        for path in step.paths if kind_of(step.event.tool) == "edit" and not step.failed else ():
            edited.add(path)
            for old, new in changes(step.event.given):
                if len(old + new) >= _SHORTEST:
                    if (path, new, old) in edits:
                        yield at, path, step.line
                    edits[path, old, new] = at
        if not step.failed and (match := _THROWN.search(command(step.event.given))):
            for path in edited & set(match["paths"].split()):
                yield at, path, step.line


def _abandons(step: "Step") -> bool:
    return step.event.what == SAID and bool(_ABANDONED.search(step.event.text))
