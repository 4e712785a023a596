"""Learned entries that are injected at other events, or for prompts that name their subject. Pure."""

from bowerbird.core.pattern import late
from bowerbird.sessions.inject.cures import is_about
from bowerbird.sessions.inject.prompt import NAME
from bowerbird.sessions.inject.withheld import withheld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bowerbird.core.types import Entry, Project

# Lessons on where a name is defined, and on which commands are run. A search finds the first, in its
# current state: with six prompts of a replay it was useful once, and once out of date. Of 27 prompts with
# how tests are run or code is linted, it helped none.
_NEVER = ("module_insight", "procedure")
_CURE = "error_pattern"
_OF_A_FILE = "context_cost"
# A word with the characters of identifiers, and a file by its name.
_WORD = late(r"[\w./-]+")
_FILE = late(r"[\w.-]{2,}\.[a-zA-Z]\w*")


def withheld_from(prompt: str, entry: "Entry", above: float, project: "Project") -> str:
    """Return why an entry is not injected at a prompt; empty if nothing keeps it out."""
    reason = withheld(entry, above, project)
    if not reason and waits(entry, prompt):
        return f"was learned; a {entry.kind} waits for its file, its command or its error"
    return reason


def waits(entry: "Entry", prompt: str) -> bool:
    """Return whether a learned entry is left out of a prompt: a place, a command, or off its subject."""
    if entry.details is None or "learned" not in entry.details.fields.metadata:
        return False
    if entry.kind == _OF_A_FILE:
        return {*_names([prompt])}.isdisjoint(_names(entry.details.fields.files))
    if entry.kind != _CURE:
        return entry.kind in _NEVER
    return not is_about(entry, prompt)


def _names(texts: "Iterable[str]") -> "Iterator[str]":
    """Yield identifiers (`handleStop`, `max_steps`) and file names, without their folders."""
    for text in texts:
        for word in _WORD.findall(text):
            last = word.rstrip("./-").rpartition("/")[2]
            if _FILE.fullmatch(last):
                yield last
            yield from NAME.findall(last)
