"""Which files a session read and edited, in order, and what modules they belong to. Pure."""

import re

from bowerbird.agent.learn.steps import Touched, once
from bowerbird.agent.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bowerbird.agent.learn.steps import RecordedSession, Step

_TEST = re.compile(r"^test_|[_.-]?(?:tests?|spec)$", re.IGNORECASE)
# What tells an agent that a file was not there, or may not be touched yet.
_MISSED = "<tool_use_error>"


def accesses(session: "RecordedSession") -> "Iterator[tuple[Step, str, bool]]":
    """Each file that was read or edited, in order; whether it was edited."""
    for step in session.steps:
        does = kind_of(step.event.tool)
        missed = isinstance(step.event.answer, str) and _MISSED in step.event.answer[:100]
        if does in ("read", "edit") and not (step.failed or missed or step.outside):
            for path in step.paths:
                yield step, path, does == "edit"


@once
def touched(session: "RecordedSession") -> dict[str, Touched]:
    """What a session did to each file."""
    found: dict[str, Touched] = {}
    for _, path, edits in accesses(session):
        one = found.setdefault(path, Touched(len(found)))
        one.reads += not edits
        one.edits += edits
        if edits and one.edited < 0:
            one.edited = sum(other.edits > 0 for other in found.values()) - 1
    return found


def module(path: str) -> str:
    """The folder that a file stands in; `.` for the top."""
    return path.rpartition("/")[0] or "."


def modules(paths: "Iterable[str]") -> list[str]:
    """The folders of some files, each once."""
    return [*dict.fromkeys(map(module, paths))]


def stem(path: str) -> str:
    """What a file and its test have in common: their folder and name."""
    name = path.rpartition("/")[2].partition(".")[0]
    return _TEST.sub("", name).lower()


def is_test(path: str) -> bool:
    """Whether a file holds tests, by its name or folder."""
    parts = path.lower().split("/")
    name = parts[-1].partition(".")[0]
    return bool(_TEST.search(name)) or any(_TEST.search(part) for part in parts[:-1])
