"""Which commands of a session ran tests, and whether these passed. Pure.

A test runner's report decides; without one the exit code of a command that is known to run tests does.
"""

import re

from bowerbird.sessions.learn import failures
from bowerbird.sessions.learn.commands import checks
from bowerbird.sessions.learn.runners import run_passed
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.sessions.learn.steps import Step

_TEST = "test"
# Programs that only show what others printed: a log in their output is no test run.
_SHOWS = frozenset(
    "cat head tail less more bat grep egrep rg ag sed awk cut sort diff ls find fd echo printf jq yq git"
    " gh glab cd sleep true export source wc xxd tee".split()
)
_PARTS = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
# A word that every report of a test run contains.
_REPORTS = re.compile(r"(?i)fail|pass|\bok\b|error|test")


def failed(command: str, output: str, *, flagged: bool) -> bool:
    """Return whether a call failed; `flagged`: the agent reports an error."""
    wrong = failures.failed(command, output, flagged=flagged)
    if flagged or failures.no_result(output):
        return wrong
    text = failures.shown(output)
    passed = run_passed(text) if _may_report(command, text) else None
    if passed is None:
        return wrong
    # The output of tests that passed may contain the errors that they provoke.
    only_tests = all(part.purpose == _TEST for part in checks(command))
    return not passed or (wrong and not only_tests)


def tests_passed(step: "Step") -> bool | None:
    """Return whether the tests that a step ran passed; None for a step that ran none."""
    if kind_of(step.event.tool) != "shell":
        return None
    typed = command(step.event.given)
    output = step.error or (step.event.answer if isinstance(step.event.answer, str) else "")
    text = failures.shown(output)
    passed = run_passed(text) if _may_report(typed, text) else None
    if passed is None and any(part.purpose == _TEST for part in checks(typed)):
        return not step.failed
    return passed


def _may_report(typed: str, output: str) -> bool:
    words = [part.split() for part in _PARTS.split(typed)]
    programs = {one[0].rpartition("/")[2] for one in words if one}
    return bool(programs - _SHOWS and _REPORTS.search(output))
