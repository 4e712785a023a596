"""Errors with their cures.

Definition, first kind: a command that checks the project failed with a finding that has a name of its
own, such as a linter's rule; before the next run without that finding, the file that the finding names
was changed at the line that it quotes. Second kind: such a command failed, another command ran without
any edit, or what the error names was installed, and the first one succeeded within `_SOON` calls. Third
kind: any command of general use failed with a message, and the next call was the same program with a few
words changed, and succeeded. Errors that every compiler reports for unfinished code are excluded, since
they are of no use later; so are findings that name their cure. Source: shell commands and edits.
"""

import re
from difflib import SequenceMatcher
from itertools import pairwise

from bowerbird.agent.learn.commands import checks, cut_short, lasting
from bowerbird.agent.learn.curing import cure_of
from bowerbird.agent.learn.edits import changes
from bowerbird.agent.learn.installing import installs
from bowerbird.agent.learn.steps import Lesson, Mark, once
from bowerbird.agent.learn.waivers import WAIVES
from bowerbird.agent.observe.calls import kind_of
from bowerbird.agent.observe.fingerprint import fingerprint
from bowerbird.guard.privacy import private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession, Step

NAME = "error_retry"
# One is enough, as the check that failed has succeeded after the change.
SESSIONS = 1
# Maximum calls between an error and its cure: later calls belong to other work.
_SOON, _FAR = 4, 40
# Maximum lines of a change in a lesson; longer changes are best read in the commit.
_LINES = 2
# Maximum lines that were added together with the curing line.
_BESIDE = 4
# The minimum similarity of two lines, by letters, for one to be a change of the other.
_ALIKE = 0.5
_CODE, _WORD, _PAIR = re.compile(r"`([^`]*)`"), re.compile(r"\w+"), 2
# Maximum words that differ between a failed command and its retry.
_FEW_WORDS = 4
# Identifiers with inner capitals, signatures, and types in brackets.
_NAMED = re.compile(r"\bsig: .*?(?=\(\w+\)$|$)|\b\w*[a-z][A-Z]\w*\b|\([^()\s]*[./][^()\s]*\)")
# A comment does not cure anything, unless it suppresses a finding.
_COMMENT = re.compile(r"^(?://|#|/?\*|--)")
# Marks of a command for a single occasion: hashes, ids, quoted texts, names of branches.
_ONE_MOMENT = re.compile(r"\b[0-9a-f]{7,40}\b|\b\d{4,}\b|<<|\$\(|\||[\"'].{25,}[\"']|&&|;|HEAD[~^]")
_LONGEST_ERROR, _LONGEST_CODE, _LONGEST_COMMAND = 160, 150, 140
# `path:line:column: what is wrong (rule)`, `path:line:column: RULE what`, and so on.
_FINDING = re.compile(
    r"(?m)^[ \t]*(?P<path>[\w./-]+\.\w{1,5}):(?P<line>\d+)(?::\d+)?:?\s+(?P<what>.*?"
    r"(?:\((?P<rule>[a-z][\w/-]{2,30})\)|\[(?P<code>[a-z][\w/-]{2,30})\])"
    r"|(?P<front>[A-Z]{1,4}\d{3,5})\b.*)\s*$"
)
# Errors that compilers and checkers report for any unfinished code.
_UNFINISHED = re.compile(
    r"(?i)\bundefined\b|not defined|undeclared|unresolved|cannot find (?:name|symbol|module)"
    r"|imported and not"
    r"|declared and not|is never (?:used|read)|\bunused\b|syntax|unexpected token|expected ['\"`;)]"
    r"|missing return|not enough arguments|too many arguments|mismatched|cannot use|incompatible type"
    r"|has no (?:attribute|field|member)|typecheck|redeclared|gofmt|goimports|formatted"
)
# Error lines of tools that name no location; and those among them without information.
_WRONG = re.compile(
    r"(?im)^.*\b(?:error|cannot|could not|missing|not found|out of date|stale|needed|no such|unknown"
    r"|unrecognized|invalid|illegal option|denied|not a|required|does not|doesn't|no module named)\b.*$"
)
# Where a line names the program that reports it by its path.
_FROM = re.compile(r"^/\S*/(?=[\w.+-]+: )")
# What runs commands repeats that one of them failed.
_NOTHING = re.compile(
    r"(?i)exit (?:code|status)|task failed|\b\d+ errors?\b|\bFAIL\b|^error:?$|\[no test"
    r"|^make(?:\[\d+\])?: \*\*\*|^npm (?:err!?|error) |elifecycle|^error: (?:recipe|script) "
    r"|command failed"
)


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the fingerprints of the failures that were cured in a session, with or without a lesson."""
    found: dict[str, Mark] = {}
    steps = [one for one in session.steps if one.event.tool]
    for at, step in enumerate(steps):
        what = _says(step.error) if step.failed else ""
        if what and (print_ := _known_by(what)) and cure_of(steps, at):
            found.setdefault(print_, Mark(0)).number += 1
    for print_, _ in _cured(session):
        found.setdefault(print_, Mark(1))
    return found


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each error that was cured in this session."""
    found: dict[str, Lesson] = {}
    for print_, lesson in _cured(session):
        before = tuple(one.session for one in past if print_ in one.marks.get(NAME, {}))
        if print_ not in found:
            found[print_] = lesson.replace(sessions=(*before, session.id))
    for key, lesson in (*_commanded(session), *_retried(session)):
        found.setdefault(key, lesson.replace(sessions=(session.id,)))
    return [*found.values()]


