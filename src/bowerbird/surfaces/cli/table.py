"""The command table: names, modules, and lazy imports.

Only the invoked verb's modules are loaded; 36 subparsers alone would cost a cold command 19 ms.
"""

from importlib import import_module

from bowerbird.core.errors import UnknownName, UsageError
from bowerbird.surfaces import GROUPS, every
from bowerbird.surfaces import names as verb_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces import Verb

# Aliases of verbs: a cold command with one loads no other verb.
ALIASES = {"search": "query", "recall": "query", "remember": "curate", "store": "curate"}
# Commands that are not verbs of a Bowerbird: servers, hooks, and commands about the program itself.
_OTHERS = (
    "install",
    "mcp",
    "watch",
    "serve",
    "hook",
    "demo",
    "bench",
    "help",
    "completion",
    "version",
)
# A package above the surfaces, so it is loaded by name.
_BENCH = "bench."


def commands() -> "tuple[Any, ...]":
    """The modules of all commands, in the order of the overview."""
    found = [*map(module_of, _OTHERS), *(one for one in every() if one.VERB.group)]
    return tuple(sorted(found, key=lambda one: (GROUPS.index(one.VERB.group), one.VERB.order)))


def module_of(name: str) -> "Any":
    """The module of a command; aliases are not resolved."""
    if name not in _OTHERS:
        return load("verbs." + name)
    return load(_BENCH + "command" if name == "bench" else "cli.commands." + name)


def aliases(verb: "Verb") -> tuple[str, ...]:
    """The aliases of a verb."""
    return tuple(name for name, one in ALIASES.items() if one == verb.name)


def names() -> tuple[str, ...]:
    """All commands and aliases."""
    return tuple(name for one in commands() for name in (one.VERB.name, *aliases(one.VERB)))


def find(name: str) -> "Any":
    """The module of that name or alias. Raises UnknownName with the nearest one."""
    verb = ALIASES.get(name, name)
    if verb in _OTHERS or verb in verb_names():
        found = module_of(verb)
        if found.VERB.group:
            return found
    if " " in name.strip():
        raise UsageError(f"no command: {name}", f'to ask a question: bower query "{name}"')
    raise UnknownName.among("command", name, [*names()])


def load(module: str) -> "Any":
    """A module by its name below `surfaces`, or of the bench, imported when first needed."""
    return import_module("bowerbird." + ("" if module.startswith(_BENCH) else "surfaces.") + module)
