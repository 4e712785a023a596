"""Whether the output of a command is the report of a test runner, and whether that run passed. Pure."""

import re
from functools import lru_cache

from bowerbird.core.value import Record


class Runner(Record):
    """How the reports of one test runner are recognised.

    What a pattern matches contains one of the `signs`, which are looked for first. `failed` and `passed`
    are patterns of what only a run that failed or passed has: a closing line, and what stays of an output
    without its end.
    """

    signs: tuple[str, ...]
    failed: tuple[str, ...]
    passed: tuple[str, ...]


# Counts of pytest, files of Jest and Vitest, the beginning of Surefire's line.
_COUNT = r"\d+ (?:x?failed|x?passed|skipped|deselected|warnings?|errors?|rerun)"
_FILE = r"[^\s>›]+\.(?:[cm]?[jt]sx?|vue|svelte)"
_RUN = r"^(?:\[\w+\] +)?Tests run: "
# docs/learning.md names the versions whose outputs the patterns were made from.
RUNNERS = {
    "go": Runner(
        signs=("--- FAIL: ", "\nFAIL\t", "\nFAIL\n", "\nDONE ", "\nok \t", "\nok  \t", "\nPASS\n"),
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
    ),
    "pytest": Runner(
        signs=(" failed", " error", "\nFAILED ", " FAILURES =", " ERRORS =", " passed"),
        failed=(
            rf"^(?:=+ )?(?:{_COUNT}, ){{0,8}}[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s",
            r"^FAILED [^\s(]+\.py",
            r"^=+ (?:FAILURES|ERRORS) =+$",
        ),
        passed=(rf"^(?:=+ )?(?:{_COUNT}, ){{0,8}}[1-9]\d* passed\b.* in [\d.]+s",),
    ),
    "unittest": Runner(
        signs=("\nFAILED (", "\nFAIL: ", "\nERROR: ", "\nRan "),
        failed=(
            r"^FAILED \((?:failures|errors|unexpected)",
            r"^(?:FAIL|ERROR): \w+ \([\w.]+\)",
        ),
        passed=(r"^Ran [1-9]\d* tests? in [\d.]+s\n+OK\b",),
    ),
    "jest": Runner(
        signs=("Tests", "Test Suites", "Test Files", "FAIL ", "FAIL\t", "FAIL\n"),
        failed=(
            r"^ *(?:Tests|Test (?:Suites|Files)):?\s+(?:\d+ \w+(?:, | \| ))*[1-9]\d* failed",
            rf"^ *FAIL\s+(?:\|[^|]+\| +)?{_FILE}",
        ),
        passed=(r"^ *Tests:?\s+(?:\d+ \w+(?:, | \| ))*[1-9]\d* passed",),
    ),
    "mocha": Runner(
        signs=(" failing", " passing", ":\n     "),
        failed=(r"^  [1-9]\d* failing\b", r"^  \d+\) \S.*\n(?: {7,}\S.*\n)* {7,}\S.*:\n {5}\S"),
        passed=(r"^  [1-9]\d* passing\b",),
    ),
    "tap": Runner(
        signs=(
            "# fail ",
            "ℹ fail ",
            "Result: FAIL",
            "failing tests:",
            "\ntest at ",
            "\nnot ok ",
            "Failed test",
            "# pass ",
            "ℹ pass ",
            "Result: PASS",
            "\nok ",
        ),
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
    ),
    "cargo": Runner(
        signs=("test result: ", " Summary [", " stdout ----", " FAIL ["),
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
    ),
    "rspec": Runner(
        signs=(" example", "Failure/Error: ", "\nrspec "),
        failed=(
            r"^\d+ examples?, [1-9]\d* failures?",
            r"^\d+ examples?, 0 failures, .*\b[1-9]\d* errors? occurred",
            r"^ +Failure/Error: ",
            r"^rspec \S+ # ",
        ),
        passed=(r"^[1-9]\d* examples?, 0 failures",),
    ),
    "minitest": Runner(
        signs=(" assertions, ", "Failure:\n", "Error:\n"),
        failed=(
            r"^\d+ (?:runs|tests), \d+ assertions, (?:[1-9]|0 failures, [1-9])",
            r"^(?: *\d+\) )?(?:Failure|Error):\n[\w:]+#",
        ),
        passed=(r"^[1-9]\d* (?:runs|tests), \d+ assertions, 0 failures, 0 errors",),
    ),
    "junit": Runner(
        signs=(
            "Tests run: ",
            "<<< FAILURE!",
            "<<< ERROR!",
            "There are test failures.",
            "There were failing tests.",
            " FAILED\n",
            " completed, ",
        ),
        failed=(
            rf"{_RUN}\d+, (?:Failures: [1-9]|Failures: 0, Errors: [1-9])",
            r"<<< (?:FAILURE|ERROR)!",
            r"There (?:are test failures|were failing tests)\.",
            r"^[\w.$]+ > .+ FAILED$",
            r"^\d+ tests? completed, [1-9]\d* failed",
        ),
        passed=(rf"{_RUN}[1-9]\d*, Failures: 0, Errors: 0",),
    ),
    "phpunit": Runner(
        signs=(
            "Assertions: ",
            "There was ",
            "There were ",
            "FAILURES!",
            "ERRORS!",
            "OK (",
            "OK, but",
        ),
        failed=(
            r"^Tests: \d+, Assertions: .*(?:Failures|Errors): [1-9]",
            r"^There (?:was|were) \d+ (?:failure|error)",
            r"^(?:FAILURES|ERRORS)!$",
        ),
        passed=(
            r"^OK \([1-9]\d* tests?, ",
            r"^OK, but ",
        ),
    ),
    "ctest": Runner(
        signs=("% tests passed, ", "The following tests FAILED:", "***"),
        failed=(
            r"^\d+% tests passed, [1-9]\d* tests? failed",
            r"^The following tests FAILED:",
            r"\*\*\*(?:Failed|Exception|Timeout)",
        ),
        passed=(r"^100% tests passed, 0 tests failed out of [1-9]",),
    ),
    "dotnet": Runner(
        signs=(
            "Failed! ",
            "Test Run Failed.",
            "Error Message:",
            "Passed! ",
            "Test Run Successful.",
        ),
        failed=(
            r"^Failed! +- Failed: +[1-9]",
            r"^Test Run Failed\.",
            r"^ +Error Message:$",
        ),
        passed=(
            r"^Passed! +- Failed: +0, Passed: +[1-9]",
            r"^Test Run Successful\.",
        ),
    ),
}
# Colours and cursor movements of a terminal, and lines that were overwritten.
_ESCAPES = r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))"
_OVERWRITTEN = r"(?m)^.*\r(?=[^\n])"
# Cache size in outputs: a session's failed commands are asked for by several signals.
_MOST_KNOWN = 64


@lru_cache(_MOST_KNOWN)
def run_passed(output: str) -> bool | None:
    """Return whether the test runners of an output reported a success; None if it is of none.

    A run of several runners passed if all of them did.
    """
    text = plain(output)
    framed = f"\n{text}\n"
    runners = [one for one in RUNNERS.values() if any(sign in framed for sign in one.signs)]
    if any(_matches(one.failed, text) for one in runners):
        return False
    return True if any(_matches(one.passed, text) for one in runners) else None


def plain(output: str) -> str:
    """Return an output without colours, with the line ends of Unix."""
    text = re.sub(_ESCAPES, "", output).replace("\r\n", "\n") if "\x1b" in output else output
    return re.sub(_OVERWRITTEN, "", text.replace("\r\n", "\n")) if "\r" in text else text


def _matches(patterns: tuple[str, ...], text: str) -> bool:
    return re.search("|".join(patterns), text, re.MULTILINE) is not None
