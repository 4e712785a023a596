"""Ranks definitions by how much of the code uses them, as a map within a budget of tokens."""

from bowerbird.core.code_map import MappedFile, Symbol
from bowerbird.core.graph import document_of, index_of
from bowerbird.core.outline import MODULE
from bowerbird.core.text import count_tokens
from bowerbird.host.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bowerbird.core.graph import Node
    from bowerbird.core.ports.graph import Graph

# The share of a file's weight that it hands on to what it uses (Page and others, 1999), and the rounds
# after which weights change no more in their third digit: Django's settle in 12.
_HANDED_ON = 0.85
_ROUNDS = 20
# Definitions whose place is looked up, heaviest first: a line of a map takes ten tokens.
_MOST = 5_000


class Ranking:
    """The weights of files and definitions. A link is a using document, the node it uses, how often."""

    def __init__(
        self, documents: "Collection[int]", links: "Iterable[tuple[int, int, int]]"
    ) -> None:
        self._into: dict[int, list[tuple[int, int]]] = {}
        self._out: dict[int, int] = {}
        between: dict[tuple[int, int], int] = {}
        for document, node, count in links:
            home = document_of(node)
            if document == home or document not in documents or home not in documents:
                continue
            self._into.setdefault(node, []).append((document, count))
            self._out[document] = self._out.get(document, 0) + count
            between[document, home] = between.get((document, home), 0) + count
        self.files = self._settled(documents, between)

    def _settled(
        self, documents: "Collection[int]", between: "Mapping[tuple[int, int], int]"
    ) -> dict[int, float]:
        """The weight of each file: PageRank over what uses what."""
        alone = 1 / max(1, len(documents))
        weights = dict.fromkeys(documents, alone)
        for _ in range(_ROUNDS):
            kept = sum(weight for one, weight in weights.items() if one not in self._out)
            base = (1 - _HANDED_ON + _HANDED_ON * kept) * alone
            after = dict.fromkeys(documents, base)
            for (source, target), count in between.items():
                after[target] += _HANDED_ON * weights[source] * count / self._out[source]
            weights = after
        return weights

    def definitions(self) -> list[tuple[float, int]]:
        """The used definitions with what their users hand on to them, heaviest first."""
        found = [
            (sum(self.files[one] * count / self._out[one] for one, count in users), node)
            for node, users in self._into.items()
            if index_of(node) != MODULE
        ]
        return sorted(found, key=lambda one: (-one[0], one[1]))


def mapped(
    graph: "Graph", projects: "Sequence[str]", folder: str, budget: int
) -> tuple[list[MappedFile], int, int]:
    """The heaviest definitions that fit into a budget of tokens, by file; their tokens; how many do not.

    Tests are neither ranked nor listed. `folder` restricts what is listed, not what counts.
    """
    paths = {one: path for one, path in graph.sources(projects).items() if not is_test(path)}
    ranking = Ranking(paths.keys(), graph.between(projects))
    order = [one for one in ranking.definitions() if paths[document_of(one[1])].startswith(folder)]
    nodes = graph.nodes([node for _, node in order[:_MOST]])
    taken: dict[int, list[Node]] = {}
    tokens = 0
    for count, (_, id) in enumerate(order[:_MOST]):
        document, node = document_of(id), nodes[id]
        own = count_tokens(_line(node)) + (document not in taken) * count_tokens(node.path)
        if tokens + own > budget:
            return _by_file(taken, ranking, paths), tokens, len(order) - count
        tokens += own
        taken.setdefault(document, []).append(node)
    return _by_file(taken, ranking, paths), tokens, max(0, len(order) - _MOST)


def _line(node: "Node") -> str:
    return f"  {node.kind} {node.name}  {node.start_line}\n"


def size(nodes: "Iterable[Node]") -> int:
    """The tokens of definitions as lines of a map."""
    return sum(count_tokens(_line(one)) for one in nodes)


def _by_file(
    taken: "Mapping[int, Sequence[Node]]", ranking: Ranking, paths: "Mapping[int, str]"
) -> list[MappedFile]:
    order = sorted(taken, key=lambda one: (-ranking.files[one], paths[one]))
    return [MappedFile(paths[one], ranking.files[one], tuple(symbols(taken[one]))) for one in order]


def symbols(nodes: "Iterable[Node]") -> list[Symbol]:
    """Definitions in the order of their lines, those around others first."""
    order = sorted(nodes, key=lambda one: (one.start_line, -one.end_line, one.id))
    return [Symbol(one.name, one.kind, one.start_line, one.end_line) for one in order]
