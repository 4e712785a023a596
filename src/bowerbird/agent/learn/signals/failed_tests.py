"""Failed tests: an existing test that broke, with the change that made it pass again.

Definition: a test runner (`runners/`) reported a test as failed, with a message; none of the edits before
it wrote that test or changed its file; and a later run of the session, after code but no test was
changed, passed and was the same command, or one that selects no tests, or names that test. Source: shell
commands and edits.
"""

import os
import re

from bowerbird.agent.learn.commands import checks, lasting
from bowerbird.agent.learn.edits import changes
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.learn.test_runs import ran
from bowerbird.agent.learn.touched_files import is_test
from bowerbird.agent.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.runners.report import FailedTest
    from bowerbird.agent.learn.steps import Digest, RecordedSession, Step

NAME = "failed_tests"
# Maximum calls until the cure.
_SOON = 30
# With more tests failing at once none gives a lesson; nor does a cure that changed more files.
_MOST_FAILED = 2
_MOST_CHANGED = 2
# A shorter message says nothing. Nor does a longer name: it lists the values of a parametrised test.
_SHORTEST, _LONGEST_NAME = 10, 120
_PRIVATE = re.compile(r"/home/|/Users/|/tmp/|/var/|[A-Z]:\\|\S+@\S+\.\w|REDACTED")
# Descriptions of tests in the source of an edit, in JavaScript and Ruby.
_DESCRIBED = re.compile(
    r"\b(?:it|test|specify|scenario|example)(?:\.\w+)*\s*\(?\s*([\"'`])(?P<title>.{3,120}?)\1"
)
_DEFINES = r"\b(?:def|fn|func(?:\s*\([^)]*\))?|function|fun|void|Task|async|sub|NAME)\s+{}\b"


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each test."""
    steps = [step for step in session.steps if step.event.tool]
    written = ""
    edited: set[str] = set()
    found: dict[str, Lesson] = {}
    for at, step in enumerate(steps):
        if kind_of(step.event.tool) == "edit":
            written += f"{step.event.given.get('content')}\n"
            written += "\n".join(new for _, new in changes(step.event.given))
            edited |= {path.rpartition("/")[2] for path in step.paths if is_test(path)}
        reported = ran(step) if step.failed else None
        for test in _informative(reported.failures) if reported is not None else ():
            new = test.file.rpartition("/")[2] in edited or _wrote(written, test)
            cured = () if new else _cured(steps[at : at + 1 + _SOON], test)
            key = test.name if test.file in test.name else f"{test.file} {test.name}"
            if cured and key not in found:
                found[key] = _lesson(key, test, cured, step, session)
    return [*found.values()]


def _lesson(
    key: str,
    test: "FailedTest",
    cured: tuple[str, ...],
    step: "Step",
    session: "RecordedSession",
) -> Lesson:
    file = test.file
    if os.path.isabs(file):
        base = session.folder.rstrip("/") + "/"
        file = file[len(base) :] if file.startswith(base) else ""
    where = f" in `{file.removeprefix('./')}`" if file and file not in test.name else ""
    name = test.name.replace("`", "'")
    changed = " and ".join(f"`{path}`" for path in cured)
    reason = test.reason.rstrip(".")
    return Lesson(
        *(NAME, key, "error_pattern"),
        f"The test `{name}`{where} failed with “{reason}”; a change of {changed} let it pass again.",
        (step.line,),
        (session.id,),
        files=cured,
        source="qa_auto",
        outside=step.outside,
    )


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
        and not _PRIVATE.search(one.reason + one.name)
    ]


def _wrote(written: str, test: "FailedTest") -> bool:
    """Return whether the edits so far contain the test itself."""
    title = test.title
    if re.fullmatch(r"[a-z]+|[A-Z][a-z]+", title):
        # One word may be anything in the code.
        return bool(re.search(_DEFINES.format(title), written))
    described = (one["title"] for one in _DESCRIBED.finditer(written))
    return title in written or any(test.name.endswith(one) for one in described)


def _cured(steps: "Sequence[Step]", test: "FailedTest") -> tuple[str, ...]:
    """Return the files changed until the test passed; none if they are too many or include a test."""
    changed: dict[str, None] = {}
    again = {part.text for part in checks(command(steps[0].event.given))}
    for step in steps[1:]:
        if kind_of(step.event.tool) == "edit" and not step.failed:
            changed |= dict.fromkeys(step.paths)
            continue
        reported = ran(step)
        if reported is None or any(one.name == test.name for one in reported.failures):
            continue
        if reported.passed and _ran_again(step, test, again):
            by_test = any(map(is_test, changed))
            return () if by_test or len(changed) > _MOST_CHANGED else tuple(changed)
    return ()


def _ran_again(step: "Step", test: "FailedTest", again: "set[str]") -> bool:
    """Return whether a run included a test."""
    typed = command(step.event.given)
    parts = [part.text for part in checks(typed) if part.purpose == "test"]
    whole = any(lasting(part) or part in again for part in parts)
    return whole or test.title in typed or test.title in str(step.event.answer)
