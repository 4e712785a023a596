"""The command table: what there is to type, and the one place that imports lazily.

Only the invoked verb's modules are loaded; 36 subparsers alone would cost a cold command 19 ms.
"""

from importlib import import_module

from bowerbird.core.errors import UnknownName, UsageError
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HERE = "bowerbird.surfaces."
# A room of its own, above the surfaces: it is loaded by name.
_BENCH = "bench."


class Command(Value):
    """A verb: `module` holds its arguments and its work, `renderer` how the outcome reads.

    `speaks_text` marks a verb whose answer is prose: it stays text in a pipe unless asked for JSON.
    """

    __slots__ = ("aliases", "group", "help", "module", "renderer", "speaks_text", "verb")

    def __init__(
        self,
        verb: str,
        help: str,
        group: str,
        aliases: tuple[str, ...] = (),
        module: str = "",
        renderer: str = "",
        speaks_text: bool = False,
    ) -> None:
        self.verb = verb
        self.help = help
        self.group = group
        self.aliases = aliases
        self.module = module if "." in module else "cli.commands." + (module or verb)
        self.renderer = renderer if "." in renderer else "cli.render." + (renderer or verb)
        self.speaks_text = speaks_text

    @property
    def names(self) -> tuple[str, ...]:
        """The verb and its aliases."""
        return (self.verb, *self.aliases)


COMMANDS = (
    Command(
        "query",
        "Find the notes, turns and memories that answer a question",
        "Ask",
        ("search", "recall"),
    ),
    Command("context", "Pack what is known for a task, for a prompt", "Ask", speaks_text=True),
    Command("get", "Show one entry in full", "Ask", renderer="entries"),
    Command("list", "List entries, newest first", "Ask", renderer="entries"),
    Command(
        "curate",
        "Remember one to three sentences",
        "Keep",
        ("remember", "store"),
    ),
    Command("forget", "Take memories out of every search", "Keep", renderer="memory"),
    Command("history", "Show how a memory came to be what it is", "Keep", renderer="memory"),
    Command("revert", "Take back the last change of a memory", "Keep", renderer="memory"),
    Command("link", "Say what one memory is to another, or to a file", "Keep", renderer="memory"),
    Command("index", "Take in files and folders: notes, transcripts, plain text", "Keep"),
    Command("trust", "Say that the files of a folder are your own", "Keep"),
    Command("migrate", "Move in from another memory: ByteRover", "Keep"),
    Command("mcp", "Serve memory to an agent over MCP", "Connect", speaks_text=True),
    Command("serve", "Answer over HTTP, for programs that hold a token", "Connect"),
    Command("status", "Show what the store holds and where it rests", "Look after"),
    Command("doctor", "Look for what is wrong, and say what to do", "Look after"),
    Command("verify", "Look for damage in everything that is kept", "Look after"),
    Command("backup", "Copy the store as it is now, and check the copy", "Look after"),
    Command("restore", "Go back to a backup; what stands there is put aside", "Look after"),
    Command("recover", "Save what can be read of a damaged store", "Look after"),
    Command("prune", "Let go of memories that faded, or whose day has passed", "Look after"),
    Command("reindex", "Let today's model read what it has not read yet", "Look after"),
    Command(
        "warm", "Let the model read what waits for it, the newest alone if asked", "Look after"
    ),
    Command("cache", "Show or prune what is kept of a model server's reading", "Look after"),
    Command("demo", "See it work, in a temporary store", "Try", speaks_text=True),
    Command(
        "bench",
        "Measure how well it finds, how fast, and in how much room",
        "Try",
        module=_BENCH + "command",
        renderer=_BENCH + "render.figures",
    ),
    Command("help", "Explain a command", "About", speaks_text=True),
    Command(
        "completion",
        "Print a script that lets your shell complete commands",
        "About",
        renderer="help",
        speaks_text=True,
    ),
    Command("version", "Show the version", "About"),
)
_BY_NAME = {name: command for command in COMMANDS for name in command.names}


def names() -> tuple[str, ...]:
    """Every verb and alias there is to type."""
    return tuple(_BY_NAME)


def find(name: str) -> Command:
    """The command of that name or alias. Raises UnknownName with the nearest one."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if " " in name.strip():
        raise UsageError(f"no command: {name}", f'to ask a question: bower query "{name}"')
    raise UnknownName.among("command", name, list(_BY_NAME))


def load(module: str) -> "Any":
    """A module by its name below `surfaces`, or of the bench, imported when first needed."""
    return import_module(("bowerbird." if module.startswith(_BENCH) else _HERE) + module)
