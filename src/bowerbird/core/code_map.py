"""What files define: the outline of one, and a ranked map of many."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Symbol(Value):
    """A definition of a file. `name` is qualified, as ``Store.open``; lines are 1-based and inclusive."""

    __slots__ = ("end_line", "kind", "name", "start_line")
    TABLE = (("name", "text"), ("kind", "text"), ("start_line", "whole"), ("end_line", "whole"))

    def __init__(self, name: str, kind: str, start_line: int, end_line: int) -> None:
        self.name = name
        self.kind = kind
        self.start_line = start_line
        self.end_line = end_line


class MappedFile(Value):
    """A file with definitions of it, in the order of their lines.

    `weight` is the file's share of what the indexed code uses (PageRank; all files together have 1).
    """

    __slots__ = ("path", "symbols", "weight")
    TABLE = (("path", "text"), ("weight", "number"), ("symbols", [Symbol]))

    def __init__(self, path: str, weight: float, symbols: "Sequence[Symbol]") -> None:
        self.path = path
        self.weight = weight
        self.symbols = tuple(symbols)


class CodeMap(Value):
    """The definitions that the indexed code uses most, by file; or the outline of one file.

    `tokens` is the size of the map as text, `more` counts the definitions that do not fit into it.
    `stale` are files that changed since they were indexed: their lines may have moved.
    """

    __slots__ = ("files", "more", "notes", "stale", "tokens")
    TABLE = (
        ("files", [MappedFile]),
        ("tokens", "whole"),
        ("more", "whole"),
        ("stale", "texts"),
        ("notes", "texts"),
    )

    def __init__(
        self,
        files: "Sequence[MappedFile]" = (),
        tokens: int = 0,
        more: int = 0,
        stale: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> None:
        self.files = tuple(files)
        self.tokens = tokens
        self.more = more
        self.stale = stale
        self.notes = notes
