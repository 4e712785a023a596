"""unittest, and Django's test command. Read from outputs of Python 3.11 and 3.8's documentation."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILED = re.compile(r"(?m)^(?:FAIL|ERROR): (?P<test>\w+) \((?P<of>[\w.]+)\)(?P<case>.*)$")
_FRAME = re.compile(r'(?m)^  File "(?P<file>[^"]+)", line \d+, in (?P<name>\w+)$')
# The line below the frames of a traceback.
_RAISED = re.compile(r"(?m)^(?P<said>[A-Za-z_][\w.]*(?:: .*)?)$")
_RULER = re.compile(r"(?m)^={60,}$|^-{60,}\nRan ")


def _failures(text: str) -> "Iterator[FailedTest]":
    for one in _FAILED.finditer(text):
        end = _RULER.search(text, one.end())
        part = text[one.end() : end.start() if end else len(text)]
        frames = [*_FRAME.finditer(part)]
        raised = _RAISED.search(part, frames[-1].end()) if frames else None
        file = next((frame["file"] for frame in frames if frame["name"] == one["test"]), "")
        of = one["of"].removesuffix("." + one["test"])
        reason = message([raised["said"]]) if raised else ""
        yield FailedTest(f"{of}.{one['test']}{one['case']}", one["test"], file, reason)


RUNNER = Runner(
    "unittest",
    _failures,
    failed=(
        r"^FAILED \((?:failures|errors|unexpected)",
        r"^(?:FAIL|ERROR): \w+ \([\w.]+\)",
    ),
    passed=(r"^Ran [1-9]\d* tests? in [\d.]+s\n+OK\b",),
)
