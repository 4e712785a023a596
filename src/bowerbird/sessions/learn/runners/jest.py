"""Jest and Vitest. Read from outputs of Jest 30 and Vitest 4."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE = r"[^\s>›]+\.(?:[cm]?[jt]sx?|vue|svelte)"
_HEAD = re.compile(
    rf"(?m)^(?:[ ]*FAIL\s+(?:\|[^|]+\|\s+)?(?P<file>{_FILE})(?:\s+>\s+(?P<vitest>.+))?"
    rf"|  ● (?P<jest>\S.*)|(?P<pass>PASS)\s+{_FILE}.*|[ ]*FAIL\s+\S.*)$"
)
# Jest prints the output of tests and broken files under the same sign.
_NO_TEST = re.compile(
    r"^(?:Console|Test suite failed to run|Cannot log after|Validation|Deprecation)"
)
_ENDS = re.compile(
    r"^\s*(?:at \S|❯ |\d+\s*\||>\s*\d+\s*\||●|⎯{3,}|FAIL\b|PASS\b|Tests:|Test Suites:|Snapshot )"
)
_TIME = re.compile(r" \(?\d+(?:\.\d+)? ?m?s\)?$")


def _failures(text: str) -> "Iterator[FailedTest]":
    file = ""
    found: dict[str, FailedTest] = {}
    for one in _HEAD.finditer(text):
        file = one["file"] or ("" if one["pass"] else file)
        named = one["vitest"] or one["jest"]
        if not named or _NO_TEST.match(named):
            continue
        name = _TIME.sub("", " › ".join(part.strip() for part in re.split(r" [>›] ", named)))
        reason = message(block(text, one.end() + 1, _ENDS))
        found.setdefault(f"{file} {name}", FailedTest(name, name.split(" › ")[-1], file, reason))
    yield from found.values()


RUNNER = Runner(
    "jest, vitest",
    _failures,
    failed=(
        r"^ *(?:Tests|Test (?:Suites|Files)):?\s+(?:\d+ \w+(?:, | \| ))*[1-9]\d* failed",
        rf"^ *FAIL\s+(?:\|[^|]+\| +)?{_FILE}",
    ),
    passed=(r"^ *Tests:?\s+(?:\d+ \w+(?:, | \| ))*[1-9]\d* passed",),
)
