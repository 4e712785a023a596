"""Failed tests: an existing test that broke, with the change that made it pass again.

Definition: a test failed by name with a message, none of the edits before it wrote that test, and in a
later run of the session it no longer failed, after code but no test was changed. Source: shell commands
and edits.
"""

import re

from bowerbird.agent.learn.commands import checks
from bowerbird.agent.learn.edits import changes
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.learn.touched_files import is_test
from bowerbird.agent.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession, Step

NAME = "failed_tests"
_TEST = re.compile(
    r"(?m)^\s*(?:--- FAIL: (?P<go>Test\w+)|FAILED (?P<py>[\w./-]+\.py::[\w:\[\]-]+)"
    r"(?: - (?P<why>[^\n]{5,160}))?|(?:●|✕|×) (?P<js>[^\n]{8,90}))"
)
# The message of a failed check, below the test's name; pytest's summary has it in the same line.
_SAYS = re.compile(
    r"(?m)^\s*(?:(?P<path>[\w./-]+\.\w{1,4}):\d+:\s+(?P<go>\S[^\n]{15,160})|E\s+(?P<py>\w*(?:Error"
    r"|assert)[^\n]{5,160}))$"
)
# Lines that are searched for the message; and maximum calls until the cure.
_BELOW, _SOON = 8, 30
# With more tests failing at once none gives a lesson; nor does a cure that changed more files.
_MOST_FAILED = 2
_MOST_CHANGED = 2
# A message contains one of these words; other lines are the test's own output.
_WRONG = re.compile(
    r"(?i)error|fail|expect|want|got\b|should|must|cannot|unexpected|missing|invalid|nil|null|none|not "
    r"|!=|panic"
)
_PRIVATE = re.compile(r"/home/|/Users/|/tmp/|/var/|\S+@\S+\.\w|REDACTED")


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each test."""
    steps = [step for step in session.steps if step.event.tool]
    written = ""
    found: dict[str, Lesson] = {}
    for at, step in enumerate(steps):
        if kind_of(step.event.tool) == "edit":
            written += str(step.event.given.get("content"))
            written += "\n".join(new for _, new in changes(step.event.given))
        if not step.failed or not checks(command(step.event.given)):
            continue
        for name, said in _failures(step.error):
            bare = name.rpartition("::")[2].partition("[")[0]
            cured = _cured(steps[at + 1 : at + 1 + _SOON], name) if bare not in written else None
            if cured and name not in found:
                listed = " and ".join(f"`{path}`" for path in cured)
                text = f"`{name}` failed with “{said}”; a change of {listed} let it pass again."
                found[name] = Lesson(
                    *(NAME, name, "error_pattern", text, (step.line,), (session.id,)),
                    files=cured,
                    source="qa_auto",
                    outside=step.outside,
                )
    return [*found.values()]


def _failures(error: str) -> "list[tuple[str, str]]":
    """Return the tests that failed in a run, with their messages; none if many failed at once."""
    found = []
    for match in _TEST.finditer(error):
        name = match["go"] or match["py"] or match["js"]
        below = "\n".join(error[match.end() :].split("\n")[:_BELOW])
        says = _SAYS.search(below)
        said = (says["go"] or says["py"]) if says else (match["why"] or "")
        said = " ".join(said.split())
        if said and _WRONG.search(said) and not _PRIVATE.search(said):
            found.append((name, said))
    return found if len(found) <= _MOST_FAILED else []


def _cured(later: "Sequence[Step]", name: str) -> tuple[str, ...]:
    """Return the files changed until the test passed; none if they are too many or include a test."""
    changed: dict[str, None] = {}
    for step in later:
        if kind_of(step.event.tool) == "edit" and not step.failed:
            changed |= dict.fromkeys(step.paths)
        elif checks(command(step.event.given)):
            answer = str(step.event.answer)
            if name not in answer.replace(f"--- PASS: {name}", "") and not step.failed:
                by_test = any(map(is_test, changed))
                return () if by_test or len(changed) > _MOST_CHANGED else tuple(changed)
    return ()
