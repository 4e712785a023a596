"""What a test run reported: how it ended, and each failed test with its file and its message."""

import re

from bowerbird.core.value import Record, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# The length of a message in characters.
_LONGEST = 200
# Lines of a message that are searched for the two values that were compared.
_MOST_LINES = 14
_WANTED = r"(?i)^(?:-\s*)?(?:expected|want)(?: value)?\s*:\s*(\S.*)$"
_GOT = r"(?i)^(?:\+\s*)?(?:actual|got|received)(?: value)?\s*:\s*(\S.*)$"
# Headings of a comparison that add nothing to the compared values.
_GENERIC = (
    r"^(?:expect\(.*|Not equal:?|Failure/Error:.*|Assert\.\w+\(\) Failure.*"
    r"|Expected: .*|expected: .*)$"
)
# Serialised data at the end of a message.
_DATA = r"[,;:]? *(?:\b(?:got|but was|received|actual)\b:? *)?[{\[] *[{\[]?\".*$"
_COMMENT = r" // (?:Object\.is|deep) equality$"


class FailedTest(Record):
    """A test that failed: its `name` in the report, what its source calls it, its file, its message.

    `title` is the name of a function or the text of a description; `file` and `reason` are empty if the
    report does not tell them.
    """

    name: str
    title: str
    file: str = ""
    reason: str = ""


class Runner(Value):
    """A reader of one test runner's output.

    `failures` returns the failed tests of an output. `failed` and `passed` are patterns of what only
    a run that failed or passed has: a closing line, and what stays of an output without its end.
    """

    __slots__ = ("failed", "failures", "name", "passed")

    def __init__(
        self,
        name: str,
        failures: "Callable[[str], Iterable[FailedTest]]",
        *,
        failed: tuple[str, ...],
        passed: tuple[str, ...],
    ) -> None:
        self.name = name
        self.failures = failures
        self.failed = "|".join(failed)
        self.passed = "|".join(passed)


class Report(Record):
    """The result of a test run: whether it passed, and the failed tests that it names."""

    failures: "tuple[FailedTest, ...]"
    passed: bool


def message(lines: "Sequence[str]") -> str:
    """Return the lines of a message as one: its first line, and the values that were compared."""
    shown = [one.strip() for one in lines[:_MOST_LINES] if one.strip()]
    if not shown:
        return ""
    first = re.sub(_COMMENT, "", shown[0])
    wanted = next((found[1] for one in shown if (found := re.match(_WANTED, one))), "")
    got = next((found[1] for one in shown if (found := re.match(_GOT, one))), "")
    if wanted and got:
        values = f"expected {wanted}, got {got}"
        first = values if re.match(_GENERIC, first) else f"{first.rstrip(':')}: {values}"
    elif first.endswith(":") and len(shown) > 1:
        first = f"{first} {shown[1]}"
    plain = re.sub(_DATA, "", first)
    return " ".join(plain.split())[:_LONGEST].rstrip()


def block(text: str, start: int, ends: "re.Pattern[str]") -> list[str]:
    """Return the lines of a text from a position to a line that ends the message."""
    found: list[str] = []
    for line in text[start : start + 4_000].split("\n"):
        if found and ends.match(line):
            break
        found.append(line)
    return found
