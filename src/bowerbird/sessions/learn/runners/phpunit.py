"""PHPUnit. Read from outputs of PHPUnit 9.6."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = re.compile(r"(?m)^\d+\) (?P<name>[\w\\]+::(?P<test>\w+)(?P<case> with data set .*)?)$")
_FILE = re.compile(r"(?m)^(?P<file>\S+\.php):\d+$")
_ENDS = re.compile(r"^(?:$|--- Expected|@@ @@|\S+\.php:\d+$|\d+\) |--$)")
_CHANGED = re.compile(r"(?m)^-(?P<want>[^-\n].*)\n\+(?P<got>[^+\n].*)$")
_CALLED = re.compile(r", called in \S+ on line \d+")
# The heading of a comparison; a line before it is the test's own message.
_ASSERTED = "Failed asserting that "
_DATA = re.compile(r' with data set (?:"(?P<named>[^"]*)"|(?P<number>#\d+)).*')


def _failures(text: str) -> "Iterator[FailedTest]":
    heads = [*_HEAD.finditer(text)]
    ends = [one.start() for one in heads[1:]]
    for one, end in zip(heads, [*ends, len(text)], strict=False):
        part = text[one.end() + 1 : end]
        said = _CALLED.sub("", " ".join(line.strip() for line in block(part, 0, _ENDS)))
        changed = _CHANGED.search(part)
        if changed and said.count(_ASSERTED):
            said = f"{said.rstrip('.')}: expected {changed['want']}, got {changed['got']}"
        files = _FILE.findall(part)
        data = _DATA.search(one["name"])
        case = f" ({data['named'] or data['number']})" if data else ""
        name = _DATA.sub("", one["name"]) + case
        yield FailedTest(name, one["test"], files[-1] if files else "", message([said]))


RUNNER = Runner(
    "phpunit",
    _failures,
    failed=(
        r"^Tests: \d+, Assertions: .*(?:Failures|Errors): [1-9]",
        r"^There (?:was|were) \d+ (?:failure|error)",
        r"^(?:FAILURES|ERRORS)!$",
    ),
    passed=(
        r"^OK \([1-9]\d* tests?, ",
        r"^OK, but ",
    ),
)
