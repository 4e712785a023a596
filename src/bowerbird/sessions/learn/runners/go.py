"""`go test` and gotestsum.

Read from outputs of go 1.19 and gotestsum 1.8; testify from its documentation.
"""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILED = re.compile(
    r"(?m)^[ \t]*(?:--- FAIL: (?P<go>\S+) \([\d.]+s\)|=== FAIL: \S+ (?P<sum>\S+) \([\d.]+s\))$"
)
_LOCATED = re.compile(r"^\s*(?P<file>[\w./-]+\.go):\d+:\s*(?P<said>.*)$")
# The parts of a failed assertion of testify.
_TESTIFY = re.compile(r"^\s*Error:\s+(?P<said>\S.*)$")
_PANIC = re.compile(r"^\s*(?P<said>panic: .*?)(?: \[recovered\])?$")
# A message contains one of these words; other lines are the test's own output.
_WRONG = re.compile(
    r"(?i)error|fail|expect|want|got\b|should|must|cannot|unexpected|missing|invalid|nil|null|none|not "
    r"|!=|panic|differ|diff\b|mismatch"
)
_OTHER = re.compile(r"^\s*(?:--- |=== |FAIL\b|ok\s|PASS\b|goroutine \d)")
# Lines of a test's output that are searched.
_BELOW = 80


def _failures(text: str) -> "Iterator[FailedTest]":
    lines = text.split("\n")
    found: dict[str, FailedTest] = {}
    for at, line in enumerate(lines):
        failed = _FAILED.match(line)
        if failed is None:
            continue
        name = failed["go"] or failed["sum"]
        below = _until(lines[at + 1 : at + 1 + _BELOW])
        # With -v a test's messages precede its result.
        above = _until(lines[max(0, at - _BELOW) : at][::-1])[::-1]
        file, reason = _said(below)
        if not reason and failed["go"]:
            file, reason = _said(above)
        if name not in found or (reason and not found[name].reason):
            found[name] = FailedTest(name, name.partition("/")[0], file, reason)
    for name, one in found.items():
        if not any(other.startswith(name + "/") for other in found):
            # With -v the message of a subtest may precede the result of the test around it.
            around = found.get(name.rpartition("/")[0], one)
            yield one if one.reason else one.replace(file=around.file, reason=around.reason)


def _until(lines: list[str]) -> list[str]:
    end = next((at for at, line in enumerate(lines) if _OTHER.match(line)), len(lines))
    return lines[:end]


def _said(lines: list[str]) -> tuple[str, str]:
    """Return the file and the message of the last line that states what is wrong.

    What a test logs precedes it.
    """
    for at, line in reversed([*enumerate(lines)]):
        located = _LOCATED.match(line) or _PANIC.match(line)
        if located is None:
            continue
        file = located.groupdict().get("file") or ""
        shown = next((one for one in map(_TESTIFY.match, lines[at:]) if one), None)
        if shown is not None:
            return file, message([shown["said"], *lines[at + 1 :]])
        said = located["said"] or next(iter(lines[at + 1 : at + 2]), "")
        if _WRONG.search(said):
            return file, message([said])
    return "", ""


RUNNER = Runner(
    "go test",
    _failures,
    failed=(
        r"^[ \t]*--- FAIL: ",
        r"^FAIL(?:\t|$)",
        r"^DONE \d+ tests?, .*\b[1-9]\d* (?:failures?|errors?)",
    ),
    passed=(
        r"^ok  ?\t\S+\s+(?:[\d.]+s|\(cached\))",
        r"^PASS$",
        r"^DONE \d+ tests?(?:, \d+ skipped)? in ",
    ),
)
