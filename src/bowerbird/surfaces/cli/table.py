"""The command table: names, modules, and lazy imports.

Only the invoked verb's modules are loaded; 36 subparsers alone would cost a cold command 19 ms.
"""

from bowerbird.core.errors import UnknownName, UsageError, nearest
from bowerbird.surfaces.fields import GROUPS, every
from bowerbird.surfaces.fields import names as verb_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.fields import Verb

# Aliases of verbs: a cold command with one loads no other verb.
ALIASES = {"search": "query", "recall": "query", "remember": "curate", "store": "curate"}
# Names that people type for a verb; accepted, but not listed.
_GUESSES = {
    "add": "curate",
    "save": "curate",
    "note": "curate",
    "delete": "forget",
    "rm": "forget",
    "remove": "forget",
    "update": "edit",
    "undo": "revert",
    "ls": "list",
    "find": "query",
    "ask": "query",
    "show": "get",
    "settings": "config",
    "setup": "install",
    "connect": "install",
    "info": "status",
    "stats": "status",
    "ui": "dashboard",
    "web": "dashboard",
    "log": "sessions",
    "timeline": "sessions",
    "explain": "why",
}
# What does not exist under that name: the commands that do the nearest thing.
_INSTEAD = {
    "uninstall": "disconnect agents: bower install --uninstall; then remove the package with pipx or uv",
    "init": "a store is created by the first bower index or bower remember; agents: bower install",
    "sync": "take another store's memories in with: bower import OTHER.db",
    "clear": "one memory: bower forget; for good: bower erase; what has faded: bower prune",
    "clean": "what has faded: bower prune; one memory: bower forget",
    "brief": 'of the last session: bower session --summary; for a prompt: bower why "PROMPT"',
    "digest": "of the last session: bower session --summary; of all: bower sessions",
    "summary": "of the last session: bower session --summary; of all: bower sessions",
    "rules": "rules and preferences: bower list --kind requirement, bower list --kind preference",
    "start": "MCP over stdio: bower mcp; an HTTP server: bower serve",
}
# Commands that are not verbs of a Bowerbird: servers, hooks, and commands about the program itself.
_OTHERS = (
    "install",
    "mcp",
    "watch",
    "serve",
    "dashboard",
    "hook",
    "demo",
    "bench",
    "help",
    "completion",
    "version",
    "upgrade",
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
    verb = ALIASES.get(name) or _GUESSES.get(name, name)
    if verb in _OTHERS or verb in verb_names():
        found = module_of(verb)
        if found.VERB.group:
            return found
    if " " in name.strip():
        raise UsageError(f"no command: {name}", f'to ask a question: bower query "{name}"')
    if name in _INSTEAD:
        raise UsageError(f"there is no command {name}", _INSTEAD[name])
    near = nearest(name, [*names(), *_GUESSES])
    meant = f"{near} ({_GUESSES[near]})" if near in _GUESSES else near
    remedy = f"did you mean {meant}?" if near else "bower help lists the commands"
    raise UnknownName(f"unknown command: {name}", remedy)


def load(module: str) -> "Any":
    """A module by its name below `surfaces`, or of the bench, imported when first needed."""
    found = "bowerbird." + ("" if module.startswith(_BENCH) else "surfaces.") + module
    return __import__(found, fromlist=("",))
