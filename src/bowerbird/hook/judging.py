"""Judges whether a tool call that a hook reports read what others wrote.

Most calls are local by the working folder alone; the disk and the session's earlier calls are only asked
about the rest.
"""

import os

from bowerbird.core.events import CALLED, FAILED, PROMPTED
from bowerbird.guard.reading import AGENT, CHECK, FILE, PASTED, PROGRAM, SHELL, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.events import Event
    from bowerbird.hook import Hook

# Words of a line that make it a sentence, and characters of an output that are looked at.
_WORDS, _OUTPUT = 7, 20_000
# Agents whose hooks report the calls of sub-agents as well.
_REPORT_ALL = frozenset(("claude-code",))


def foreign(hook: "Hook") -> str:
    """Where a call or a prompt brought in what others wrote (guard.reading); empty if it did not."""
    event = hook.event
    if event.what == PROMPTED:
        from bowerbird.guard.typed import typed  # start-up: hooks report more calls than prompts

        return PASTED if not event.sub and typed(event.text).others else ""
    if not event.tool:
        return ""
    folder = event.cwd or os.getcwd()
    why = Reading((folder,), os.path.expanduser("~")).foreign(event.tool, event.given, folder)
    if why == AGENT:
        return "" if event.agent in _REPORT_ALL else why
    if why == CHECK:
        return ""
    return why if why not in (FILE, SHELL, PROGRAM) else _by_facts(hook, folder)


def _by_facts(hook: "Hook", folder: str) -> str:
    """Judges a call by the disk, and by what the session wrote before."""
    reading = hook.hooking.reading_for(folder)
    event = hook.event
    for line in hook.hooking.journal.lines(hook.session, holding=b'"tool"'):
        if line.get("what") in (CALLED, FAILED):
            earlier = {name: line[name] for name in ("command", "paths") if line.get(name)}
            reading.foreign(str(line["tool"]), earlier, str(line.get("cwd") or folder))
    return _program(reading.foreign(event.tool, event.given, folder), event)


def _program(why: str, event: "Event") -> str:
    """Leaves out a program of the project that printed no sentence: there is nothing to repeat."""
    if why != PROGRAM:
        return "" if why == CHECK else why
    from bowerbird.agent.observe.record import output_of

    printed = output_of(event.answer)[:_OUTPUT].split("\n")
    return why if any(map(_is_sentence, printed)) else ""


def _is_sentence(line: str) -> bool:
    words = line.split()
    return sum(word.strip(".,;:!?'\"()").isalpha() for word in words) >= _WORDS
