"""What a failed command was cured by: the steps behind which what it reported was gone. Pure.

A command that checks the project is cured when a later check that would have told of the same faults does
not tell of them any more: by the changes between the two, or by the command between them, or by the words
in which it was run. Any other command is cured by the same program in other words, run soon after it.
"""

import re

from bowerbird.agent.learn.commands import checks
from bowerbird.agent.observe.calls import command, kind_of
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Step

# Calls between an error and its cure: behind more, something else was done; of a command that checks
# nothing, what is run in other words comes soon.
FAR, _SOON = 40, 4
# A fault by its place, by the name of its test, and by what a program says that names neither.
_PLACED = re.compile(
    r"(?m)^\s*(?:\[[\w:-]+\] )?(?P<path>[\w./-]+\.\w{1,5}):\d+(?::\d+)?:?\s+(?P<what>\S.{5,})$"
)
_TEST = re.compile(r"(?m)^\s*(?:--- FAIL: (\w+)|FAILED ([\w./:\[\]-]+)|(?:●|✕|×) ([^\n]{8,90}))")
_SAID = re.compile(
    r"(?im)^.*\b(?:error|fatal|cannot|could not|not found|no such|unknown|invalid|denied|failed|not a"
    r"|required|does not|doesn't|usage)\b.*$"
)
# What compilers say, which a build, a linter and a test tell of alike.
_COMPILES = re.compile(
    r"(?i)undefined|undeclared|imported and not|declared and not|cannot use|not enough arguments"
    r"|too many arguments|syntax|redeclared|typecheck|build failed|has no (?:field|method)|missing return"
    r"|cannot find|TS\d{4}|SyntaxError|ImportError"
)
# Commands that change something.
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


class Faults(Value):
    """What an output tells is wrong: `found` without places and numbers.

    `named`: it names a place or a test; `compiles`: a compiler told of it.
    """

    __slots__ = ("compiles", "found", "named")

    def __init__(self, found: frozenset[str], *, named: bool, compiles: bool) -> None:
        self.found = found
        self.named = named
        self.compiles = compiles


def faults(output: str) -> Faults:
    """The faults of an output; what it says in other words where it names neither place nor test."""
    placed = [(one["path"].rpartition("/")[2], one["what"]) for one in _PLACED.finditer(output)]
    tests = {next(filter(None, one)) for one in _TEST.findall(output)}
    found = tests or {f"{path} {_SPACES.sub(' ', what)}" for path, what in placed}
    named = bool(found)
    if not found:
        found = {_SPACES.sub(" ", one).strip() for one in _SAID.findall(output)[:3]}
    return Faults(
        frozenset(found), named=named, compiles=not tests and bool(_COMPILES.search(output))
    )


def failed_command(step: "Step") -> bool:
    """Whether a step ran a command that failed."""
    return step.failed and kind_of(step.event.tool) == "shell"


def cure_of(steps: "Sequence[Step]", at: int, far: int = FAR) -> "tuple[Step, ...]":
    """The steps that cured what the command at `at` reported; none where nobody can tell.

    `steps` are calls of tools alone. What changed most likely cured it comes last.
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
        if _tells(step, wanted, found):
            if _gone(found, step):
                return _by(failed, changes, ran, step)
        elif not step.failed and _CHANGES.search(_bare(step)):
            ran.append(step)
    return ()


def _tells(step: "Step", wanted: "Sequence[object]", faults: Faults) -> bool:
    """Whether a command would have told of those faults again."""
    parts = checks(_plain(step))
    purposes = {getattr(one, "purpose", "") for one in wanted}
    for part in parts:
        same = part.purpose in purposes - {"format", "generate"}
        if same or any(part.text == getattr(one, "text", "") for one in wanted):
            return True
        if faults.compiles and part.purpose in ("build", "test", "lint"):
            return True
    return False


def _gone(shown: Faults, again: "Step") -> bool:
    """Whether a later run tells that those faults are gone."""
    if not again.failed:
        return True
    now = faults(again.error)
    # Where nothing was built no test tells anything; what is only said is said in other words next time.
    unbuilt = now.compiles and not shown.compiles
    return shown.named and now.named and not unbuilt and not shown.found & now.found


def _by(
    failed: "Step",
    changes: "Sequence[Step]",
    ran: "Sequence[Step]",
    again: "Step",
) -> "tuple[Step, ...]":
    """Of all that was done between two runs, what most likely counted."""
    named = [
        step
        for step in changes
        if any(path.rpartition("/")[2] in failed.error for path in step.paths)
    ]
    if changes:
        return tuple(named or changes)
    if ran:
        return (ran[-1],)
    # Run again as it was, and well this time: nobody cured anything.
    return () if _bare(failed) == _bare(again) else (again,)


def _in_other_words(steps: "Sequence[Step]") -> "tuple[Step, ...]":
    """The first call behind a failed one that ran the same program in other words, and worked."""
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
    """Whether a shell could not even begin: no such folder, no such program."""
    return step.failed and bool(
        re.search(
            r"(?i)\bcd:.{0,40}no such file|command not found|unknown flag|unrecognized",
            step.error[:400],
        )
    )


def _plain(step: "Step") -> str:
    return command(step.event.given)


def _bare(step: "Step") -> str:
    """A command without what only shows less of its output."""
    text = re.sub(r"\s*(?:\d?>&\d|\|\s*(?:tail|head)\b[^|;&]*)", "", _plain(step))
    return " ".join(text.split())


def _program(part: str) -> str:
    words = [one for one in part.split() if "=" not in one]
    return " ".join(words[:2] if words and words[0] in ("git", "gh", "go", "mise") else words[:1])
