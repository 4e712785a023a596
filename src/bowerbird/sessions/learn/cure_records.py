"""Records of cures: on a day a command failed, something was done, and the command succeeded. Pure.

A record is no belief: it states what happened. What it is about is in its payload, and its text quotes
nothing of the error, which the agent meets itself, beside the name of its class or rule.
"""

from datetime import UTC, datetime

from bowerbird.core.value import Record
from bowerbird.sessions.learn import quoting
from bowerbird.sessions.learn.commands import without_output
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.observe.errors import error_name, exact_print, general_print, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.sessions.learn.steps import Step


class Change(Record):
    """A change of a line or two in one file: quotable code, one side may be empty."""

    path: str
    removed: str = ""
    added: str = ""

    def told(self) -> str:
        """Return the change as a clause."""
        if self.removed and self.added:
            return f"in `{self.path}`, `{self.removed}` was replaced by `{self.added}`"
        if self.added:
            return f"in `{self.path}`, `{self.added}` was added"
        return f"in `{self.path}`, `{self.removed}` was taken out"


class Done(Record):
    """What was done between a failure and the success: a change, commands, or another wording (`again`).

    Steps are those that did it, the success last.
    """

    steps: "tuple[Step, ...]"
    commands: tuple[str, ...] = ()
    again: str = ""
    change: Change | None = None


def quotable_change(path: str, removed: "list[str]", added: "list[str]") -> Change | None:
    """Return a change if every part of it may be quoted."""
    change = Change(quoting.path(path), quoting.code(removed), quoting.code(added))
    lost = (removed and not change.removed) or (added and not change.added)
    whole = change.path and (change.removed or change.added) and change.removed != change.added
    return change if whole and not lost else None


def record(
    signal: str,
    failed: "Step",
    command: str,
    errors: tuple[str, ...],
    done: Done,
    forms: tuple[str, ...] = (),
) -> Lesson | None:
    """Return the record of a cure; None if the commands may not be quoted.

    `errors` are the exact prints of the error, `forms` its general ones (agent.observe.errors).
    """
    shown = quoting.command(without_output(command))
    commands = tuple(quoting.command(one) for one in done.commands)
    again = quoting.command(without_output(done.again)) if done.again else ""
    if not shown or not all(commands) or (done.again and again in ("", shown)):
        return None
    payload: dict[str, Any] = {"errors": [*errors], "failed_command": shown}
    if forms:
        payload["error_forms"] = [*forms]
    if commands:
        payload["cure_commands"] = [*commands]
    if again:
        payload["cure_commands"] = [*commands, again]
    if done.change is not None:
        payload |= _of_change(done.change)
    cure = done.change.told() if done.change is not None else ""
    name = _name(failed.error, (*errors, *forms))
    # A rule of a linter is one thing to know, however many findings it had.
    key = forms[0] if forms else " ".join((errors[0], *commands, again, cure)).strip()
    return Lesson(
        signal,
        key,
        "error_pattern",
        _text(failed, shown, name, commands, again, cure),
        lines=(failed.line, *(one.line for one in done.steps)),
        files=(done.change.path,) if done.change is not None else (),
        strength=0.8,
        payload=payload,
        outside=_rests_on_others(failed, done),
        recorded=True,
    )


def _rests_on_others(failed: "Step", done: Done) -> bool:
    """Whether a record may hold words of others.

    Commands say what was done, and that is known, whatever was read before, as long as none repeats it.
    A change quotes code, of which a line may be anybody's once somebody's text was read; what a check
    printed was about this code.
    """
    steps = (failed, *done.steps)
    if done.change is not None:
        return any(one.follows or one.foreign for one in steps)
    return any(one.repeats for one in steps)


def _of_change(change: Change) -> "dict[str, Any]":
    found = {"changed_file": change.path}
    if change.removed:
        found["removed"] = change.removed
    if change.added:
        found["added"] = change.added
    return found


def _name(error: str, errors: "tuple[str, ...]") -> str:
    """Return what the error that a record is about is called: one word, whatever else it says."""
    about = (one for one in lines(error) if {exact_print(one), general_print(one)} & {*errors})
    return next(filter(None, map(error_name, about)), "")


def _text(
    failed: "Step", command: str, name: str, commands: "tuple[str, ...]", again: str, cure: str
) -> str:
    when = day(failed.at)
    begin = f"{f'On {when} ' if when else ''}`{command}` failed{f' ({name})' if name else ''}"
    after = " and ".join(f"`{one}`" for one in commands)
    if again:
        return f"{begin}; {f'after {after} ' if after else ''}`{again}` succeeded."
    if not commands:
        return f"{begin}; {cure}, and the failure was gone."
    return f"{begin}; {f'{cure}; ' if cure else ''}after {after} it succeeded."


def day(at: int) -> str:
    """Return “3 March 2026” for a moment in UTC milliseconds; empty if it is unknown."""
    if not at:
        return ""
    found = datetime.fromtimestamp(at / 1000, UTC)
    return f"{found.day} {found:%B %Y}"
