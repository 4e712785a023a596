"""Backtrack: a change that was reverted, and why.

Definition: an edit that restored what an earlier one of the session had replaced, or a command that
discarded changes of a file, where the agent's messages between the two, or a person's request, give the
reason. Phrases of an abandoned approach (“this approach won't work”, “let me try a different approach”)
count as reasons. Source: edits, commands and messages.
"""

import re

from bowerbird.agent.learn.claims import claims
from bowerbird.agent.learn.edits import changes
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.observe.calls import command, kind_of
from bowerbird.core.events import SAID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession, Step

NAME = "backtrack"
_THROWN = re.compile(r"\bgit (?:checkout (?:HEAD )?-- |restore (?!--staged))(?P<paths>[\w./ -]+)")
_ABANDONED = re.compile(
    r"(?i)this approach (?:won't|will not|cannot) work|I need to abandon this"
    r"|let me try a different approach"
    r"|unavailable in (?:test|ci|production)|not available in this environment"
)
# Steps before a revert that are searched for the reason; and the characters below which a change is a
# slip.
_NEAR, _SHORTEST = 6, 40


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each reverted change."""
    found = {}
    for at, path, line in _undone(session):
        near = [step for step in session.steps[max(0, at - _NEAR) : at] if step.event.what == SAID]
        for step in reversed(near):
            why = next((one.text for one in claims(step.event.text) if one.causes), "")
            if why:
                text = f"A change of `{path}` was taken back: {why}" if path else why
                found[path or why] = Lesson(
                    *(NAME, path or why, "dead_end", text, (step.line, line), (session.id,)),
                    files=(path,) if path else (),
                    outside=step.outside,
                    payload={"approach_tried": f"a change of {path}", "why_it_failed": why},
                )
                break
    return [*found.values()]


def _undone(session: "RecordedSession") -> "Iterator[tuple[int, str, int]]":
    edits: dict[tuple[str, str, str], int] = {}
    edited = set()
    for at, step in enumerate(session.steps):
        if _abandons(step):
            yield at + 1, "", step.line
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
