"""TAP, and the reporter spec of node:test.

Read from outputs of Node.js 20 and Mocha 11; prove and Test::More from their documentation.
"""

import re
from itertools import takewhile

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_OK = re.compile(
    r"(?m)^(?P<deep> *)not ok \d+(?: -)? ?(?P<name>(?:(?! # (?i:TODO|SKIP)).)*?)"
    r"(?P<way> # (?i:TODO|SKIP)\b.*)?$"
)
_SPEC = re.compile(
    r"(?m)^test at (?P<file>\S+?):\d+:\d+\n✖ (?P<name>.+?)(?: \([\d.]+ms\))?\n(?P<said>(?:  .*\n?)*)"
)
_PERL = re.compile(r"(?m)^#   Failed test '(?P<name>.+)'\n#   at (?P<file>\S+) line \d+")
_FIELD = re.compile(
    r"(?m)^ *(?:error|message): *(?:[|>]-?\n\s*(?P<long>(?:.*\n)*?)(?= *\w+: )|(?P<short>\S.*)$)"
)
_LOCATION = re.compile(r"(?m)^ *(?:location|file): *'?(?P<file>[^'\n:]+)")
_GROUP = re.compile(r"(?m)^ *(?:failureType: 'subtestsFailed'|type: 'suite')$")
_NEXT = re.compile(r"^ *(?:not ok|ok) \d|^ *\.\.\.$")
_FRAME = re.compile(r"^\s*at \S")


def _failures(text: str) -> "Iterator[FailedTest]":
    found: dict[str, FailedTest] = {}
    for one in _SPEC.finditer(text):
        reason = message(_before_frames(one["said"].split("\n")))
        found[one["name"]] = FailedTest(one["name"], one["name"], one["file"], reason)
    for one in _PERL.finditer(text):
        below = [line.lstrip("#") for line in block(text, one.end() + 1, re.compile(r"^[^#]|^$"))]
        found[one["name"]] = FailedTest(one["name"], one["name"], one["file"], message(below))
    for one in _NOT_OK.finditer(text):
        part = block(text, one.end() + 1, _NEXT)
        details = "\n".join(part)
        if one["way"] or not one["name"] or one["name"] in found or _GROUP.search(details):
            continue
        place, field = _LOCATION.search(details), _FIELD.search(details)
        said = (field["long"] or field["short"]).split("\n") if field else []
        if not field and part[0].startswith(one["deep"] + "  "):
            said = _before_frames(part)
        reason = message([line.strip().strip("'\"") for line in said])
        file = place["file"] if place else ""
        found[one["name"]] = FailedTest(one["name"], one["name"], file, reason)
    yield from found.values()


def _before_frames(lines: list[str]) -> list[str]:
    return [*takewhile(lambda line: not _FRAME.match(line), lines)]


RUNNER = Runner(
    "tap, node:test",
    _failures,
    failed=(
        r"^[#ℹ] fail [1-9]",
        r"^Result: FAIL$",
        r"^✖ failing tests:",
        r"^test at \S+:\d+:\d+\n✖ ",
        r"^not ok \d(?!.* # (?i:TODO|SKIP))",
        r"^#   Failed test",
    ),
    passed=(
        r"^[#ℹ] pass [1-9]",
        r"^Result: PASS$",
        r"^ok \d+(?!.* # (?i:SKIP))",
    ),
)
