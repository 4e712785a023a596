"""Which files commits changed, as far as a session was shown it by git. Pure."""

import re

from bowerbird.agent.observe.calls import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.agent.learn.steps import RecordedSession, Step

_ASKED = re.compile(r"git (?:commit|show|log|diff)")
# What `--stat` lists, a line a file.
_LISTED = re.compile(r"(?m)((?:^ \S+ +\| +\d+ .*\n)+) \d+ files? changed")
_FILE = re.compile(r"(?m)^ (\S+) +\|")
# A path that git cut short names no file.
_CUT = "..."


def landed(steps: "Iterable[Step]") -> list[tuple[str, ...]]:
    """The files of each commit or branch that git listed (`--stat`) in some steps, each list once."""
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for step in steps:
        answer = step.event.answer
        if isinstance(answer, str) and _ASKED.search(command(step.event.given)):
            for listed in _LISTED.finditer(answer):
                files = tuple(path for path in _FILE.findall(listed[1]) if _CUT not in path)
                found.setdefault(frozenset(files), files)
    return [*found.values()]


def landed_within(session: "RecordedSession") -> tuple[tuple[str, ...], ...]:
    """The same of a session; what git listed behind an external read does not count."""
    return tuple(landed(step for step in session.steps if not step.outside))
