"""What describes a verb: its fields, its result, the interfaces that offer it; and the list of verbs.

`verbs/` has one module per verb, as plain data: its fields, its result, and the interfaces that offer it.
A module contains `VERB` and `run(bird, given)`, which computes a value of the core from the given
fields; without `run`, the method of the verb's name is called. Its docstring is the long help, and
`EXAMPLES` follow it. Optional are `used(value)`, the ids of the returned entries; `served(indexing,
given)`, which a server runs instead; and for the command line `typed(given)`, which checks and
completes what was typed, `notes(value, given)`, `timings(value)` and `exit_code(value)`, or
`command(call)` instead of these. All interfaces read these modules: a new verb needs no change
elsewhere.

Where a verb's `by_words` was given words instead of an id, the command line offers the memories that
match; a function `by_words(given)` of the module decides instead of it. `beyond(bird, value, given)` adds
to an answer what only the owner of the store may know, such as hits in other projects.
"""

import os

from bowerbird.core.value import NAME as NAME
from bowerbird.core.value import TEXT as TEXT
from bowerbird.core.value import Record, Value
from bowerbird.core.who import ADMIN as ADMIN
from bowerbird.core.who import MEMBER
from bowerbird.core.who import STEWARD as STEWARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bowerbird.bird import Bowerbird as Bowerbird
    from bowerbird.core.value import Do
    from bowerbird.core.who import Who
    from bowerbird.daemon.indexing import Indexing as Indexing

    # What was given, by the names of a verb's fields.
    Given = dict[str, Any]
    # What did not go as usual, or what to try: lines for people.
    Notes = Iterator[str]
else:
    # Verbs say them in annotations alone: naming them loads nothing.
    Bowerbird = Given = Indexing = Notes = object

# The interfaces: the command line, HTTP, MCP.
TYPED = "typed"
HTTP = "http"
MCP = "mcp"
BOTH = (TYPED, HTTP)
EVERYWHERE = (TYPED, HTTP, MCP)
# Characters of a question and of a memory; values of a list; the form of an id.
LONGEST_QUESTION = LONGEST_MEMORY = 10_000
MOST = 50
ID = "^[0-9a-fA-F-]{6,36}$"
FAR = (1 << 63) - 1
_DIGITS = frozenset("0123456789")
_HEXADECIMAL = _DIGITS | frozenset("abcdefABCDEF-")
# Placeholder for the kinds of memories, which are read on first use.
KINDS = ("kinds",)


class Field(Record):
    """One field of a verb.

    Args:
        name: as `run` reads it, and as the bird's method calls it.
        shape: text, texts, whole, number, flag, data (an object) or when (milliseconds or a text).
        meaning: the same in every interface.
        default: where it is not given.
        low, high: bounds of a number, of the length of a text or of each of several.
        choices: all that may be given, or KINDS for the kinds that are declared by now.
        pattern: what a text has to match.
        most: how many of several.
        needed: whether it is required.
        interfaces: where it is offered.
        option: its names on the command line: options, or one in capitals for what has no name; empty
            makes one of its name.
        words: how many words make an argument without a name: `+`, `*`, `?`.
        metavar, group, apart: its stand-in and its group in the help; of those with the same `apart` one
            may be given.
        wire: its name over HTTP, where that is another; tool: over MCP.
        whole: a comma in a value of several does not part it.
        piped: on a command line `-` reads it from standard input.
    """

    name: str
    shape: str
    meaning: str = ""
    default: "Any" = None
    low: float | None = None
    high: float | None = None
    choices: "Any" = ()
    pattern: str = ""
    most: int = MOST
    needed: bool = False
    interfaces: tuple[str, ...] = BOTH
    option: tuple[str, ...] = ()
    words: str = ""
    metavar: str = ""
    group: str = ""
    apart: str = ""
    wire: str = ""
    tool: str = ""
    whole: bool = False
    piped: bool = False

    def called(self, interface: str) -> str:
        """Its name in an interface that takes objects."""
        return (self.wire if interface == HTTP else self.tool) or self.name


# Tokens of a tool's answer: clients cut longer ones themselves, or refuse them.
TOOL_BUDGET = 8_000
# Of one about code, which an agent asks for before each of many changes.
CODE_BUDGET = 2_000


class Tool(Record):
    """A verb as a model meets it over MCP.

    `description` says when to use it. `always` are the fields of its data that are never left out.
    `budget` is the maximum of an answer's tokens for a caller who names no limit.
    `destroys`: it takes something out of the store; `repeatable`: doing it again changes nothing more.
    """

    name: str
    title: str
    description: str
    always: tuple[str, ...] = ()
    destroys: bool = False
    repeatable: bool = True
    budget: int = TOOL_BUDGET