def _cured(session: "RecordedSession") -> "Iterator[tuple[str, Lesson]]":
    steps = [one for one in session.steps if one.event.tool]
    for at, step in enumerate(steps):
        parts = checks(_command(step)) if step.failed else ()
        if not parts:
            continue
        for finding in _FINDING.finditer(step.error):
            what = " ".join(finding["what"].split())
            if _UNFINISHED.search(what) or len(what) > _LONGEST_ERROR or private(what):
                continue
            print_ = _known_by(what)
            cure = _edit(
                steps, at, finding["path"], what, step.error[finding.end() :], parts[-1].text
            )
            if cure is not None and not _said_already(what, cure[1]):
                yield print_, _lesson(step, parts[-1].text, what, print_, *cure)


def _said_already(what: str, cure: str) -> bool:
    """Return whether a finding itself names all that its cure changed: “redundant return”."""
    quoted = [set(_WORD.findall(one)) for one in _CODE.findall(cure)]
    changed = set.symmetric_difference(*quoted) if len(quoted) == _PAIR else set().union(*quoted)
    return (
        not WAIVES.search(cure) and "was added" not in cure and changed <= set(_WORD.findall(what))
    )


def _known_by(what: str) -> str:
    """Return what two findings of one rule share: no identifiers, and no details of their types."""
    return fingerprint(_NAMED.sub(" ", what))


def _lesson(
    step: "Step", command: str, what: str, print_: str, change: "Step", cure: str
) -> Lesson:
    where = change.paths[0]
    shown = cut_short(command, _LONGEST_COMMAND)
    text = f"`{shown}` may say: {_ended(what)} What cured it in `{where}`: {cure}"
    lines = (step.line, change.line)
    outside = step.outside or change.outside
    return Lesson(
        NAME, print_, "error_pattern", text, lines, files=(), strength=0.6, outside=outside
    )


def _edit(
    steps: "Sequence[Step]", at: int, path: str, what: str, behind: str, command: str
) -> "tuple[Step, str] | None":
    """Return the edit that removed a finding, and its text for the lesson."""
    quoted = behind.lstrip("\n").partition("\n")[0].strip()
    change: tuple[Step, str] | None = None
    for step in steps[at + 1 : at + _FAR]:
        if kind_of(step.event.tool) == "edit" and not step.failed:
            same = any(one.endswith(path) or path.endswith(one) for one in step.paths)
            for old, new in changes(step.event.given) if same and quoted else ():
                if quoted in old:
                    edit = _described(old, new, quoted) or _added(old, new, quoted, what)
                    change = (step, edit) if edit else change
        elif any(one.text == command for one in checks(_command(step))):
            return change if what not in str(step.event.answer) else None
    return None


def _described(old: str, new: str, quoted: str) -> str:
    """Return the text of a change of a line or two; empty for one that cannot be summarised."""
    before, after = (
        [" ".join(one.split()) for one in text.split("\n") if one.strip() != "//"]
        for text in (old, new)
    )
    wanted = " ".join(quoted.split())
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [one for one in changes if one[0] != "equal"]
    for _, a, b, c, d in changed:
        if wanted not in before[max(0, a - 1) : b + 1]:
            continue
        gone, come = _without_comments(before[a:b]), _without_comments(after[c:d])
        waived = next((one for one in come if WAIVES.search(one) and one not in gone), "")
        if waived:
            # A comment that suppresses the finding is the whole cure, whatever else was changed with it.
            come = [waived]
            beside = _COMMENT.match(waived) and not any(map(WAIVES.search, gone))
            gone = [] if beside else [one for one in gone if WAIVES.search(one)][:1] or [wanted]
        elif wanted in gone and len(gone) > _LINES:
            gone = [wanted]
            come = _alike(wanted, come) if len(come) > _LINES else come
        elif len(changed) > 1 and len("".join(come)) < len("".join(gone)):
            return ""  # a change in several places would be reported incompletely
        if gone == [wanted] and not come and len(changed) == 1 and len(wanted) <= _LONGEST_CODE:
            return f"`{wanted}` was taken out."
        was, now = "` and `".join(gone), "` and `".join(come)
        short = len(gone) <= _LINES and 0 < len(come) <= _LINES
        if not short or max(len(was), len(now)) > _LONGEST_CODE or private(was + now):
            return ""
        where = "below" if a and before[a - 1] == wanted else "before"
        return f"`{was}` became `{now}`." if was else f"`{now}` was added {where} `{wanted[:60]}`."
    return ""


