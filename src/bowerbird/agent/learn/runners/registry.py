"""The test runners whose outputs are read, and the result of a run that any of them reports. Pure."""

import re
from functools import lru_cache

from bowerbird.agent.learn.runners import (
    cargo,
    ctest,
    dotnet,
    go,
    jest,
    junit,
    minitest,
    mocha,
    phpunit,
    pytest,
    rspec,
    tap,
    unittest,
)
from bowerbird.agent.learn.runners.report import Report

RUNNERS = tuple(
    one.RUNNER
    for one in (
        *(go, pytest, unittest, jest, mocha, tap, cargo, rspec, minitest, junit, phpunit, ctest),
        dotnet,
    )
)
# Colours and cursor movements of a terminal, and lines that were overwritten.
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_OVERWRITTEN = re.compile(r"(?m)^.*\r(?=[^\n])")
# Cache size in outputs: a session's failed commands are asked for by several signals.
_MOST_KNOWN = 64


@lru_cache(_MOST_KNOWN)
def report(output: str) -> Report | None:
    """Return what the test runners of an output reported; None if it is of none.

    A run of several runners passed if all of them did.
    """
    text = plain(output)
    failed = [one for one in RUNNERS if one.failed.search(text)]
    if failed:
        return Report(tuple(test for one in failed for test in one.failures(text)), passed=False)
    if any(one.passed.search(text) for one in RUNNERS):
        return Report((), passed=True)
    return None


def plain(output: str) -> str:
    """Return an output without colours, with the line ends of Unix."""
    text = _ESCAPES.sub("", output).replace("\r\n", "\n") if "\x1b" in output else output
    return _OVERWRITTEN.sub("", text.replace("\r\n", "\n")) if "\r" in text else text
