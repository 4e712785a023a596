"""Which indexed files are unchanged since indexing: only then do the positions of their nodes hold."""

import os

from bowerbird.core.graph import document_of
from bowerbird.host.foreign import is_unchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bowerbird.core.ports.graph import Graph


class LiveFiles:
    """Checks each document's file once, by size and time."""

    def __init__(self, graph: "Graph") -> None:
        self._graph = graph
        self._live: dict[int, bool | None] = {}
        self._paths: dict[int, str] = {}

    def live(self, documents: "Sequence[int]") -> "Mapping[int, bool | None]":
        """The state of the given documents: True if unchanged; None if the file no longer exists."""
        new = [one for one in documents if one not in self._live]
        for document, (path, size, modified) in self._graph.states(new).items():
            self._paths[document] = path
            live = is_unchanged(path, size, modified)
            self._live[document] = live if live or os.path.lexists(path) else None
        return {one: self._live[one] for one in documents if one in self._live}

    def of_nodes(self, nodes: "Iterable[int]") -> "Mapping[int, bool | None]":
        """The state of the documents that contain some nodes."""
        return self.live(sorted({document_of(node) for node in nodes}))

    def path(self, document: int) -> str:
        """The path of a document's file, existing or not."""
        self.live([document])
        return self._paths.get(document, "")
