"""What may be typed next, as the fields know it, and the scripts by which shells ask for it.

A script holds no words of its own: it asks this program at every Tab, so that it knows the options of
the version that runs. That takes a tenth of a second, and one list of words serves three shells.
"""

import os
import shlex

from bowerbird.core.errors import UsageError
from bowerbird.core.installed import starting
from bowerbird.core.kinds import KINDS
from bowerbird.core.phases import PHASES
from bowerbird.surfaces.cli.arguments import (
    GLOBALS,
    arguments,
    is_option,
    meaning,
    metavar,
    options,
)
from bowerbird.surfaces.cli.table import aliases, commands, find, names
from bowerbird.surfaces.installer.agents import IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.surfaces import Field

    Offer = tuple[str, str]

# In place of a word: any file. No word is called so.
FILES = "/"
# What stands for a place on disk.
_PLACES = frozenset({"PATH", "FILE", "DIR"})
# The scripts, a file a shell.
_SCRIPTS = os.path.join(os.path.dirname(__file__), "shells")
SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """What a shell evaluates once."""
    with open(os.path.join(_SCRIPTS, f"bower.{shell}"), encoding="utf-8") as file:
        return file.read().replace("@BOWER@", shlex.join(starting())).replace("@FILES@", FILES)


def lines(shell: str, words: "Sequence[str]") -> "Iterator[str]":
    """What may stand for the last of some words behind the program's name, as a shell reads it."""
    for word, description in offered(words):
        if word == FILES or shell == "bash":
            yield word.rpartition("=")[2] if "=" in words[-1:] else word
        elif shell == "zsh":
            # Behind the sign the values alone are completed.
            yield word.rpartition("=")[2].replace(":", r"\:") + f":{description}" * bool(
                description
            )
        else:
            yield f"{word}\t{description}"


def offered(words: "Sequence[str]") -> "Iterator[Offer]":
    """The words that may stand for the last one, with what each means."""
    *before, current = words or [""]
    current = current.removeprefix("=") if current == "=" else current
    fields: Sequence[Field] = GLOBALS
    verb, waits = "", None
    for word in before:
        name, sign, _ = word.partition("=")
        if word == "=":
            continue
        if waits is not None:
            waits = None
        elif word.startswith("-"):
            option = options(fields).get(name)
            waits = option if option is not None and metavar(option) and not sign else None
        elif not verb:
            verb, fields = word, _fields(word)
    name, sign, _ = current.partition("=")
    known = options(fields)
    if waits is not None:
        found = _values(waits)
    elif sign and name in known:
        found = ((f"{name}={value}", description) for value, description in _values(known[name]))
    elif current.startswith("-"):
        found = ((name, meaning(option)) for name, option in known.items())
    elif not verb:
        every = (one.VERB for one in commands())
        found = ((name, one.meaning) for one in every for name in (one.name, *aliases(one)))
    else:
        found = (value for one in fields if not is_option(one) for value in _values(one))
    return (one for one in found if one[0] == FILES or one[0].startswith(current))


def _fields(verb: str) -> "Sequence[Field]":
    try:
        return arguments(find(verb).VERB)
    except UsageError:
        return ()


def _values(field: "Field") -> "Iterator[Offer]":
    """What an option or an argument may be."""
    named = {"KIND": KINDS, "PHASE": PHASES, "AGENT": IDS, "COMMAND": names()}
    for choice in field.choices or named.get(metavar(field), ()):
        yield str(choice), ""
    if not _PLACES.isdisjoint(metavar(field).replace(":", "|").split("|")):
        yield FILES, ""
