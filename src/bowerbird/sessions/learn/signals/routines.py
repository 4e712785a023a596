"""Routines: commands that repeatedly built, tested, linted or formatted a project successfully.

Definition: a command of general use (without a single file or a variable; a test's name as `NAME`) that
succeeded at least `_TIMES` times in at least `SESSIONS` sessions; at most `_MOST` per purpose. Source:
shell commands.
"""

import os
from collections import Counter

from bowerbird.sessions.learn.commands import EVERYBODYS, checks, lasting, one_test
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.commands import Part
    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "routines"
SESSIONS = 3
_TIMES = 5
# Per purpose: a project has a command or two for its tests, and many variants of them.
_MOST = 3
# Tests by name have a variant for every folder.
_ONE = "one test"
_WORDS = {
    "test": "Run the tests with",
    "lint": "Lint with",
    "types": "Check the types with",
    "format": "Format the code with",
    "build": "Build with",
    "generate": "Generate code with",
    _ONE: "Run one test by its name with",
}


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the commands of general use that succeeded in a session, and how often."""
    found: dict[str, Mark] = {}
    for step in session.steps:
        if not step.failed and not step.outside:
            line = command(step.event.given)
            texts = [within(session, step, part) for part in checks(line)]
            for text in [*texts, *(one_test(line) if step.event.cwd == session.folder else ())]:
                if text:
                    mark = found.setdefault(text, Mark(0, (step.line,)))
                    mark.number += 1
    return found


def within(session: "RecordedSession", step: "Step", part: "Part") -> str:
    """Return a command with its folder relative to the session's; empty for one of a single occasion."""
    if not lasting(part.text):
        return ""
    folder = os.path.normpath(os.path.join(step.event.cwd, part.folder))
    below = os.path.relpath(folder, session.folder) if session.folder else "."
    if not lasting(below) or below.startswith(".."):
        return ""
    return part.text if below == "." else f"cd {below} && {part.text}"


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each command of this session that is above the thresholds."""
    own = marks(session)
    times = Counter({text: mark.number for text, mark in own.items()})
    sessions = {text: [session.id] for text in own}
    for one in past:
        for text, count in one.marks.get(NAME, {}).items():
            times[text] += count
            sessions.setdefault(text, []).append(one.session)
    by_purpose: dict[str, list[str]] = {}
    for text, _ in times.most_common():
        if times[text] >= _TIMES and len(sessions[text]) >= SESSIONS and text not in EVERYBODYS:
            purpose = _ONE if one_test(text) else checks(text)[0].purpose
            same = by_purpose.setdefault(purpose, [])
            if len(same) < _MOST:
                same.append(text)
    return [
        Lesson(
            NAME,
            f"{purpose} {text}",
            "procedure",
            f"{_WORDS[purpose]} `{text}`.",
            lines=own[text].lines,
            sessions=tuple(sessions[text]),
            strength=min(1.0, len(sessions[text]) / 10 + 0.5),
        )
        for purpose, texts in by_purpose.items()
        for text in texts
        if text in own
    ]
