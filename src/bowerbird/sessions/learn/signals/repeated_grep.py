"""Repeated grep: what is searched for repeatedly, and where it is defined.

Definition: an identifier is searched for in `SESSIONS` sessions, or `AT_ONCE` times in one, and an output
of this session shows the line that defines it, in exactly one place. Source: searches, reads and their
outputs.
"""

import os
import re

from bowerbird.sessions.learn import definitions, quoting
from bowerbird.sessions.learn.definitions import short
from bowerbird.sessions.learn.edits import changes
from bowerbird.sessions.learn.recurrence import recurring
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "repeated_grep"
SESSIONS = 2
AT_ONCE = 3
_SEARCHES = frozenset("grep search searchfilecontent ripgrep greptool codesearch".split())
_PROGRAMS = ("grep", "rg", "ag")
_COMMAND = re.compile(
    r"(?:^|[|;&]\s*)(?:git grep|grep|rg|ag)\s+(?:-\S+\s+)*(\"[^\"]+\"|'[^']+'|\S+)"
)
# An identifier, as opposed to an everyday word: with an inner capital or an underscore.
_NAME = re.compile(r"\b(?=\w{6,60}\b)(?:[A-Za-z]+[a-z\d]+[A-Z]\w*|\w*[A-Za-z\d]_[A-Za-z]\w*)\b")
# Texts that quote code do not define anything; and a test is not called by other code.
_CODE = r"(?:\.(?!md\b|txt\b|rst\b|json)\w{1,5})"
_TESTS = re.compile(r"^(?:[Tt]est|Benchmark|Example|Fuzz)[A-Z_]")
_LOCATION = re.compile(rf"^(?P<path>[\w./-]+{_CODE})[:-]\d+[:-](?P<line>.*)$")
_NUMBERED = re.compile(r"^\s*\d+[→\t|](?P<line>.*)$")
_SOURCE = re.compile(rf"{_CODE}$")
_DEFINES = (
    r"(?:export\s+|pub(?:\(\w+\))?\s+|default\s+|async\s+|static\s+|abstract\s+|final\s+|public\s+"
    r"|private\s+"
    r"|protected\s+|unsafe\s+)*(?:func\s+(?:\([^)]*\)\s*)?|def\s+|class\s+|type\s+|struct\s+|enum\s+"
    r"|trait\s+"
    r"|interface\s+|fn\s+|function\s+|const\s+|var\s+|let\s+|mod\s+|module\s+)"
)
# A constant with its value: its name begins with a capital.
_CONSTANT = re.compile(r"\s*(?P<name>[A-Z]\w*)(?::?\s*[\w.\[\]]+)?\s*:?=\s*[\"'`\d\[{]")
_RECEIVER = re.compile(r"func \((?:\w+ )?\*?(?P<type>\w+)[^)]*\) ")
_DEFINITION = re.compile(rf"\s*{_DEFINES}(?P<name>\w+)")
_LONGEST_LINE = 140


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the searched names whose definition an output showed."""
    searched: dict[str, list[Step]] = {}
    for step in session.steps:
        for name in _names(step):
            searched.setdefault(name, []).append(step)
    found = {}
    reads = [step for step in session.steps if kind_of(step.event.tool) == "read"]
    for name, steps in searched.items():
        definition = _defined(name, [*steps, *reads])
        if definition and (line := _in_the_end(name, *definition, session.steps)):
            path = definition[0]
            lines = tuple(step.line for step in steps[:3])
            outside = any(step.outside for step in steps)
            mark = Mark(len(steps), lines, f"{path}\n{line}", (path,), outside=outside)
            found[name] = mark
    return found


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each name."""
    own = marks(session)
    found = recurring(
        NAME,
        "module_insight",
        SESSIONS,
        session,
        past,
        own,
        lambda name, mark, _: _text(name, mark.detail),
        at_once=AT_ONCE,
    )
    for one in found:
        path, _, line = own[one.key].detail.partition("\n")
        one.payload = definitions.payload(_whole_name(one.key, path, line), path, line)
    return found


def _text(name: str, target: str) -> str:
    path, _, line = target.partition("\n")
    return f"`{_whole_name(name, path, line)}` is defined in `{path}`." * bool(quoting.path(path))


def _whole_name(name: str, path: str, line: str) -> str:
    """Return a name with its type or package: others may have a method or a type of that name."""
    of = _RECEIVER.match(line)
    folder = os.path.basename(os.path.dirname(path)) if path.endswith(".go") else ""
    within = of["type"] if of else folder if name[0].isupper() and folder.isidentifier() else ""
    return f"{within}.{name}" if within else name


def _names(step: "Step") -> "Iterator[str]":
    tool = step.event.tool.lower().replace("_", "")
    pattern = step.event.given.get("pattern")
    if tool in _SEARCHES and isinstance(pattern, str):
        patterns = [pattern]
    elif kind_of(step.event.tool) == "shell":
        line = command(step.event.given)[:2_000]
        found = _COMMAND.findall(line) if any(one in line for one in _PROGRAMS) else ()
        patterns = [one.strip("\"'") for one in found]
    else:
        return
    for one in patterns:
        names = set(_NAME.findall(one.replace("\\b", " ").replace("\\", " ")))
        if len(names) == 1 and not _TESTS.match(name := names.pop()):
            yield name


def _defined(name: str, steps: "list[Step]") -> tuple[str, str] | None:
    """Return the path and line of a name's definition; None if it was found in no place or in two."""
    definitions = {}
    for step in steps:
        answer = step.event.answer if isinstance(step.event.answer, str) else ""
        if name not in answer:
            continue
        for raw in answer.splitlines():
            if name not in raw:
                continue
            match = _LOCATION.match(raw) or _NUMBERED.match(raw)
            line = match["line"] if match else ""
            path = match["path"] if match and "path" in match.groupdict() else _file(step)
            if path and _defines(name, line) and len(line) <= _LONGEST_LINE:
                definitions[path] = short(line)
    if len(definitions) != 1:
        return None
    return next(iter(definitions.items()))


def _defines(name: str, line: str) -> bool:
    match = _DEFINITION.match(line) or _CONSTANT.match(line)
    return match is not None and match["name"] == name


def _in_the_end(name: str, path: str, line: str, steps: "Sequence[Step]") -> str:
    """Return the line that defines a name when the session ends; empty if it was removed."""
    for step in steps:
        if kind_of(step.event.tool) != "edit" or step.failed or path not in step.paths:
            continue
        for old, new in changes(step.event.given):
            if line and any(short(one) == line for one in old.split("\n")):
                line = next((short(one) for one in new.split("\n") if _defines(name, one)), "")
    return line


def _file(step: "Step") -> str:
    """Return the source file that a read showed."""
    path = step.paths[0] if len(step.paths) == 1 else ""
    return path if _SOURCE.search(path) else ""
