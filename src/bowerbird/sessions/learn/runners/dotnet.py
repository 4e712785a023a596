"""`dotnet test` (xUnit, NUnit, MSTest by VSTest). Read from its documentation and published outputs."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = re.compile(
    r"(?m)^ +Failed (?P<name>[\w.+`]*?(?P<test>\w+)(?:\(.*\))?) \[[^\]\n]+\]\n(?: +Error Message:\n)?"
)
_FILE = re.compile(r"(?m)^ +at .* in (?P<file>[^\n:]*(?::\\[^\n:]+)?):line \d+")
_ENDS = re.compile(r"^ +(?:Stack Trace:|at \S|Failed \S|Standard Output)|^$")


def _failures(text: str) -> "Iterator[FailedTest]":
    heads = [*_HEAD.finditer(text)]
    ends = [one.start() for one in heads[1:]]
    for one, end in zip(heads, [*ends, len(text)], strict=False):
        part = text[one.end() : end]
        files = _FILE.findall(part)
        yield FailedTest(
            one["name"], one["test"], files[-1] if files else "", message(block(part, 0, _ENDS))
        )


RUNNER = Runner(
    "dotnet test",
    _failures,
    failed=(
        r"^Failed! +- Failed: +[1-9]",
        r"^Test Run Failed\.",
        r"^ +Error Message:$",
    ),
    passed=(
        r"^Passed! +- Failed: +0, Passed: +[1-9]",
        r"^Test Run Successful\.",
    ),
)
