"""JUnit and TestNG by Maven Surefire and by Gradle.

Read from outputs of Surefire 2.22 and Gradle 4.4; Surefire 3 and Gradle 6 from published outputs.
"""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LEVEL = r"(?:\[ERROR\] +)?"
_LISTED = re.compile(
    rf"(?m)^{_LEVEL} *(?P<of>[A-Z]\w*(?:\$\w+)?)\.(?P<test>\w+)"
    r"(?:[({\[].*?[)}\]])*:(?:\d+|.*?->\S+:\d+) ?(?P<why>.*)$"
)
# Surefire before 2.13 lists tests in the opposite order.
_OLD = re.compile(
    r"(?m)^(?:Failed tests:|Tests in error:)? +(?P<test>\w+)\((?P<of>[\w.]+)\): (?P<why>\S.*)$"
)
_MESSAGE = re.compile(
    rf"(?m)^{_LEVEL}(?:(?P<of>[\w.$]+)\.)?(?P<test>\w+)(?:\((?P<old>[\w.$]+)\)|[({{\[].*?)? (?:--| )? ?"
    r"Time elapsed: .*<<< (?:FAILURE|ERROR)!.*\n(?P<said>.*)$"
)
_GRADLE = re.compile(
    r"(?m)^(?P<of>[\w.$]+) > (?P<test>.+) FAILED\n+ +(?P<said>[\w.$]+(?:Error|Exception|Failure)\w*.*)$"
)
_LOCATION = re.compile(r" at (?P<file>\w+\.(?:java|kt|groovy|scala)):\d+$")
# The class of an exception says nothing that its message does not.
_CLASS = re.compile(r"^(?:[a-z]\w*\.)+(?:AssertionError|AssertionFailedError|ComparisonFailure): ?")
_PACKAGE = re.compile(r"^(?:[a-z]\w*\.)+(?=[A-Z])")
_CUT = "..."


def _failures(text: str) -> "Iterator[FailedTest]":
    found: dict[str, FailedTest] = {}
    messages = {one["test"]: _plain(one["said"]) for one in _MESSAGE.finditer(text)}
    for one in (*_LISTED.finditer(text), *_OLD.finditer(text)):
        why = messages.get(one["test"]) or _plain(one["why"].lstrip("» "))
        _add(found, one["of"].rpartition(".")[2], one["test"], "", why)
    for one in _MESSAGE.finditer(text) if not found else ():
        of = (one["of"] or one["old"] or "").rpartition(".")[2]
        _add(found, of, one["test"], "", messages[one["test"]])
    for one in _GRADLE.finditer(text):
        place = _LOCATION.search(one["said"])
        test = one["test"].rpartition(" > ")[2].removesuffix("()")
        why = "" if place else _plain(one["said"])
        _add(found, one["of"].rpartition(".")[2], test, place["file"] if place else "", why)
    yield from found.values()


def _add(found: dict[str, FailedTest], of: str, test: str, file: str, why: str) -> None:
    name = f"{of}.{test}" if of else test
    found.setdefault(name, FailedTest(name, re.split(r"[(\[{]", test)[0], file, message([why])))


def _plain(said: str) -> str:
    return _PACKAGE.sub("", _CLASS.sub("", said.strip()))


_RUN = r"^(?:\[\w+\] +)?Tests run: "
RUNNER = Runner(
    "junit",
    _failures,
    failed=(
        rf"{_RUN}\d+, (?:Failures: [1-9]|Failures: 0, Errors: [1-9])",
        r"<<< (?:FAILURE|ERROR)!",
        r"There (?:are test failures|were failing tests)\.",
        r"^[\w.$]+ > .+ FAILED$",
        r"^\d+ tests? completed, [1-9]\d* failed",
    ),
    passed=(rf"{_RUN}[1-9]\d*, Failures: 0, Errors: 0",),
)
