"""Minitest, and `rails test`. Read from outputs of Minitest 5.17; the form of Rails from its guides."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = re.compile(
    r"(?m)^(?: *\d+\) )?(?:Failure|Error):\n(?P<name>[\w:]+#(?P<test>.+?))"
    r"(?: \[(?P<file>[^\]\n]+?):\d+\])?:\n"
)
_ENDS = re.compile(
    r"^(?: {4,}\S+:\d+:in | *\d+\) (?:Failure|Error):|(?:bin/)?rails test |\d+ runs, )"
)
_FRAME = re.compile(r"(?m)^ {4,}(?P<file>\S*test\S*\.rb):\d+:in ")


def _failures(text: str) -> "Iterator[FailedTest]":
    for one in _HEAD.finditer(text):
        said = block(text, one.end(), _ENDS)
        frame = _FRAME.search(text, one.end())
        file = one["file"] or (frame["file"] if frame else "")
        yield FailedTest(one["name"], one["test"], file, message(said))


RUNNER = Runner(
    "minitest",
    _failures,
    failed=(
        r"^\d+ (?:runs|tests), \d+ assertions, (?:[1-9]|0 failures, [1-9])",
        r"^(?: *\d+\) )?(?:Failure|Error):\n[\w:]+#",
    ),
    passed=(r"^[1-9]\d* (?:runs|tests), \d+ assertions, 0 failures, 0 errors",),
)
