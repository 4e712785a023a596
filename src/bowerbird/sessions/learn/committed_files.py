"""Extracts the files of commits from the git output that a session saw. Pure."""

import re

from bowerbird.sessions.observe.calls import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.sessions.learn.steps import RecordedSession, Step

_ASKED = re.compile(r"git (?:commit|show|log|diff)")
# The lines of `--stat`, one per file.
_LISTED = re.compile(r"(?m)((?:^ \S+ +\| +\d+ .*\n)+) \d+ files? changed")
_FILE = re.compile(r"(?m)^ (\S+) +\|")
# A path that git truncated does not identify a file.
_CUT = "..."


def landed(steps: "Iterable[Step]") -> list[tuple[str, ...]]:
    """Return the files of each commit or branch that git listed (`--stat`), each list once."""
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for step in steps:
        answer = step.event.answer
        if isinstance(answer, str) and _ASKED.search(command(step.event.given)):
            for listed in _LISTED.finditer(answer):
                files = tuple(path for path in _FILE.findall(listed[1]) if _CUT not in path)
                found.setdefault(frozenset(files), files)
    return [*found.values()]


def landed_within(session: "RecordedSession") -> tuple[tuple[str, ...], ...]:
    """Return the same for a session, without what git listed after an external read."""
    return tuple(landed(step for step in session.steps if not step.outside))
