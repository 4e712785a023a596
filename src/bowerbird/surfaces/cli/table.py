"""The command table: what there is to type, and the one place that imports lazily.

Only the invoked verb's modules are loaded; 36 subparsers alone would cost a cold command 19 ms.
"""

from importlib import import_module

from bowerbird.core.errors import UnknownName, UsageError
from bowerbird.core.value import Record
from bowerbird.surfaces import GROUPS, every
from bowerbird.surfaces import module as module_of
from bowerbird.surfaces import names as verb_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces import Verb

_HERE = "bowerbird.surfaces."
# A room of its own, above the surfaces: it is loaded by name.
_BENCH = "bench."
# Other names of verbs: a cold command that is typed by one loads no verb but its own.
ALIASES = {"search": "query", "recall": "query", "remember": "curate", "store": "curate"}


class Command(Record):
    """A verb, or what is no verb: `module` does its work.

    `renderer` is the module that tells how the outcome reads, maybe with a function of it behind a
    colon; empty where the outcome's value is a text, or nothing. `prose` marks one whose answer stays
    text in a pipe unless asked for JSON.
    """

    verb: str
    help: str
    group: str
    order: int
    module: str
    renderer: str = ""
    prose: bool = False

    @property
    def aliases(self) -> tuple[str, ...]:
        """Its other names."""
        return tuple(name for name, verb in ALIASES.items() if verb == self.verb)

    @property
    def names(self) -> tuple[str, ...]:
        """The verb and its aliases."""
        return (self.verb, *self.aliases)


_WORK, _RENDER = "cli.commands.", "cli.render."
# What is typed and is no verb: doors, and what is about the program itself.
_OTHERS = (
    Command(
        *("install", "Connect an agent: its tools and its hooks", "Connect", 1),
        *(_WORK + "install", _RENDER + "install", True),
    ),
    Command("mcp", "Serve memory to an agent over MCP", "Connect", 2, _WORK + "mcp", prose=True),
    Command(
        *("watch", "Take in what changes in folders, as it changes", "Keep", 20),
        *(_WORK + "watch", _RENDER + "serve"),
    ),
    Command(
        *("serve", "Answer over HTTP, for programs that hold a token", "Connect", 3),
        *(_WORK + "serve", _RENDER + "serve"),
    ),
    Command(
        *("hook", "Answer an event of an agent's hooks; agents call it", "Connect", 4),
        *(_WORK + "hook", "", True),
    ),
    Command("demo", "See it work, in a temporary store", "Try", 1, _WORK + "demo", prose=True),
    Command(
        *("bench", "Measure how well it finds, how fast, and in how much room", "Try", 2),
        *(_BENCH + "command", _BENCH + "render.figures"),
    ),
    Command("help", "Explain a command", "About", 1, _WORK + "help", prose=True),
    Command(
        *("completion", "Print a script that lets your shell complete commands", "About", 2),
        *(_WORK + "completion", "", True),
    ),
    Command("version", "Show the version", "About", 3, _WORK + "version"),
)
_BY_NAME = {command.verb: command for command in _OTHERS}


def commands() -> tuple[Command, ...]:
    """All that can be typed, in the order of the overview; it loads every verb."""
    found = [*_OTHERS, *(_command(one.VERB) for one in every() if one.VERB.group)]
    return tuple(sorted(found, key=lambda one: (GROUPS.index(one.group), one.order)))


def _command(verb: "Verb") -> Command:
    about = (verb.name, verb.meaning, verb.group, verb.order)
    renderer = _RENDER + (verb.renderer or verb.name)
    return Command(*about, "verbs." + verb.name, renderer, verb.prose)


def names() -> tuple[str, ...]:
    """Every verb and alias there is to type."""
    return tuple(name for command in commands() for name in command.names)


def find(name: str) -> Command:
    """The command of that name or alias. Raises UnknownName with the nearest one."""
    verb = ALIASES.get(name, name)
    if verb in _BY_NAME:
        return _BY_NAME[verb]
    if verb in verb_names() and (found := module_of(verb).VERB).group:
        return _command(found)
    if " " in name.strip():
        raise UsageError(f"no command: {name}", f'to ask a question: bower query "{name}"')
    raise UnknownName.among("command", name, [*names()])


def load(module: str) -> "Any":
    """A module by its name below `surfaces`, or of the bench, imported when first needed."""
    return import_module(("bowerbird." if module.startswith(_BENCH) else _HERE) + module)
