"""pytest. Read from outputs of pytest 9.2."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LISTED = re.compile(
    r"(?m)^(?:FAILED|ERROR) (?P<name>(?P<file>[^\s:]+)(?:::(?P<test>.+?))?)(?: - (?P<why>.*))?$"
)
_SECTION = re.compile(r"(?m)^_{3,} (?:ERROR at \w+ of )?(?P<test>\S.*?) _{3,}$")
_ERROR = re.compile(r"(?m)^E\s+(?P<said>\S.*)$")
_LOCATED = re.compile(r"(?m)^(?P<file>[^\s:]+\.py):\d+: ")
_CUT = "..."
_COUNT = r"\d+ (?:x?failed|x?passed|skipped|deselected|warnings?|errors?|rerun)"


def _failures(text: str) -> "Iterator[FailedTest]":
    messages = _sections(text)
    listed = [one for one in _LISTED.finditer(text) if one["test"]]
    for one in listed:
        test, why = one["test"], one["why"] or ""
        full = messages.pop(test.replace("::", "."), ("", ""))[1]
        # The summary cuts a message to the width of the terminal.
        reason = full if not why or why.endswith(_CUT) else why
        yield FailedTest(one["name"], _title(test), one["file"], message([reason]))
    for test, (file, reason) in messages.items() if not listed else ():
        name = f"{file}::{test.replace('.', '::')}" if file else test
        yield FailedTest(name, _title(test), file, message([reason]))


def _sections(text: str) -> dict[str, tuple[str, str]]:
    """Return the file and the message of each test, by its heading."""
    found = {}
    sections = [*_SECTION.finditer(text)]
    ends = [one.start() for one in sections[1:]]
    for one, end in zip(sections, [*ends, len(text)], strict=False):
        part = text[one.end() : end]
        said, located = _ERROR.search(part), _LOCATED.search(part)
        if said is not None:
            found[one["test"]] = (located["file"] if located else "", said["said"])
    return found


def _title(test: str) -> str:
    return re.split(r"::|\.", test.partition("[")[0])[-1]


RUNNER = Runner(
    "pytest",
    _failures,
    failed=(
        rf"^(?:=+ )?(?:{_COUNT}, ){{0,8}}[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s",
        r"^FAILED [^\s(]+\.py",
        r"^=+ (?:FAILURES|ERRORS) =+$",
    ),
    passed=(rf"^(?:=+ )?(?:{_COUNT}, ){{0,8}}[1-9]\d* passed\b.* in [\d.]+s",),
)
