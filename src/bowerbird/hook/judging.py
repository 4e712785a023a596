"""Judges whether a tool call that a hook reports read what others wrote.

Most calls are local by the working folder alone; the disk and the session's earlier calls are only asked
about the rest.
"""

import os

from bowerbird.agents.registry import agent
from bowerbird.core.events import CALLED, FAILED, PROMPTED
from bowerbird.core.tool_calls import command, kind_of
from bowerbird.core.types import UNVERIFIED
from bowerbird.core.value import Record
from bowerbird.guard.reading import AGENT, CHECK, FILE, MEMORY, PASTED, PROGRAM, SHELL, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.core.events import Event
    from bowerbird.hook import Hook

# Words of a line that make it a sentence, and characters of an output that are looked at.
_WORDS = 7
_OUTPUT = 20_000
_QUOTES = str.maketrans("", "", "\\'\"")


class Judged(Record):
    """Where an event brought in what others wrote (guard.reading), and the files that it wrote.

    `why` is empty if it did not.
    """

    why: str = ""
    wrote: "Sequence[tuple[str, str]]" = ()


def judged(hook: "Hook") -> Judged:
    """What a call or a prompt read and wrote."""
    event = hook.event
    if event.what == PROMPTED:
        return Judged(_in_prompt(hook))
    if not event.tool:
        return Judged()
    folder = event.cwd or os.getcwd()
    brought_in = hook.hooking.is_brought_in
    reading = Reading((folder,), os.path.expanduser("~"), brought_in=brought_in)
    why = reading.foreign(event.tool, event.given, folder)
    if why == AGENT:
        hooks = agent(event.agent).hooks
        why = "" if hooks is not None and hooks.reports_all else why
    elif why == CHECK:
        why = ""
    elif not why and _shows_unverified(event):
        why = MEMORY
    elif why in (FILE, SHELL, PROGRAM):
        reading = hook.hooking.reading_for(folder)
        why = _by_facts(hook, reading, folder)
    return Judged(why, reading.wrote)


def without_secrets(
    wrote: "Sequence[tuple[str, str]]", secrets: "Mapping[str, str]"
) -> "list[tuple[str, str]]":
    """The files that a call wrote, without words of it that are secrets: those name no file.

    One that is there is named by its folder already, and stays: else whoever names a file like a key
    would have it pass for the user's own.
    """
    values = [_unquoted(one) for one in secrets]
    return [
        (path, how)
        for path, how in wrote
        if not any(one in _unquoted(path) for one in values) or os.path.lexists(path)
    ]


def _unquoted(text: str) -> str:
    return text.translate(_QUOTES)


def _shows_unverified(event: "Event") -> bool:
    """Whether this memory answered with a text of low trust, which it labels so."""
    asked = kind_of(event.tool) == "own" or "bower" in command(event.given)
    if not asked:
        return False
    from bowerbird.sessions.observe.record import output_of

    return UNVERIFIED in output_of(event.answer)


def _in_prompt(hook: "Hook") -> str:
    """Whether a prompt quotes others, or names a file of theirs, which its agent then attaches."""
    event = hook.event
    if event.sub:
        return ""
    # Words of others take more than a line, or a channel's prefix.
    if "\n" in event.text or event.text.startswith("["):
        from bowerbird.guard.typed import typed  # start-up: hooks report more calls than prompts

        if typed(event.text).others:
            return PASTED
    named = [word[1:].rstrip(".,;:!?)") for word in event.text.split() if word.startswith("@")]
    if not named:
        return ""
    folder, brought_in = event.cwd or os.getcwd(), hook.hooking.is_brought_in
    return FILE if any(brought_in(os.path.join(folder, one), (), 0) for one in named) else ""


def _by_facts(hook: "Hook", reading: Reading, folder: str) -> str:
    """Judges a call by the disk, and by what the session wrote before."""
    event = hook.event
    for line in hook.hooking.journal.lines(hook.session, holding=b'"tool"'):
        if line.get("what") in (CALLED, FAILED):
            earlier = {name: line[name] for name in ("command", "paths") if line.get(name)}
            at = int(line.get("at") or 0)
            reading.foreign(str(line["tool"]), earlier, str(line.get("cwd") or folder), at)
    return _program(reading.foreign(event.tool, event.given, folder), event)


def _program(why: str, event: "Event") -> str:
    """Leaves out a program of the project that printed no sentence: there is nothing to repeat."""
    if why != PROGRAM:
        return "" if why == CHECK else why
    from bowerbird.sessions.observe.record import output_of

    printed = output_of(event.answer)[:_OUTPUT].split("\n")
    return why if any(map(_is_sentence, printed)) else ""


def _is_sentence(line: str) -> bool:
    words = line.split()
    return sum(word.strip(".,;:!?'\"()").isalpha() for word in words) >= _WORDS