class Verb(Record):
    """A verb, as data.

    Args:
        name: as it is called in every interface.
        meaning: what it does, in a line.
        fields: what it takes, in the order of the help.
        gives: the type of the value that it makes.
        queue: with which calls it takes turns in a server: ask, read, whole, write, rebuild or after
            (`daemon.birds`); write and rebuild change the store.
        group, order: its position among the commands; without a group it is no command.
        route: method and path of HTTP; without one it is not served.
        tool: how it is offered over MCP.
        reach: which part of the store a request names: project, anywhere, or empty, the whole. Nowhere:
            the answer is the same for all of them, and none need be named.
        owners: for callers on the owner's machine alone, as its method requires by `Who.require_local`.
        role: the least role of a member of the team that may run it.
        prose: its answer is text in a pipe, too.
        renderer: the module of `cli.render` that shows it, where it is not called like the verb; with a
            function of it after a colon.
        begun: the type of the answer when it continues in the background.
        slow: it shows progress.
        by_words: the field of ids in which a person may give words instead.
    """

    name: str
    meaning: str
    fields: tuple[Field, ...] = ()
    gives: "type[Value]" = Value
    queue: str = "read"
    group: str = ""
    order: int = 99
    route: tuple[str, str] | None = None
    tool: Tool | None = None
    reach: str = "anywhere"
    owners: bool = False
    role: str = MEMBER
    prose: bool = False
    renderer: str = ""
    begun: "type[Value] | None" = None
    slow: bool = False
    by_words: str = ""

    @property
    def writes(self) -> bool:
        """Whether it changes the store."""
        return self.queue in {"write", "rebuild"}

    def require(self, who: "Who") -> None:
        """Raise Denied for a caller that may not run it, before its request is read or queued.

        The methods of the bird enforce the same.
        """
        if self.writes:
            who.require_write()
        if self.owners:
            who.require_local(self.name)
        who.require_role(self.role, self.name)

    def at(self, interface: str) -> "tuple[Field, ...]":
        """What it takes in an interface."""
        own = tuple(one for one in self.fields if interface in one.interfaces)
        if interface != HTTP or not self.reach:
            return own
        return (*(_REACHES if self.reach == "anywhere" else _REACHES[:2]), *own)

    def names(self, do: "Do", interface: str, stem: str) -> str:
        """What advice says to do, as called in an interface that takes objects; `stem` calls it.

        What it does not take there stays a command, for a person to type.
        """
        known = {field.name: field.called(interface) for field in self.at(interface)}
        if not do.named.keys() <= known.keys():
            return do.command()
        named = (f"{known[name]}: {value}" for name, value in do.named.items())
        return " ".join((stem, *do.arguments, *named))

    def filled(self, given: Given, interface: str) -> Given:
        """What was given by the names of its fields, and the defaults of the others.

        On the command line those of the bird hold: a cold command loads what was asked for alone.
        """
        if interface == TYPED:
            return given
        usual = {one.name: one.default for one in self.at(interface) if one.default is not None}
        return usual | given


PROJECT = Field(
    "project",
    "text",
    "name or uid; a token for one project alone need not say it",
    low=1,
    high=500,
    pattern=r"^[^\x00-\x1f\x7f]+$",
    interfaces=(HTTP,),
)
SESSION = Field(
    "session",
    "text",
    "uses of one entry count once; what it was shown lowers the trust of what it keeps",
    default="",
    high=TEXT,
    interfaces=(HTTP,),
)
EVERY_PROJECT = Field(
    "all_projects",
    "flag",
    "every project; not for a token bound to some",
    default=False,
    interfaces=(HTTP,),
)
_REACHES = (PROJECT, SESSION, EVERY_PROJECT)
ONE_ID = Field(
    "id",
    "text",
    "the id as it was returned, or its first characters, at least six",
    pattern=ID,
    needed=True,
    interfaces=EVERYWHERE,
    option=("ID",),
)
REASON = Field(
    "reason",
    "text",
    "why, for the history",
    default="",
    high=TEXT,
    interfaces=EVERYWHERE,
    metavar="TEXT",
)


def is_id(text: str) -> bool:
    """Whether a text can be an id or the beginning of one: hexadecimal, with at least one digit."""
    return _HEXADECIMAL.issuperset(text) and not _DIGITS.isdisjoint(text)


def worded(module: "Any", given: Given) -> str:
    """The field in which a person gave words instead of ids; empty if there is none."""
    if hasattr(module, "by_words"):
        return str(module.by_words(given))
    name: str = module.VERB.by_words
    said = given.get(name, ())
    return "" if all(map(is_id, (said,) if isinstance(said, str) else said)) else name


def typed(given: "Iterable[Any] | None", *, whole: bool = False) -> "tuple[Any, ...]":
    """The values of a repeatable option, which may also be listed with commas."""
    if whole:
        return tuple(given or ())
    parts = (part.strip() for value in given or () for part in value.split(","))
    return tuple(part for part in parts if part)


# The groups of the overview, in its order.
GROUPS = ("Ask", "Keep", "Connect", "Look after", "Try", "About")


def names() -> "list[str]":
    """Every verb, by its file."""
    here = os.listdir(os.path.join(os.path.dirname(__file__), "verbs"))
    return sorted(one[:-3] for one in here if one.endswith(".py") and one != "__init__.py")


def module(name: str) -> "Any":
    """The module of a verb, imported when first needed."""
    return __import__(
        f"bowerbird.surfaces.verbs.{name}", fromlist=("",)
    )  # `importlib` takes longer


def run(module: "Any", bird: Bowerbird, given: Given) -> "Any":
    """What comes of a verb: by its own `run`, else by the method that is called like it."""
    if hasattr(module, "run"):
        return module.run(bird, given)
    name = module.VERB.name
    return getattr(bird if hasattr(bird, name) else bird.admin, name)(**given)


def every() -> "list[Any]":
    """The modules of all verbs, in the order of the overview; those that are no command behind them."""
    ranks = {group: rank for rank, group in enumerate((*GROUPS, ""))}
    found = [module(name) for name in names()]
    return sorted(found, key=lambda one: (ranks[one.VERB.group], one.VERB.order, one.VERB.name))
