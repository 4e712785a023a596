"""The graph of code as it is kept."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from bowerbird.core.graph import Edge, Linking, Node
from bowerbird.core.outline import Outline


class Graph(Protocol):
    """Keeps outlines, nodes and edges by document. Knows nothing of languages or of what names mean."""

    def put(self, document: int, path: str, outline: Outline, before: Iterable[str]) -> None:
        """Write down a new document's outline; `before`: names that stood there before."""
        ...

    def waiting(self) -> dict[int, list[int]]:
        """The documents whose edges are to be resolved, by project."""
        ...

    def undrawn(self) -> list[tuple[int, str, bytes, str]]:
        """Files without an outline of today: document, path, hash and reader."""
        ...

    def forget(self, document: int | None = None) -> None:
        """Take out what is drawn of a document, or of all."""
        ...

    def paths(self, project: int, *, code: bool) -> dict[int, str]:
        """The path of each document of a project that has an outline: of code, or of any file."""
        ...

    def outline(self, document: int) -> Outline | None:
        """What a document says of itself."""
        ...

    def resolve(self, document: int, edges: Sequence[Edge]) -> None:
        """Put a document's edges in the place of those that it had."""
        ...

    def tell(self, document: int, text: bytes) -> None:
        """Keep what another tool's index says of a document's names."""
        ...

    def scip_index(self, document: int) -> bytes | None:
        """What another tool's index says of a document's names, if any does."""
        ...

    def at(self, path: str, name: str, projects: Sequence[str] | None) -> list[Node]:
        """The nodes at a path or its end with a name or its end."""
        ...

    def within(self, node: int) -> list[int]:
        """A node with all that stands in it."""
        ...

    def called(self, name: str, project: int) -> list[Node]:
        """The definitions of a project that have a name, or whose qualified one ends in it."""
        ...

    def holders(self, nodes: Sequence[int]) -> dict[int, int]:
        """What each definition stands in: a class, a function, a module, or the file."""
        ...

    def folders(self, end: str, projects: Sequence[str] | None) -> list[str]:
        """The outermost folders with drawn files whose path is this or ends in it."""
        ...

    def strongest(
        self,
        front: Sequence[tuple[int, float, bool]],
        weights: Mapping[str, float],
        without: tuple[Collection[int], Collection[int]],
        most: int,
        *,
        into: bool,
    ) -> tuple[
        list[tuple[float, int, tuple[int, int, str, str, float, int, int, int]]], int, list[int]
    ]:
        """The nodes that edges of a front lead to, by their strongest; how many, of which documents."""
        ...

    def kinds(self, projects: Sequence[str]) -> dict[str, int]:
        """How many edges of some projects lead somewhere, by their kinds as they are told."""
        ...

    def below(self, folder: str, projects: Sequence[str] | None) -> list[int]:
        """The documents in a folder, and in those below it, that are drawn."""
        ...

    def edges(
        self, nodes: Sequence[int], *, into: bool, kind: str | None = None
    ) -> list[tuple[int, int, str, str, float, int, int, int]]:
        """Edges that lead somewhere: source, target, kind, origin, confidence, line, column, count."""
        ...

    def links(self, document: int, first: int, last: int, most: int) -> list[Linking]:
        """What some lines of a document lead to, then what leads to it."""
        ...

    def unresolved(self, nodes: Sequence[int]) -> dict[str, int]:
        """Names that some nodes say and that lead to nothing, with how often."""
        ...

    def nodes(self, ids: Sequence[int]) -> dict[int, Node]:
        """Nodes by their ids."""
        ...

    def states(self, documents: Sequence[int]) -> dict[int, tuple[str, int, int]]:
        """Path, size and modified time of documents as they were indexed."""
        ...

    def totals(self) -> tuple[int, int]:
        """How many nodes there are, and edges that lead somewhere."""
        ...

    def hubs(self, most: int) -> list[int]:
        """The nodes that most edges lead to."""
        ...

    def unresolved_documents(self, projects: Sequence[str]) -> int:
        """How many documents of some projects have edges that wait."""
        ...
