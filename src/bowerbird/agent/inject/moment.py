"""What has a moment of its own, and stands beside no prompt that is not about it. Pure."""

import re

from bowerbird.agent.inject.asking import NAME, waits_for_its_place
from bowerbird.agent.observe.fingerprint import fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.types import Entry

# Words of a line that is an error's, without names and numbers.
_FEWEST_WORDS = 4
# What was learned of where a name is defined, and of which commands are run. One search tells the first,
# and tells what it is today: beside six prompts of a replay it was of use once, and once out of date. Of
# 27 prompts that were told how tests are run or code is linted, it helped none.
_NEVER = ("module_insight", "procedure")
_CURE = "error_pattern"
# A word as names are written, and a file by its name.
_WORD = re.compile(r"[\w./-]+")
_FILE = re.compile(r"[\w.-]{2,}\.[a-zA-Z]\w*")


def waits(entry: "Entry", prompt: str) -> bool:
    """Whether it was learned and is none of a prompt's: a place, a command, what the prompt names not.

    The moment of a cure is the call that fails: beside 18 prompts of a replay 8 such cures stood, none of
    any use. A trap, and that a file is long, stand beside a prompt that has a name of theirs: 47 of 869
    prompts shared words alone with one, as "the commits of that branch", and it helped two of them at
    most; the five that shared a name were about it.
    """
    if entry.details is None or "learned" not in entry.details.fields.metadata:
        return False
    if entry.kind in _NEVER:
        return True
    if entry.kind != _CURE:
        return waits_for_its_place(entry) and {*_names(prompt)}.isdisjoint(_names(entry.text))
    own = f" {fingerprint(entry.text)} "
    prints = map(fingerprint, prompt.splitlines())
    return not any(f" {one} " in own for one in prints if len(one.split()) >= _FEWEST_WORDS)


def _names(text: str) -> "Iterator[str]":
    """Names that somebody gave (`handleStop`, `max_steps`) and files, without their folders."""
    for word in _WORD.findall(text):
        last = word.rstrip("./-").rpartition("/")[2]
        if _FILE.fullmatch(last):
            yield last
        yield from NAME.findall(last)
