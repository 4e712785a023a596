"""Failed tests: an existing test that broke, with the change that made it pass again.

Definition: a test runner (`runners/`) reported a test as failed, with a message; none of the edits of the
session wrote that test or changed its file; and a later run, after a line or two of code were changed,
passed and was the same command, or one that selects no tests, or names that test. Source: shell commands
and edits. Longer changes gave lessons that only name a file: of three none was useful to two readers, and
one was wrong, as its test was rewritten later.
"""

import re

from bowerbird.guard.privacy import private
from bowerbird.sessions.learn.commands import checks, lasting
from bowerbird.sessions.learn.cure_records import Done, quotable_change, record
from bowerbird.sessions.learn.edits import changes
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.learn.test_runs import ran
from bowerbird.sessions.learn.touched_files import is_test
from bowerbird.sessions.observe.calls import command, kind_of
from bowerbird.sessions.observe.errors import exact_prints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.cure_records import Change
    from bowerbird.sessions.learn.runners.report import FailedTest
    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "failed_tests"
# Maximum calls until the cure.
_SOON = 30
# With more tests failing at once none gives a lesson; nor does a cure of more or longer lines.
_MOST_FAILED = 2
_MOST_LINES = 2
# Error lines that identify a failure.
_MOST_PRINTS = 4
# A shorter message says nothing. Nor does a longer name: it lists the values of a parametrised test.
_SHORTEST = 10
_LONGEST_NAME = 120
# Descriptions of tests in the source of an edit, in JavaScript and Ruby.
_DESCRIBED = re.compile(
    r"\b(?:it|test|specify|scenario|example)(?:\.\w+)*\s*\(?\s*([\"'`])(?P<title>.{3,120}?)\1"
)
_DEFINES = r"\b(?:def|fn|func(?:\s*\([^)]*\))?|function|fun|void|Task|async|sub|NAME)\s+{}\b"


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each test."""
    steps = [step for step in session.steps if step.event.tool]
    written = "\n".join(_written(step) for step in steps)
    edited = {path.rpartition("/")[2] for step in steps for path in _changed(step) if is_test(path)}
    found: dict[str, Lesson] = {}
    for at, step in enumerate(steps):
        reported = ran(step) if step.failed else None
        for test in _informative(reported.failures) if reported is not None else ():
            new = test.file.rpartition("/")[2] in edited or _wrote(written, test)
            cured = None if new else _cured(steps[at : at + 1 + _SOON], test)
            key = test.name if test.file in test.name else f"{test.file} {test.name}"
            lesson = _lesson(key, step, cured, session) if cured else None
            if lesson is not None:
                found.setdefault(key, lesson)
    return [*found.values()]


def _changed(step: "Step") -> "Sequence[str]":
    return step.paths if kind_of(step.event.tool) == "edit" and not step.failed else ()


def _written(step: "Step") -> str:
    """Return the text that a step wrote into files."""
    if not _changed(step):
        return ""
    return "\n".join(
        (str(step.event.given.get("content")), *(new for _, new in changes(step.event.given)))
    )


def _lesson(
    key: str, step: "Step", cured: "tuple[Step, Step, Change]", session: "RecordedSession"
) -> Lesson | None:
    edit, success, change = cured
    errors = exact_prints(step.error, _MOST_PRINTS)
    ran_tests = [one.text for one in checks(command(step.event.given)) if one.purpose == "test"]
    if not errors or not ran_tests:
        return None
    done = Done((edit, success), change=change)
    one = record(NAME, step, ran_tests[-1], errors, done, source="qa_auto")
    return one.replace(key=key, sessions=(session.id,)) if one is not None else None


def _informative(failures: "Sequence[FailedTest]") -> "list[FailedTest]":
    """Return the failed tests of a run whose messages are of use; none if many failed at once."""
    if len({(one.file, one.title) for one in failures}) > _MOST_FAILED:
        return []
    first = {(one.file, one.title): one for one in reversed(failures)}
    return [
        one
        for one in first.values()
        if len(one.reason) >= _SHORTEST
        and len(one.name) <= _LONGEST_NAME
        and not private(one.reason + one.name)
    ]


def _wrote(written: str, test: "FailedTest") -> bool:
    """Return whether the edits contain the test itself."""
    title = test.title
    if re.fullmatch(r"[a-z]+|[A-Z][a-z]+", title):
        # One word may be anything in the code.
        return bool(re.search(_DEFINES.format(title), written))
    described = (one["title"] for one in _DESCRIBED.finditer(written))
    return title in written or any(test.name.endswith(one) for one in described)


def _cured(steps: "Sequence[Step]", test: "FailedTest") -> "tuple[Step, Step, Change] | None":
    """Return the change of a line or two until the test passed, between its steps; None for any other."""
    edits: list[Step] = []
    again = {part.text for part in checks(command(steps[0].event.given))}
    for step in steps[1:]:
        if _changed(step):
            edits.append(step)
            continue
        reported = ran(step)
        if reported is None or any(one.name == test.name for one in reported.failures):
            continue
        if reported.passed and _ran_again(step, test, again):
            change = _described(edits)
            return (edits[-1], step, change) if change is not None else None
    return None


def _described(edits: "Sequence[Step]") -> "Change | None":
    paths = {path for step in edits for path in step.paths}
    pairs = [pair for step in edits for pair in changes(step.event.given)]
    if len(paths) != 1 or len(pairs) != 1 or any(map(is_test, paths)):
        return None
    before, after = ([" ".join(line.split()) for line in text.split("\n")] for text in pairs[0])
    lost = [line for line in before if line and line not in after]
    come = [line for line in after if line and line not in before]
    if max(len(lost), len(come)) > _MOST_LINES:
        return None
    (path,) = paths
    return quotable_change(path, lost, come)


def _ran_again(step: "Step", test: "FailedTest", again: "set[str]") -> bool:
    """Return whether a run included a test."""
    typed = command(step.event.given)
    parts = [part.text for part in checks(typed) if part.purpose == "test"]
    whole = any(lasting(part) or part in again for part in parts)
    return whole or test.title in typed or test.title in str(step.event.answer)
