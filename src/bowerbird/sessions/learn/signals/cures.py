"""Errors with their cures, as records of what was done.

Definition, first kind: a command that checks the project failed with a finding that has a name of its
own, such as a linter's rule; before the next run without that finding, the file that the finding names
was changed at the line that it quotes. Second kind: any command failed with a specific error, something
was done, and the same command succeeded within `_FAR` calls. What was done is a command that changes
something, a small change of what stood there before the session, or both. Third kind: a command failed,
and one of the next calls was the same program with a few words changed, and succeeded. Errors that every
compiler reports for unfinished code are excluded from the first kind; so are findings that name their
cure. Source: shell commands and edits.
"""

import re
from difflib import SequenceMatcher

from bowerbird.sessions.learn.commands import checks, parts
from bowerbird.sessions.learn.cure_records import Done, quotable_change, record
from bowerbird.sessions.learn.doing import changes_something, same_command, unquoted
from bowerbird.sessions.learn.edits import changes
from bowerbird.sessions.learn.installing import installs
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.learn.touched_files import is_config, is_test
from bowerbird.sessions.learn.waivers import WAIVES
from bowerbird.sessions.observe.calls import kind_of
from bowerbird.sessions.observe.errors import (
    exact_print,
    exact_prints,
    general_print,
    subject_prints,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.cure_records import Change
    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "error_retry"
# Maximum calls between an error and its cure: later calls belong to other work. A command is retried in
# other words soon.
_FAR = 15
_FAR_FOUND = 40
_SOON = 4
# With more commands or changes between the two it is unknown which one counted.
_MOST_DONE = 3
# Error lines that identify a failure.
_MOST_PRINTS = 4
# Maximum lines of a change in a record; longer changes are best read in the commit.
_LINES = 2
# Maximum lines that were added together with the curing line.
_BESIDE = 4
# The minimum similarity of two lines, by letters, for one to be a change of the other.
_ALIKE = 0.5
_WORD = re.compile(r"\w+")
_PAIR = 2
# Maximum words that differ between a failed command and its retry.
_FEW_WORDS = 4
# Identifiers with inner capitals, signatures, and types in brackets.
_NAMED = re.compile(r"\bsig: .*?(?=\(\w+\)$|$)|\b\w*[a-z][A-Z]\w*\b|\([^()\s]*[./][^()\s]*\)")
# A comment does not cure anything, unless it suppresses a finding.
_COMMENT = re.compile(r"^(?://|#|/?\*|--)")
# Marks of a command for a single occasion: hashes, ids, quoted texts, names of branches.
_ONE_MOMENT = re.compile(r"\b[0-9a-f]{7,40}\b|<<|\$\(|\||[\"'].{25,}[\"']|&&|;|HEAD[~^]")
# Variables that a command line sets for a command.
_SETS = re.compile(r"(?:^|[;&]\s*)(?:export\s+)?[A-Z_][A-Z0-9_]*=|(?:^|[;&]\s*)(?:source|\.)\s")
_LONGEST_ERROR = 160
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


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the prints of the errors that were cured in a session."""
    return {
        print_: Mark(1, outside=lesson.outside)
        for lesson in _records(session)
        for print_ in _prints(lesson)
    }


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a record of each error that was cured in this session."""
    found: dict[str, Lesson] = {}
    for lesson in _records(session):
        met = {*_prints(lesson)}
        before = tuple(one.session for one in past if not met.isdisjoint(one.marks.get(NAME, {})))
        found.setdefault(lesson.key, lesson.replace(sessions=(*before, session.id)))
    return [*found.values()]


def _prints(lesson: Lesson) -> list[str]:
    payload = lesson.payload or {}
    return [*payload.get("errors", ()), *payload.get("error_forms", ())]


@once
def _records(session: "RecordedSession") -> list[Lesson]:
    steps = [one for one in session.steps if one.event.tool]
    found: list[Lesson] = []
    for at, step in enumerate(steps):
        if step.failed and kind_of(step.event.tool) == "shell":
            mended = [*_mended(steps, at)]
            found += mended or [*_cured(steps, at)]
    return found


def _mended(steps: "Sequence[Step]", at: int) -> "Iterator[Lesson]":
    """Yield the findings of a check that an edit removed."""
    step = steps[at]
    failed = checks(_command(step))
    for finding in _FINDING.finditer(step.error) if failed else ():
        what = " ".join(finding["what"].split())
        form = general_print(what)
        if not form or _UNFINISHED.search(what) or len(what) > _LONGEST_ERROR:
            continue
        behind, command = step.error[finding.end() :], failed[-1].text
        cure = _edit(steps, at, finding["path"], what, behind, command)
        if cure is None:
            continue
        exact = exact_print(what)
        done = Done((cure[0],), change=cure[1])
        # A line that was taken out cures no other finding of the rule.
        forms = (form,) if cure[1].added else ()
        errors = (exact,) if exact else forms
        one = record(NAME, step, command, errors, done, forms) if errors else None
        if one is not None:
            yield one


def _says_already(what: str, removed: "Sequence[str]", added: "Sequence[str]") -> bool:
    """Return whether a finding itself names all that its cure changed: “redundant return”."""
    gone, come = ({*_WORD.findall(" ".join(one))} for one in (removed, added))
    if not gone or any(map(WAIVES.search, added)):
        return False
    changed = gone ^ come if come else gone
    return changed <= {*_WORD.findall(what)}


def _edit(
    steps: "Sequence[Step]", at: int, path: str, what: str, behind: str, command: str
) -> "tuple[Step, Change] | None":
    """Return the edit that removed a finding."""
    quoted = behind.lstrip("\n").partition("\n")[0].strip()
    change: tuple[Step, Change] | None = None
    for step in steps[at + 1 : at + _FAR_FOUND]:
        if kind_of(step.event.tool) == "edit" and not step.failed:
            same = any(one.endswith(path) or path.endswith(one) for one in step.paths)
            for old, new in changes(step.event.given) if same and quoted else ():
                if quoted not in old:
                    continue
                removed, added = _described(old, new, quoted)
                if not removed and not added:
                    added = _added(old, new, quoted, what)
                if (removed or added) and not _says_already(what, removed, added):
                    edit = quotable_change(step.paths[0], removed, added)
                    change = (step, edit) if edit is not None else change
        elif any(one.text == command for one in checks(_command(step))):
            return change if what not in str(step.event.answer) else None
    return None


def _described(old: str, new: str, quoted: str) -> tuple[list[str], list[str]]:
    """Return the removed and the added lines of a small change at a line; none of any other change."""
    before, after = (
        [" ".join(one.split()) for one in text.split("\n") if one.strip() != "//"]
        for text in (old, new)
    )
    wanted = " ".join(quoted.split())
    opcodes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [one for one in opcodes if one[0] != "equal"]
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
            return [], []  # a change in several places would be reported incompletely
        alone = gone == [wanted] and len(changed) == 1
        short = len(gone) <= _LINES and len(come) <= _LINES and (come or alone)
        return (gone, come) if short else ([], [])
    return [], []


def _added(old: str, new: str, quoted: str, what: str) -> list[str]:
    """Return a line that was added below the quoted one and contains an identifier of the finding."""
    before, after = ([" ".join(one.split()) for one in text.split("\n")] for text in (old, new))
    come = _without_comments([one for one in after if one not in before])
    named = [one for one in come if any(name in one for name in _NAMED.findall(what))]
    if len(come) > _BESIDE or len(named) != 1:
        return []
    wanted = " ".join(quoted.split())
    below = wanted in after and after.index(wanted) < after.index(named[0])
    return named if below else []


def _alike(line: str, others: "Sequence[str]") -> list[str]:
    """Return the line that most likely replaced another one; none if no line is similar enough."""
    ratios = [(SequenceMatcher(None, line, one, autojunk=False).ratio(), one) for one in others]
    best = max(ratios, default=(0.0, ""))
    return [best[1]] if best[0] >= _ALIKE else []


def _without_comments(lines: "Sequence[str]") -> list[str]:
    """Return the lines without comments, except those that suppress a finding."""
    return [one for one in lines if one and (not _COMMENT.match(one) or WAIVES.search(one))]


def _cured(steps: "Sequence[Step]", at: int) -> "Iterator[Lesson]":
    """Yield the failure of any command, if it succeeded after something was done, or in other words."""
    step = steps[at]
    exact = exact_prints(step.error, _MOST_PRINTS)
    # Their order: a record is known by its first print.
    errors = (*exact, *subject_prints(step.error, _MOST_PRINTS))
    if not errors:
        return
    done = _between(steps, at, {*errors}) or _in_other_words(steps, at)
    command = _command(step)
    if done is not None and done.change is not None:
        # What let a test pass once is no cure of its next failure.
        errors = exact
    one = record(NAME, step, command, errors, done) if done is not None and errors else None
    if one is not None:
        yield one


def _between(steps: "Sequence[Step]", at: int, errors: "set[str]") -> Done | None:
    """Return what was done until a failed command succeeded; None if that is unknown.

    Where it first succeeded with a variable set for it, and later without, what was done in between is
    what lasts.
    """
    failed = _command(steps[at])
    did: list[tuple[str, Step]] = []
    edits: list[Step] = []
    for_once: Done | None = None
    for step in steps[at + 1 : at + 1 + _FAR]:
        if kind_of(step.event.tool) == "edit" and not step.failed:
            edits.append(step)
        line = _command(step)
        if not line:
            continue
        if not same_command(failed, line):
            if not step.failed:
                did += [(one, step) for one in parts(line) if changes_something(one)]
        elif step.failed:
            met = exact_prints(step.error, _MOST_PRINTS) + subject_prints(step.error, _MOST_PRINTS)
            if not errors.isdisjoint(met):
                # What was done so far did not help.
                did, edits = [], []
        else:
            known = {*map(unquoted, parts(failed))}
            did += [
                (one, step)
                for one in parts(line)
                if changes_something(one) and unquoted(one) not in known
            ]
            done = _done(steps[at], did, edits, step, _written(steps[:at]))
            if not _sets_more(failed, line):
                return done if edits or did or for_once is None else for_once
            if for_once is None:
                for_once, did, edits = done, [], []
    return for_once


def _sets_more(line: str, again: str) -> bool:
    """Return whether a command line sets more variables than another one."""
    return len(_SETS.findall(again)) > len(_SETS.findall(line))


def _done(
    failed: "Step",
    did: "list[tuple[str, Step]]",
    edits: "list[Step]",
    success: "Step",
    written: str,
) -> Done | None:
    again = _command(success)
    other_words = again if _sets_more(_command(failed), again) and not did else ""
    change = _only_change(edits, written, failed.error)
    if edits and change is None:
        # Of commands beside changes of code only an installation of what was missing counts.
        did = [one for one in did if installs(one[0], failed.error)]
    commands = tuple(dict.fromkeys(one for one, _ in did))
    if len(commands) > _MOST_DONE or not (commands or other_words or change):
        return None
    by = tuple(dict.fromkeys((*(step.line for _, step in did), *(one.line for one in edits))))
    found = [one for one in (*(step for _, step in did), *edits) if one.line in by]
    return Done((*found, success), commands, other_words, change)


def _written(steps: "Sequence[Step]") -> str:
    """Return the files that some steps changed, and the text that they wrote, with single spaces."""
    texts: list[str] = []
    for step in steps:
        if kind_of(step.event.tool) == "edit" and not step.failed:
            texts += (*step.paths, str(step.event.given.get("content")))
            texts += (new for _, new in changes(step.event.given))
    return " ".join(" ".join(texts).split())


def _only_change(edits: "Sequence[Step]", written: str, error: str) -> "Change | None":
    """Return the one small change of what stood there before the session; None for any other edits.

    A slip in a line that the session itself had `written` is mended once, and does not come back; nor
    does what a compiler reports in unfinished code, or a test that was changed to pass.
    """
    pairs = [(one.paths, pair) for one in edits for pair in changes(one.event.given)]
    if len(edits) != 1 or len(pairs) != 1 or len(pairs[0][0]) != 1:
        return None
    (path,), (old, new) = pairs[0]
    # Findings of a checker are of the first kind.
    other = is_test(path) or _UNFINISHED.search(error) or _FINDING.search(error)
    if other and not is_config(path):
        return None
    before, after = ([" ".join(one.split()) for one in text.split("\n")] for text in (old, new))
    gone = [one for one in before if one and one not in after]
    come = [one for one in after if one and one not in before]
    own = any(one in written for one in gone) or (not gone and path in written)
    if max(len(gone), len(come)) > _LINES or own:
        return None
    return quotable_change(path, gone, come)


def _in_other_words(steps: "Sequence[Step]", at: int) -> Done | None:
    """Return a command that succeeded instead: the same program with other words, or the other way."""
    command = _command(steps[at])
    words = command.split()
    if checks(command) or len(words) < _PAIR or not changes_something(command):
        return None
    soon = [one for one in steps[at + 1 : at + 1 + _SOON] if _command(one)]
    for step in soon:
        cure = _command(step)
        if step.failed or _ONE_MOMENT.search(f"{command} {cure}"):
            continue
        others = cure.split()
        lost = [one for one in words if one not in others]
        come = [one for one in others if one not in words]
        has_path = any("/" in one for one in come)
        few = not has_path and 0 < len(lost) + len(come) <= _FEW_WORDS
        if few and changes_something(cure) and _reworded(words, others):
            return Done((step,), again=cure)
    return None


def _reworded(words: "list[str]", others: "list[str]") -> bool:
    """Return whether a command is another one for the same: its program, or all but the program, is kept.

    What follows a program is often what it is to do (`git add`), and may be misspelt.
    """
    if words[1:] == others[1:]:
        return True
    if words[0] != others[0] or len(others) < _PAIR:
        return False
    return SequenceMatcher(None, words[1], others[1], autojunk=False).ratio() >= _ALIKE


def _command(step: "Step") -> str:
    found = step.event.given.get("command")
    return (
        " ".join(found.split())
        if isinstance(found, str) and kind_of(step.event.tool) == "shell"
        else ""
    )
