"""The port to the stored graph of code."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from bowerbird.core.graph import Edge, Linking, Node
from bowerbird.core.outline import Outline


class Graph(Protocol):
    """Stores outlines, nodes and edges by document. Knows nothing of languages or of resolving names."""

    def put(self, document: int, path: str, outline: Outline, before: Iterable[str]) -> None:
        """Store a new document's outline; `before`: the names that its previous version defined."""
        ...

    def waiting(self) -> dict[int, list[int]]:
        """The documents whose edges have to be resolved, by project."""
        ...

    def undrawn(self) -> list[tuple[int, str, bytes, str]]:
        """Files without an outline of the current version: document, path, hash and reader."""
        ...

    def forget(self, document: int | None = None) -> None:
        """Delete the outline, nodes and edges of a document, or of all."""
        ...

    def paths(self, project: int, *, code: bool) -> dict[int, str]:
        """The path of each document of a project that has an outline: of code, or of any file."""
        ...

    def outline(self, document: int, *, uses: bool = True) -> Outline | None:
        """The outline of a document, or what of it is not uses; None if there is none."""
        ...

    def resolve(self, document: int, edges: Sequence[Edge], lookups: bytes | None) -> None:
        """Replace a document's edges, which are resolved then, and what that asked of other files."""
        ...

    def put_scip(self, document: int, text: bytes) -> None:
        """Store a SCIP index of a document's names."""
        ...

    def scip_index(self, document: int) -> bytes | None:
        """The SCIP index of a document's names; None if there is none."""
        ...

    def at(self, path: str, name: str, projects: Sequence[str] | None) -> list[Node]:
        """The nodes at a path or path suffix, with a qualified name or its suffix."""
        ...

    def within(self, node: int) -> list[int]:
        """A node with all nodes that it contains."""
        ...

    def called(self, name: str, project: int) -> list[Node]:
        """The definitions of a project with a name, or with a qualified name that ends in it."""
        ...

    def leading(self, document: int, outline: Outline) -> tuple[set[str], dict[int, list[int]]]:
        """What changes for others when `outline` replaces that of a document.

        The names of which they may see something else, and the edges from them that still lead to each
        definition, in order.
        """
        ...

    def lead(self, document: int, leading: dict[int, list[int]]) -> None:
        """Let edges from other files lead to the new version of a document."""
        ...

    def unresolve(self, project: int, lookups: Iterable[int]) -> None:
        """Let the documents of a project wait for which a lookup may have another answer now."""
        ...

    def functions(self, name: str, project: int) -> list[tuple[int, int]]:
        """The functions and methods of a name in a project's code: document and place in its outline.

        Of a name that very many have, only some.
        """
        ...

    def holders(self, nodes: Sequence[int]) -> dict[int, int]:
        """The container of each definition: a class, a function, a module, or the file."""
        ...

    def folders(self, end: str, projects: Sequence[str] | None) -> list[str]:
        """The outermost folders with outlined files whose path is `end` or ends in it."""
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
        """The nodes that a frontier's edges lead to, by strongest edge; their number; the documents."""
        ...

    def sources(self, projects: Sequence[str]) -> dict[int, str]:
        """The path of each document with code of some projects."""
        ...

    def between(self, projects: Sequence[str]) -> list[tuple[int, int, int]]:
        """What the files of some projects use, guesses apart: document, node, and how often."""
        ...

    def kinds(self, projects: Sequence[str]) -> dict[str, int]:
        """How many resolved edges some projects have, by kind as reported."""
        ...

    def below(self, folder: str, projects: Sequence[str] | None) -> list[int]:
        """The outlined documents in a folder and below it."""
        ...

    def edges(
        self, nodes: Sequence[int], *, into: bool, kind: str | None = None
    ) -> list[tuple[int, int, str, str, float, int, int, int]]:
        """Resolved edges: source, target, kind, origin, confidence, line, column, count."""
        ...

    def links(self, document: int, first: int, last: int, most: int) -> list[Linking]:
        """Links in some lines of a document, then links to the document."""
        ...

    def unresolved(self, nodes: Sequence[int]) -> dict[str, int]:
        """Unresolved names in some nodes, with how often they occur."""
        ...

    def nodes(self, ids: Sequence[int]) -> dict[int, Node]:
        """Nodes by their ids."""
        ...

    def states(self, documents: Sequence[int]) -> dict[int, tuple[str, int, int]]:
        """Path, size and modified time of documents as they were indexed."""
        ...

    def totals(self) -> tuple[int, int]:
        """The number of nodes, and of resolved edges."""
        ...

    def hubs(self, most: int) -> list[int]:
        """The nodes with the most incoming edges."""
        ...
