"""Routines: commands that build, test, lint or format a project and worked again and again.

Definition: a command for every day (no single test, file or variable in it) that worked `_TIMES` times
and more in `SESSIONS` sessions and more, of at most `_MOST` for one purpose. Source: calls to a shell.
"""

import os
from collections import Counter

from bowerbird.agent.learn.commands import checks, lasting
from bowerbird.agent.learn.steps import Candidate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, Told

NAME = "routines"
SESSIONS = 3
_TIMES = 5
# Of one purpose: a project has a command or two for its tests, and many variants of them.
_MOST = 2
_WORDS = {
    "test": "Run the tests with",
    "lint": "Lint with",
    "format": "Format the code with",
    "build": "Build with",
    "generate": "Generate code with",
}


def worked(told: "Told") -> dict[str, int]:
    """The commands for every day that worked in a session, and how often."""
    found: Counter[str] = Counter()
    for step in told.steps:
        command = step.event.given.get("command")
        if isinstance(command, str) and not step.failed and not step.outside:
            for part in checks(command):
                folder = os.path.normpath(os.path.join(step.event.cwd, part.folder))
                within = os.path.relpath(folder, told.folder) if told.folder else "."
                if lasting(part.text) and lasting(within) and not within.startswith(".."):
                    found[part.text if within == "." else f"cd {within} && {part.text}"] += 1
    return dict(found)


def candidates(told: "Told", past: "Sequence[Digest]") -> list[Candidate]:
    """A candidate a command that this session brought over the bounds, or that stood above them."""
    own = worked(told)
    times, sessions = Counter(own), {text: [told.id] for text in own}
    for one in past:
        for text, count in one.worked.items():
            times[text] += count
            sessions.setdefault(text, []).append(one.session)
    by_purpose: dict[str, list[str]] = {}
    for text, _ in times.most_common():
        if times[text] >= _TIMES and len(sessions[text]) >= SESSIONS:
            part = checks(text)[0]
            same = by_purpose.setdefault(part.purpose, [])
            if len(same) < _MOST:
                same.append(text)
    found = []
    for purpose, texts in by_purpose.items():
        for text in texts:
            key = f"{purpose} {text}"
            if text in own:
                found.append(
                    Candidate(
                        *(NAME, key, "procedure", f"{_WORDS[purpose]} `{text}`."),
                        sessions=tuple(sessions[text]),
                        strength=min(1.0, len(sessions[text]) / 10 + 0.5),
                    )
                )
    return found
