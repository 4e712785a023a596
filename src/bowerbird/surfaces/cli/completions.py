"""Completions of a command line, by the verbs' fields, and the scripts by which shells request them.

A script contains no words: it runs this program at every Tab, so that it knows the options of the
installed version. That takes a tenth of a second, and one list of words serves three shells.
"""

import os
import shlex

from bowerbird.agents.index import CONNECTABLE
from bowerbird.core.errors import UsageError
from bowerbird.core.kinds import KINDS
from bowerbird.core.phases import PHASES
from bowerbird.host.installed import starting
from bowerbird.surfaces.cli.arguments import (
    GLOBALS,
    arguments,
    is_option,
    meaning,
    metavar,
    options,
)
from bowerbird.surfaces.cli.table import aliases, commands, find, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.surfaces.fields import Field

    Offer = tuple[str, str]

# Stands for any file in a list of completions; no word has this form.
FILES = "/"
# Placeholders that denote paths.
_PATHS = frozenset({"PATH", "FILE", "DIR"})
# The scripts, one file per shell.
_SCRIPTS = os.path.join(os.path.dirname(__file__), "shells")
SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """The script that a shell evaluates once."""
    with open(os.path.join(_SCRIPTS, f"bower.{shell}"), encoding="utf-8") as file:
        return file.read().replace("@BOWER@", shlex.join(starting())).replace("@FILES@", FILES)


def lines(shell: str, words: "Sequence[str]") -> "Iterator[str]":
    """The completions of the last of some words after the program's name, in the format of a shell."""
    for word, description in offered(words):
        if word == FILES or shell == "bash":
            yield word.rpartition("=")[2] if "=" in words[-1:] else word
        elif shell == "zsh":
            # After the sign only the values are completed.
            yield word.rpartition("=")[2].replace(":", r"\:") + f":{description}" * bool(
                description
            )
        else:
            yield f"{word}\t{description}"


def offered(words: "Sequence[str]") -> "Iterator[Offer]":
    """The completions of the last word, with descriptions."""
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
    """The possible values of an option or an argument."""
    named = {"KIND": KINDS, "PHASE": PHASES, "AGENT": CONNECTABLE, "COMMAND": names()}
    for choice in field.choices or named.get(metavar(field), ()):
        yield str(choice), ""
    if not _PATHS.isdisjoint(metavar(field).replace(":", "|").split("|")):
        yield FILES, ""
