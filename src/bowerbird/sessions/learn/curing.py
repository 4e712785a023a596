"""Detects what cured a failed command: the steps after which its reported faults were gone. Pure.

A command that checks the project is cured when a later check that would have reported the same faults no
longer reports them. The cure is the edits between the two, or the command between them, or the different
wording of the second. Any other command is cured by the same program with other arguments soon
afterwards.
"""

import re

from bowerbird.core.value import Record
from bowerbird.sessions.learn.commands import checks, without_output
from bowerbird.sessions.learn.runners.registry import report
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Step

# Maximum calls between an error and its cure: later calls belong to other work. A command that checks
# nothing is retried soon.
FAR = 40
_SOON = 4
# A fault by its location, by the name of its test, and by an error message that contains neither.
_LOCATED = re.compile(
    r"(?m)^[ \t]*(?:\[[\w:-]+\] )?(?P<path>[\w./-]+\.\w{1,5}):\d+(?::\d+)?:?\s+(?P<what>\S.{5,})$"
)
_SAID = re.compile(
    r"(?im)^.*\b(?:error|fatal|cannot|could not|not found|no such|unknown|invalid|denied|failed|not a"
    r"|required|does not|doesn't|usage)\b.*$"
)
# Compiler errors, which a build, a linter and a test all report.
_COMPILES = re.compile(
    r"(?i)undefined|undeclared|imported and not|declared and not|cannot use|not enough arguments"
    r"|too many arguments|syntax|redeclared|typecheck|build failed|has no (?:field|method)|missing return"
    r"|cannot find|TS\d{4}|SyntaxError|ImportError"
)
# Commands that change the environment.
_CHANGES = re.compile(
    r"\bsed\b.*? -i|\bperl\b.*? -\w*i|\b(?:mv|rm|cp|mkdir|touch|chmod|ln|patch|kill|pkill|unset|export)\b"
    r"|\bgit (?:-\S+ \S+ )?(?:checkout|restore|add|stash|reset|merge|rebase|commit|pull|apply|rm|mv"
    r"|config"
    r"|fetch|init|clean|submodule)\b|\bgo (?:mod|get|generate|install|clean|work)\b|\bfmt\b|\bformat\b"
    r"|--fix|--write|\b(?:install|upgrade|update|sync|trust|generate|up|start)\b|\btee\b"
    r"|[^2&]>{1,2} ?[\w./]"
)
_PARTS = re.compile(r"\s*(?:&&|\|\||;|\n|\|)\s*")
_SPACES = re.compile(r"\d+|\s+")


class Faults(Record):
    """The faults that an output reports: `found`, without locations and numbers.

    `named`: it contains a location or a test; `compiles`: a compiler reported it.
    """

    found: frozenset[str]
    named: bool
    compiles: bool


def faults(output: str) -> Faults:
    """Return the faults of an output; its error lines if it contains neither a location nor a test."""
    located = [(one["path"].rpartition("/")[2], one["what"]) for one in _LOCATED.finditer(output)]
    reported = report(output)
    tests = {one.name for one in reported.failures} if reported is not None else set()
    found = tests or {f"{path} {_SPACES.sub(' ', what)}" for path, what in located}
    named = bool(found)
    if not found:
        found = {_SPACES.sub(" ", one).strip() for one in _SAID.findall(output)[:3]}
    return Faults(
        frozenset(found), named=named, compiles=not tests and bool(_COMPILES.search(output))
    )


def failed_command(step: "Step") -> bool:
    """Return whether a step ran a command that failed."""
    return step.failed and kind_of(step.event.tool) == "shell"


def cure_of(steps: "Sequence[Step]", at: int, far: int = FAR) -> "tuple[Step, ...]":
    """Return the steps that cured the failure of the command at `at`; none if that is unknown.

    `steps` are tool calls only. The most likely cause comes last.
    """
    failed = steps[at]
    if not failed_command(failed):
        return ()
    wanted = checks(_plain(failed))
    if not wanted or _never_ran(failed):
        return _in_other_words(steps[at : at + 1 + min(_SOON, far)])
    found = faults(failed.error)
    changes: list[Step] = []
    ran: list[Step] = []
    for step in steps[at + 1 : at + 1 + far]:
        kind = kind_of(step.event.tool)
        if kind == "edit" and not step.failed:
            changes.append(step)
        if kind != "shell":
            continue
        if _would_report(step, wanted, found):
            if _gone(found, step):
                return _by(failed, changes, ran, step)
        elif not step.failed and _CHANGES.search(_bare(step)):
            ran.append(step)
    return ()


def _would_report(step: "Step", wanted: "Sequence[object]", faults: Faults) -> bool:
    """Return whether a command would have reported the same faults again."""
    parts = checks(_plain(step))
    purposes = {getattr(one, "purpose", "") for one in wanted}
    for part in parts:
        same = part.purpose in purposes - {"format", "generate"}
        if same or any(part.text == getattr(one, "text", "") for one in wanted):
            return True
        if faults.compiles and part.purpose in ("build", "test", "lint", "types"):
            return True
    return False


def _gone(shown: Faults, again: "Step") -> bool:
    """Return whether a later run shows that the faults are gone."""
    if not again.failed:
        return True
    now = faults(again.error)
    # After a failed build, no test result is evidence; an error without a location or a test may be
    # worded differently next time.
    unbuilt = now.compiles and not shown.compiles
    return shown.named and now.named and not unbuilt and not shown.found & now.found


def _by(
    failed: "Step",
    changes: "Sequence[Step]",
    ran: "Sequence[Step]",
    again: "Step",
) -> "tuple[Step, ...]":
    """Return what most likely cured a failure, among the steps between two runs."""
    named = [
        step
        for step in changes
        if any(path.rpartition("/")[2] in failed.error for path in step.paths)
    ]
    if changes:
        return tuple(named or changes)
    if ran:
        return (ran[-1],)
    # The same command succeeded unchanged: there was no cure.
    return () if _bare(failed) == _bare(again) else (again,)


def _in_other_words(steps: "Sequence[Step]") -> "tuple[Step, ...]":
    """Return the first later call that ran the same program with other arguments and succeeded."""
    failed = steps[0]
    if not _SAID.search(failed.error):
        return ()
    programs = {_program(part) for part in _PARTS.split(_bare(failed))} - {"", "cd"}
    for step in steps[1:]:
        if kind_of(step.event.tool) != "shell":
            continue
        bare = _bare(step)
        if bare == _bare(failed):
            return ()
        again = programs & {_program(part) for part in _PARTS.split(bare)}
        if again and (not step.failed or (checks(_plain(step)) and not _never_ran(step))):
            return (step,)
    return ()


def _never_ran(step: "Step") -> bool:
    """Return whether the shell could not start the command: no such folder, no such program."""
    return step.failed and bool(
        re.search(
            r"(?i)\bcd:.{0,40}no such file|command not found|unknown flag|unrecognized",
            step.error[:400],
        )
    )


def _plain(step: "Step") -> str:
    return command(step.event.given)


def _bare(step: "Step") -> str:
    return without_output(_plain(step))


def _program(part: str) -> str:
    words = [one for one in part.split() if "=" not in one]
    return " ".join(words[:2] if words and words[0] in ("git", "gh", "go", "mise") else words[:1])
