"""Where a definition is used: every line, by file."""

from bowerbird.core.graph import Node
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Usage(Value):
    """A line on which a definition is used.

    `name` is the definition that the line is in, empty at the top level of its file. `kind` is that of
    the edge: imports, calls, inherits or references. `confidence` (0 to 1) is below 1 where types are
    followed, and .5 for a guess by name alone.
    """

    __slots__ = ("confidence", "kind", "line", "name", "origin")
    TABLE = (
        ("line", "whole"),
        ("kind", "text"),
        ("name", "text"),
        ("confidence", "share"),
        ("origin", "text"),
    )

    def __init__(self, line: int, kind: str, name: str, confidence: float, origin: str) -> None:
        self.line = line
        self.kind = kind
        self.name = name
        self.confidence = confidence
        self.origin = origin


class UsingFile(Value):
    """A file with the lines that use a definition, in their order. `test`: it is one of tests."""

    __slots__ = ("path", "test", "usages")
    TABLE = (("path", "text"), ("test", "flag-"), ("usages", [Usage]))

    def __init__(self, path: str, usages: "Sequence[Usage]", test: bool = False) -> None:
        self.path = path
        self.usages = tuple(usages)
        self.test = test


class References(Value):
    """The uses of a definition.

    `found` is the definition; `candidates` are the meanings of an ambiguous name, and nothing is listed
    then. Files that are no tests come first. `total` counts all uses, `more` those beyond the limit.
    `stale` are files that changed since they were indexed: what they use is left out.
    """

    __slots__ = ("candidates", "files", "found", "more", "notes", "stale", "target", "total")
    TABLE = (
        ("target", "text"),
        ("found", [Node]),
        ("candidates", [Node]),
        ("files", [UsingFile]),
        ("total", "whole"),
        ("more", "whole"),
        ("stale", "texts"),
        ("notes", "texts"),
    )

    def __init__(
        self,
        target: str,
        found: "Sequence[Node]" = (),
        candidates: "Sequence[Node]" = (),
        files: "Sequence[UsingFile]" = (),
        total: int = 0,
        more: int = 0,
        stale: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> None:
        self.target = target
        self.found = tuple(found)
        self.candidates = tuple(candidates)
        self.files = tuple(files)
        self.total = total
        self.more = more
        self.stale = stale
        self.notes = notes
