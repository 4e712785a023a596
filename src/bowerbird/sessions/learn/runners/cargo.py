"""`cargo test`, and cargo-nextest.

Read from outputs of cargo 1.95; the form of nextest from its documentation and published outputs.
"""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BINARY = re.compile(r"(?m)^ +Running (?:unittests )?(?P<file>\S+\.rs) \(")
_CARGO = re.compile(r"(?m)^---- (?P<name>.+?) stdout ----$")
_NEXTEST = re.compile(
    r"(?m)^ +(?:TRY \d+ )?(?:FAIL|ABORT|SIG\w+|TIMEOUT) \[ *[\d.]+s\]"
    r" (?:\( *\d+/\d+\) )?(?P<in>\S+) (?P<name>\S+)$"
)
_PANICKED = r"(?m)^ *thread '{}'(?: \(\d+\))? panicked at (?:'(?P<old>.*)', )?\S+?:\d+:\d+:?$"
_RETURNED = re.compile(r"(?m)^ *(?P<said>Error: .+)$")
# The two values of a comparison, of which either may be the expected one.
_SIDE = re.compile(r"^ *(?:left|right): ")
_ENDS = re.compile(r"^ *(?:note: |stack backtrace:|---- |failures:|$)")
# A test in a doc comment is named by its file and line.
_DOC = re.compile(r"^(?P<file>\S+\.rs) - ")


def _failures(text: str) -> "Iterator[FailedTest]":
    binaries = [(one.start(), one["file"]) for one in _BINARY.finditer(text)]
    found: dict[str, FailedTest] = {}
    for one in _CARGO.finditer(text):
        name, doc = one["name"], _DOC.match(one["name"])
        file = next((where for at, where in reversed(binaries) if at < one.start()), "")
        part = text[one.end() :].partition("\n---- ")[0]
        reason = _reason(part, "main" if doc else name)
        title = name if doc else name.rpartition("::")[2]
        found[name] = FailedTest(name, title, doc["file"] if doc else file, reason)
    for one in _NEXTEST.finditer(text):
        name = one["name"]
        if name not in found:
            found[name] = FailedTest(name, name.rpartition("::")[2], "", _reason(text, name))
    yield from found.values()


def _reason(text: str, thread: str) -> str:
    panicked = re.search(_PANICKED.format(re.escape(thread)), text)
    if panicked is not None:
        said = [panicked["old"] or "", *block(text, panicked.end() + 1, _ENDS)]
        sides = [line.strip() for line in said if _SIDE.match(line)]
        return message([", ".join([message(said), *sides])])
    returned = _RETURNED.search(text.partition("\nfailures:")[0])
    return message([returned["said"]]) if returned else ""


RUNNER = Runner(
    "cargo test",
    _failures,
    failed=(
        r"^test result: FAILED",
        r"^ +Summary \[.*\b[1-9]\d* (?:failed|timed out)",
        r"^---- .+ stdout ----$",
        r"^ +FAIL \[ *[\d.]+s\]",
    ),
    passed=(
        r"^test result: ok\. [1-9]",
        r"^ +Summary \[.*: [1-9]\d* passed",
    ),
)
