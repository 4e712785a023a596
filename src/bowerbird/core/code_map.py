"""What files define: the outline of one, and a ranked map of many."""

from bowerbird.core.value import Record

TYPE_CHECKING = False


class Symbol(Record):
    """A definition of a file. `name` is qualified, as ``Store.open``; lines are 1-based and inclusive."""

    name: str
    kind: str
    start_line: int
    end_line: int
    TABLE = ("*",)


class MappedFile(Record):
    """A file with definitions of it, in the order of their lines.

    `weight` is the file's share of what the indexed code uses (PageRank; all files together have 1).
    """

    path: str
    weight: float
    symbols: "tuple[Symbol, ...]"
    TABLE = ("*", ("symbols", [Symbol]))


class CodeMap(Record):
    """The definitions that the indexed code uses most, by file; or the outline of one file.

    `tokens` is the size of the map as text, `more` counts the definitions that do not fit into it.
    `stale` are files that changed since they were indexed: their lines may have moved.
    """

    files: "tuple[MappedFile, ...]" = ()
    tokens: int = 0
    more: int = 0
    stale: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    TABLE = ("*", ("files", [MappedFile]))