def _added(old: str, new: str, quoted: str, what: str) -> str:
    """Return a line that was added below the quoted one and contains an identifier of the finding."""
    before, after = ([" ".join(one.split()) for one in text.split("\n")] for text in (old, new))
    come = _without_comments([one for one in after if one not in before])
    named = [one for one in come if any(name in one for name in _NAMED.findall(what))]
    if len(come) > _BESIDE or len(named) != 1 or len(named[0]) > _LONGEST_CODE:
        return ""
    wanted = " ".join(quoted.split())
    if wanted not in after or after.index(wanted) > after.index(named[0]):
        return ""
    return "" if private(named[0]) else f"`{named[0]}` was added below `{wanted[:60]}`."


def _alike(line: str, others: "Sequence[str]") -> list[str]:
    """Return the line that most likely replaced another one; none if no line is similar enough."""
    ratios = [(SequenceMatcher(None, line, one, autojunk=False).ratio(), one) for one in others]
    best = max(ratios, default=(0.0, ""))
    return [best[1]] if best[0] >= _ALIKE else []


def _without_comments(lines: "Sequence[str]") -> list[str]:
    """Return the lines without comments, except those that suppress a finding."""
    return [one for one in lines if one and (not _COMMENT.match(one) or WAIVES.search(one))]


def _commanded(session: "RecordedSession") -> "Iterator[tuple[str, Lesson]]":
    """Yield errors that a command cured, without any edit."""
    steps = [one for one in session.steps if one.event.tool]
    for at, step in enumerate(steps):
        failed = checks(_command(step)) if step.failed else ()
        what = _says(step.error) if failed else ""
        if not what:
            continue
        cure: list[str] = []
        for other in steps[at + 1 : at + 1 + _SOON]:
            if kind_of(other.event.tool) == "edit":
                break
            parts = [one.text for one in checks(_command(other))]
            again = failed[-1].text in parts
            own = parts[: parts.index(failed[-1].text)] if again else parts
            own += [] if cure else installs(_command(other), step.error)
            cure += [one for one in own if one not in [it.text for it in failed] and lasting(one)]
            if again or other.failed:
                if cure and not other.failed:
                    yield _cured_by(step, other, failed[-1].text, what, cure[-1])
                break


def _cured_by(
    step: "Step", other: "Step", command: str, what: str, cure: str
) -> tuple[str, Lesson]:
    key = f"{fingerprint(what)} {cure}"
    shown = cut_short(command, _LONGEST_COMMAND)
    text = f"`{shown}` may say: {_ended(what)} `{cure}` cures that."
    outside = step.outside or other.outside
    lines = (step.line, other.line)
    return key, Lesson(NAME, key, "error_pattern", text, lines, strength=0.8, outside=outside)


def _retried(session: "RecordedSession") -> "Iterator[tuple[str, Lesson]]":
    """Yield commands that failed, and succeeded with other arguments."""
    calls = [one for one in session.steps if one.event.tool]
    for step, other in pairwise(calls):
        if not step.failed or other.failed:
            continue
        command, cure = _command(step), _command(other)
        if not cure or checks(command):
            continue
        both = f"{command} {cure}"
        if len(both) > 2 * _LONGEST_COMMAND or private(both) or _ONE_MOMENT.search(both):
            continue
        words, others = command.split(), cure.split()
        lost, come = (
            [one for one in words if one not in others],
            [one for one in others if one not in words],
        )
        has_path = any("/" in one for one in come)
        few = not has_path and 0 < len(lost) + len(come) <= _FEW_WORDS and len(words) > 1
        what = _says(step.error)
        if few and what and (words[0] == others[0] or words[1:] == others[1:]):
            key = f"{words[0]} {fingerprint(what)}"
            text = f"`{command}` fails with “{what.rstrip('.')}”: `{cure}` works."
            lines, outside = (step.line, other.line), step.outside or other.outside
            yield key, Lesson(NAME, key, "gotcha", text, lines, strength=0.7, outside=outside)


def _says(error: str) -> str:
    """Return the first informative error line of an output; empty for none."""
    finding = _FINDING.search(error)
    lines = [finding["what"]] if finding is not None else _WRONG.findall(error)
    for line in lines:
        what = _FROM.sub("", " ".join(line.split()))
        if not _NOTHING.search(what) and len(what) <= _LONGEST_ERROR and not private(what):
            return what
    return ""


def _ended(what: str) -> str:
    return what if what[-1] in ".!" else what + "."


def _command(step: "Step") -> str:
    found = step.event.given.get("command")
    return (
        " ".join(found.split())
        if isinstance(found, str) and kind_of(step.event.tool) == "shell"
        else ""
    )
