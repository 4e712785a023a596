"""Values of the code graph: its nodes, its edges, and the result of an impact query."""

from bowerbird.core.value import Record, fresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypedDict

    class Following(TypedDict, total=False):
        """The options of an impact query.

        `diff` is a commit whose changes since are meant instead of a target, `direction` is dependents or
        dependencies, `depth` 1 to 10 steps, `tests` restricts it to tests, `limit` is how many of the
        reached nodes are returned, nearest first.
        """

        diff: str | None
        direction: str
        depth: int
        tests: bool
        limit: int


# The origin of an edge: the syntax tree, a SCIP index, a derived rule, or what a person or agent stated
# in a memory or a link.
AST = "ast"
SCIP = "scip"
RULE = "rule"
STATED = "stated"
# A node's id has its document above these bits, and below them its place in the document's outline plus
# one; 0 is the file itself.
INDEX_BITS = 17
# The id of a folder, which the store does not number.
FOLDER = -1
# Derived kinds of edges: a method overrides that of a base; a definition is contained in another; a test
# calls or refers to code that is no test; a text names code.
OVERRIDES = "overrides"
CONTAINS = "contains"
TESTS = "tests"
DOCUMENTS = "documents"
DEPENDENTS = "dependents"
DEPENDENCIES = "dependencies"


def node_id(document: int, ordinal: int) -> int:
    """The id of a definition by its position in an outline; of the file if that is MODULE."""
    return (document << INDEX_BITS) + ordinal + 1


def document_of(node: int) -> int:
    """The document that contains a node."""
    return node >> INDEX_BITS


def index_of(node: int) -> int:
    """The position of a node in its document's outline; MODULE for a file."""
    return (node & ((1 << INDEX_BITS) - 1)) - 1


class Edge(Record):
    """A reference from a position in one file to a position in any file, or to an unknown target.

    A position is a document and an index in its outline. `name` is as written or, in another project, the
    qualified name; `count` how often it occurs. Lines are 1-based and of the first occurrence, columns
    from 0. `tail` is the name by which an unresolved edge is found again, if that is not the last part of
    its own.
    """

    source: int
    target: "tuple[int, int] | None"
    kind: str
    name: str
    origin: str
    confidence: float
    line: int
    column: int
    count: int = 1
    tail: str = ""


class Node(Record):
    """A file, module, class, function, method or constant.

    The `name` of a file is empty, and so is that of a module that is a folder with its files.
    """

    id: int
    path: str
    name: str
    kind: str
    start_line: int
    end_line: int
    TABLE = (
        ("path", "text"),
        ("name", "text"),
        ("kind", "text"),
        ("start_line", "whole"),
        ("end_line", "whole"),
    )


class Reached(Record):
    """A node that an impact reaches: its distance, the node before it, and the kind of edge between them.

    `weight`, 0 to 1, is the strength of the dependency; `via` the nodes on the path, from the target on;
    `line` and `column` the position of the reference, in the dependent's file, and `confidence` that of
    the edge. `test`: it is a test. `back`: the edge is followed in reverse, from a method to the base's
    method whose callers may run it, or the other way round.
    """

    TABLE = (
        ("path", "text", "node.path"),
        ("name", "text", "node.name"),
        ("kind", "text", "node.kind"),
        ("start_line", "whole", "node.start_line"),
        ("end_line", "whole", "node.end_line"),
        ("depth", "whole"),
        ("weight", "share"),
        ("edge", "text"),
        ("origin", "text"),
        ("confidence", "share"),
        ("line", "whole"),
        ("column", "whole"),
        ("via", "texts"),
        ("test", "flag-"),
        ("back", "flag-"),
    )

    node: Node
    depth: int
    weight: float
    edge: str
    origin: str
    line: int
    column: int
    confidence: float
    by: int
    via: tuple[str, ...] = ()
    test: bool = False
    back: bool = False


class Linking(Record):
    """A link from a document to another: from an entry's lines, or to its document.

    `path` is that of the other document; empty if the link is unresolved. `name` is as written, empty for
    incoming links; `line` is its position in the linking file.
    """

    path: str
    line: int
    outward: bool
    name: str = ""
    TABLE = (("path", "text"), ("name", "text-"), ("line", "whole"), ("outward", "flag"))


class Taken(Record):
    """What was imported from a SCIP index: files, those that are newer, and those not indexed."""

    TABLE = ("*",)

    files: int = 0
    newer: int = 0
    unknown: int = 0


class Spoken(Record):
    """A memory that mentions the subject of an impact: an edge of the kind documents.

    Its author named the code (`origin` stated), or its text contains the name (rule, lower confidence).
    """

    id: str
    kind: str
    summary: str
    origin: str
    confidence: float
    edge: str = DOCUMENTS
    TABLE = ("id", ("type", "text", "kind"), "summary", "edge", "origin", ("confidence", "share"))


class Impact(Record):
    """The dependents or dependencies of a target.

    `candidates` are the meanings of an ambiguous name: then nothing is reached. `unresolved` are names
    that resolve to nothing in the project, with how often they occur. `stale` are files that changed
    since they were indexed, or were removed: their edges are left out, and the definitions of the removed
    ones. At least `more` nodes were left out because of the limit. `tests`: only tests were asked for.
    `run` are the reached tests as a runner takes them: path, or path::name for pytest.
    """

    target: str
    direction: str
    depth: int
    found: "tuple[Node, ...]" = ()
    candidates: "tuple[Node, ...]" = ()
    reached: "tuple[Reached, ...]" = ()
    memories: "tuple[Spoken, ...]" = ()
    unresolved: "Mapping[str, int]" = fresh(dict)
    stale: tuple[str, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()
    tests: bool = False
    run: tuple[str, ...] = ()
    TABLE = (
        ("target", "text"),
        ("direction", "text"),
        ("depth", "whole"),
        ("tests", "flag-"),
        ("found", [Node]),
        ("candidates", [Node]),
        ("reached", [Reached]),
        ("run", "texts"),
        ("memories", [Spoken]),
        ("unresolved", "counts"),
        ("stale", "texts"),
        ("more", "whole"),
        ("notes", "texts"),
    )
