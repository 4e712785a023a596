"""CTest. Read from outputs of CTest 3.25."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LISTED = re.compile(r"(?m)^\t[ \t]*\d+ - (?P<name>\S+) \((?P<why>[\w :-]+)\)")
_RAN = re.compile(
    r"(?m)^[ \t]*\d+/\d+ Test +#\d+: (?P<name>\S+) \.*[ \t]*\*\*\*(?P<why>[A-Za-z: ]+?)\s+[\d.]+ sec$"
)
_ENDS = re.compile(r"^(?:\s*$|\s*Start +\d+: |\s*\d+/\d+ Test +#)")
_FILE = re.compile(r"^(?P<file>[\w./-]+\.\w{1,4}):\d+:")
_FAILED = "Failed"


def _failures(text: str) -> "Iterator[FailedTest]":
    found: dict[str, FailedTest] = {}
    for one in _RAN.finditer(text):
        said = [line for line in block("\n" + text[one.end() + 1 :], 0, _ENDS) if line.strip()]
        why = said[0] if said else ""
        if one["why"] != _FAILED:
            why = one["why"]
        place = _FILE.match(said[0]) if said else None
        file = place["file"] if place else ""
        found[one["name"]] = FailedTest(one["name"], one["name"], file, message([why]))
    for one in _LISTED.finditer(text):
        why = "" if one["why"] == _FAILED else one["why"]
        found.setdefault(one["name"], FailedTest(one["name"], one["name"], "", why))
    yield from found.values()


RUNNER = Runner(
    "ctest",
    _failures,
    failed=(
        r"^\d+% tests passed, [1-9]\d* tests? failed",
        r"^The following tests FAILED:",
        r"\*\*\*(?:Failed|Exception|Timeout)",
    ),
    passed=(r"^100% tests passed, 0 tests failed out of [1-9]",),
)
