"""Where a definition is used: every line, by file."""

from bowerbird.core.graph import Node
from bowerbird.core.value import Record

TYPE_CHECKING = False


class Usage(Record):
    """A line on which a definition is used.

    `name` is the definition that the line is in, empty at the top level of its file. `kind` is that of
    the edge: imports, calls, inherits or references. `confidence` (0 to 1) is below 1 where types are
    followed, and .5 for a guess by name alone.
    """

    line: int
    kind: str
    name: str
    confidence: float
    origin: str
    TABLE = ("*", ("confidence", "share"))


class UsingFile(Record):
    """A file with the lines that use a definition, in their order. `test`: it is one of tests."""

    path: str
    usages: "tuple[Usage, ...]"
    test: bool = False
    TABLE = (("path", "text"), ("test", "flag-"), ("usages", [Usage]))


class References(Record):
    """The uses of a definition.

    `found` is the definition; `candidates` are the meanings of an ambiguous name, and nothing is listed
    then. Files that are no tests come first. `total` counts all uses, `more` those beyond the limit.
    `stale` are files that changed since they were indexed: what they use is left out.
    """

    target: str
    found: "tuple[Node, ...]" = ()
    candidates: "tuple[Node, ...]" = ()
    files: "tuple[UsingFile, ...]" = ()
    total: int = 0
    more: int = 0
    stale: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    TABLE = ("*", ("found", [Node]), ("candidates", [Node]), ("files", [UsingFile]))
