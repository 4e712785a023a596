"""Mocha. Read from outputs of Mocha 11 (the reporters spec and dot)."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The descriptions of a test, each deeper than the last, which ends with a colon.
_HEAD = re.compile(
    r"(?m)^  \d+\) (?P<first>\S.*)\n(?P<rest>(?: {7,}\S.*[^:\n]\n)*) {7,}(?P<last>\S.*):\n"
    r"|^  \d+\) (?P<only>\S.*):\n"
)
_ENDS = re.compile(r"^\s*(?:at \S|\d+\) |[+-] expected)")
_LOCATED = re.compile(
    r"\((?P<file>[^\s()]*(?:test|spec)[^\s()]*\.\w{2,4}):\d+:\d+\)", re.IGNORECASE
)
_REASON = re.compile(r"^     \S")


def _failures(text: str) -> "Iterator[FailedTest]":
    heads = [*_HEAD.finditer(text)]
    ends = [one.start() for one in heads[1:]]
    for one, end in zip(heads, [*ends, len(text)], strict=False):
        parts = (one["only"] or f"{one['first']}\n{one['rest']}{one['last']}").split("\n")
        parts = [part.strip() for part in parts]
        said = block(text[:end], one.end(), _ENDS)
        if not said or not _REASON.match(said[0]) or said[0].lstrip().startswith("Failure/"):
            continue
        located = _LOCATED.search(text, one.end(), end)
        file = located["file"] if located else ""
        yield FailedTest(" › ".join(parts), parts[-1], file, message(said))


RUNNER = Runner(
    "mocha",
    _failures,
    failed=(r"^  [1-9]\d* failing\b", r"^  \d+\) \S.*\n(?: {7,}\S.*\n)* {7,}\S.*:\n {5}\S"),
    passed=(r"^  [1-9]\d* passing\b",),
)
