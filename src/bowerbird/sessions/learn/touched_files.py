"""Which files a session read and edited, in order, and their modules. Pure."""

import re

from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.sessions.learn.steps import RecordedSession, Step

_TEST = re.compile(r"^test_|[_.-]?(?:tests?|spec)$", re.IGNORECASE)
_CONFIG = re.compile(
    r"(?i)(?:^|/)(?:[\w.-]*\.(?:ya?ml|toml|ini|cfg|conf|properties|env)|\.env[\w.-]*|\.tool-versions|Dockerfile"
    r"|Makefile|Gemfile|requirements[\w.-]*\.txt|[\w.-]*config[\w-]*\.(?:json|js|ts|mjs)|package\.json"
    r"|tsconfig[\w.-]*\.json|go\.mod|Cargo\.toml|CMakeLists\.txt"
    # What sets up all tests, and is none.
    r"|conftest\.py|(?:[\w.-]+[._-])?set-?up(?:[._-]?tests?)?\.\w+|(?:test|spec|rails)_helper\.rb)$"
)
# The result for a file that does not exist or may not be edited yet.
_MISSED = "<tool_use_error>"


def accesses(session: "RecordedSession") -> "Iterator[tuple[Step, str, bool]]":
    """Yield each read or edited file in order, and whether it was edited."""
    for step in session.steps:
        does = kind_of(step.event.tool)
        missed = isinstance(step.event.answer, str) and _MISSED in step.event.answer[:100]
        if does in ("read", "edit") and not (step.failed or missed or step.outside):
            for path in step.paths:
                yield step, path, does == "edit"


def touched(session: "RecordedSession") -> tuple[str, ...]:
    """Return the files that a session read or edited, in order."""
    return tuple(dict.fromkeys(path for _, path, _ in accesses(session)))


def module(path: str) -> str:
    """Return the folder of a file; `.` for the top."""
    return path.rpartition("/")[0] or "."


def is_test(path: str) -> bool:
    """Return whether a file holds tests, by its name or folder."""
    parts = path.lower().split("/")
    name = parts[-1].partition(".")[0]
    return bool(_TEST.search(name)) or any(_TEST.search(part) for part in parts[:-1])


def is_config(path: str) -> bool:
    """Return whether a file holds settings, or sets up tests, by its name."""
    return bool(_CONFIG.search(path))
