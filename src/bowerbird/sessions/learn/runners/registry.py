"""The test runners whose outputs are read, and the result of a run that any of them reports. Pure.

A runner is loaded when an output contains one of its signs: all of them took a hook 100 million
instructions, a tenth of what a failed check takes.
"""

import re
from functools import lru_cache
from importlib import import_module

from bowerbird.sessions.learn.runners.report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.sessions.learn.runners.report import Runner

# By the module of a runner, texts of which every report that its patterns match contains one.
SIGNS = {
    "go": ("--- FAIL: ", "\nFAIL\t", "\nFAIL\n", "\nDONE ", "\nok \t", "\nok  \t", "\nPASS\n"),
    "pytest": (" failed", " error", "\nFAILED ", " FAILURES =", " ERRORS =", " passed"),
    "unittest": ("\nFAILED (", "\nFAIL: ", "\nERROR: ", "\nRan "),
    "jest": ("Tests", "Test Suites", "Test Files", "FAIL ", "FAIL\t", "FAIL\n"),
    "mocha": (" failing", " passing", ":\n     "),
    "tap": (
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
    "cargo": ("test result: ", " Summary [", " stdout ----", " FAIL ["),
    "rspec": (" example", "Failure/Error: ", "\nrspec "),
    "minitest": (" assertions, ", "Failure:\n", "Error:\n"),
    "junit": (
        "Tests run: ",
        "<<< FAILURE!",
        "<<< ERROR!",
        "There are test failures.",
        "There were failing tests.",
        " FAILED\n",
        " completed, ",
    ),
    "phpunit": (
        "Assertions: ",
        "There was ",
        "There were ",
        "FAILURES!",
        "ERRORS!",
        "OK (",
        "OK, but",
    ),
    "ctest": ("% tests passed, ", "The following tests FAILED:", "***"),
    "dotnet": (
        "Failed! ",
        "Test Run Failed.",
        "Error Message:",
        "Passed! ",
        "Test Run Successful.",
    ),
}
# Colours and cursor movements of a terminal, and lines that were overwritten.
_ESCAPES = r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))"
_OVERWRITTEN = r"(?m)^.*\r(?=[^\n])"
# Cache size in outputs: a session's failed commands are asked for by several signals.
_MOST_KNOWN = 64


@lru_cache(_MOST_KNOWN)
def report(output: str) -> Report | None:
    """Return what the test runners of an output reported; None if it is of none.

    A run of several runners passed if all of them did.
    """
    text = plain(output)
    failed, passed = _reporting(text)
    if failed:
        return Report(tuple(test for one in failed for test in one.failures(text)), passed=False)
    return Report((), passed=True) if passed else None


def run_passed(output: str) -> bool | None:
    """Return whether the test runners of an output reported a success; None if it is of none."""
    failed, passed = _reporting(plain(output))
    return not failed if failed or passed else None


def runner(name: str) -> "Runner":
    """Return the runner of a module."""
    found: Runner = import_module(f"{__package__}.{name}").RUNNER
    return found


def _reporting(text: str) -> "tuple[list[Runner], bool]":
    """Return the runners that report a failure, and whether any reports a success."""
    runners = [*_signed(text)]
    failed = [one for one in runners if re.search(one.failed, text, re.MULTILINE)]
    passed = not failed and any(re.search(one.passed, text, re.MULTILINE) for one in runners)
    return failed, passed


def _signed(text: str) -> "Iterator[Runner]":
    framed = f"\n{text}\n"
    return (runner(name) for name, signs in SIGNS.items() if any(one in framed for one in signs))


def plain(output: str) -> str:
    """Return an output without colours, with the line ends of Unix."""
    text = re.sub(_ESCAPES, "", output).replace("\r\n", "\n") if "\x1b" in output else output
    return re.sub(_OVERWRITTEN, "", text.replace("\r\n", "\n")) if "\r" in text else text
