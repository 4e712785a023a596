"""Finds every line that uses a definition."""

from itertools import groupby

from bowerbird.core.graph import OVERRIDES, document_of, index_of
from bowerbird.core.usages import Usage, UsingFile
from bowerbird.host.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.code.live_files import LiveFiles
    from bowerbird.core.graph import Node
    from bowerbird.core.outline import Import, Outline
    from bowerbird.core.ports.graph import Graph

    # Source, target, kind, origin, confidence, line, column and count of an edge.
    Row = tuple[int, int, str, str, float, int, int, int]


class Usages:
    """The uses of some definitions: edges into them, those of files that changed left out.

    An edge has the first line and a count; the other lines are read from the outline of its file, of as
    many files as are listed.
    """

    def __init__(self, graph: "Graph", nodes: "Sequence[int]", files: "LiveFiles") -> None:
        self._graph = graph
        rows = [row for row in graph.edges(nodes, into=True) if row[2] != OVERRIDES]
        live = files.of_nodes(row[0] for row in rows)
        self.stale = {one for one, state in live.items() if not state}
        self._rows = [row for row in rows if live.get(document_of(row[0]))]
        self._sources = graph.nodes(sorted({row[0] for row in self._rows}))

    @property
    def total(self) -> int:
        """How many uses there are."""
        return sum(row[7] for row in self._rows)

    def listed(self, limit: int) -> "list[UsingFile]":
        """The first uses by file: tests after all others, else by path."""
        found: list[UsingFile] = []
        rows = sorted((row for row in self._rows if row[0] in self._sources), key=self._order)
        for document, some in groupby(rows, key=lambda row: document_of(row[0])):
            if limit <= 0:
                break
            usages = sorted(self._of_file(document, list(some)), key=lambda one: one.line)[:limit]
            limit -= len(usages)
            path = self._source(document).path
            found.append(UsingFile(path, tuple(usages), is_test(path)))
        return found

    def _source(self, document: int) -> "Node":
        return next(one for id, one in self._sources.items() if document_of(id) == document)

    def _order(self, row: "Row") -> "tuple[bool, str, int]":
        path = self._sources[row[0]].path
        return is_test(path), path, row[0]

    def _of_file(self, document: int, rows: "Sequence[Row]") -> "Iterator[Usage]":
        several = any(row[7] > 1 for row in rows)
        outline = self._graph.outline(document) if several else None
        for row in rows:
            name = self._sources[row[0]].name
            lines = [row[5]] if outline is None or row[7] == 1 else _lines(outline, row)
            for line in lines:
                yield Usage(line, row[2], name, row[4], row[3])


def _lines(outline: "Outline", row: "Row") -> list[int]:
    """The lines of an edge: where its chain is used, then where others that end in the same name are."""
    owner, kind, line, column, count = index_of(row[0]), row[2], row[5], row[6], row[7]
    if kind == "imports":
        brought = next(
            (one for one in outline.imports if (one.line, one.column) == (line, column)), None
        )
        alike = [one.line for one in outline.imports if brought and _alike(one, brought)]
        return alike[:count] or [line]
    uses = [one for one in outline.uses if one.owner == owner and one.kind == kind]
    first = next((one for one in uses if (one.line, one.column) == (line, column)), None)
    if first is None:
        return [line]
    same = [one for one in uses if one.chain == first.chain]
    name = first.chain.rpartition(".")[2]
    like = [
        one for one in uses if one.chain != first.chain and one.chain.rpartition(".")[2] == name
    ]
    return [one.line for one in (same + like)[:count]]


def _alike(one: "Import", other: "Import") -> bool:
    """Whether two imports bring the same into the same scope."""
    return (one.scope, one.module, one.name) == (other.scope, other.module, other.name)
