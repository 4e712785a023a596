"""Impact: what depends on a target and what it depends on, breadth first over live edges. Pure."""

import os
from heapq import nsmallest

from bowerbird.core.graph import (
    AST,
    CONTAINS,
    DEPENDENTS,
    INDEX_BITS,
    OVERRIDES,
    RULE,
    TESTS,
    Node,
    Reached,
    document_of,
)
from bowerbird.core.value import Value
from bowerbird.host.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bowerbird.code.live_files import LiveFiles
    from bowerbird.core.ports.graph import Graph

    # Source, target, kind, origin, confidence, line, column and count.
    Row = tuple[int, int, str, str, float, int, int, int]

# The strength of an edge of each kind.
WEIGHTS = {
    "inherits": 1.0, "calls": 1.0, "references": 0.6, "imports": 0.5, "links": 0.5, "overrides": 0.5,
    "contains": 0.3, "documents": 0.3,
}  # fmt: skip
# Maximum nodes of an answer; nodes beyond are only counted. Reading ten thousand takes 60 ms.
MOST = 2_000
# The file of pytest's fixtures, which has no tests itself.
_FIXTURES = "conftest.py"
_INDEX = (1 << INDEX_BITS) - 1
# Edges of these kinds from a test to other code become `tests`.
_TRIED = frozenset(("calls", "references"))


class Hop(Value):
    """How a node was reached: from which node, with what strength, over which edge."""

    __slots__ = (
        "back",
        "by",
        "column",
        "confidence",
        "depth",
        "kind",
        "line",
        "node",
        "origin",
        "strength",
    )

    def __init__(
        self, node: int, by: int, depth: int, strength: float, row: "Row", *, back: bool = False
    ) -> None:
        self.node = node
        self.by = by
        self.depth = depth
        self.strength = strength
        _, _, self.kind, self.origin, self.confidence, self.line, self.column, _ = row
        self.back = back

    @property
    def goes_on(self) -> bool:
        """Whether the search continues from this node.

        Not from a file that only imports what changed, nor from a text that links to it, nor over a use
        that was matched by name alone, because it may refer to another definition.
        """
        if self.origin == RULE and self.kind != "links":
            return False
        return self.kind != "imports" or bool(self.node & _INDEX)


class Walked:
    """The reached nodes in order, and the changed files whose edges were left out."""

    def __init__(self) -> None:
        self.reached: list[Reached] = []
        self.stale: set[int] = set()
        self.more = 0


class GraphWalk:
    """A breadth-first search from nodes to their dependents or dependencies, one step at a time."""

    def __init__(self, graph: "Graph", direction: str, files: "LiveFiles") -> None:
        """The edges of files that changed since indexing are left out."""
        self._graph = graph
        self._into = direction == DEPENDENTS
        self._files = files
        self.stale: set[int] = set()

    def next(
        self, front: "Collection[Hop]", depth: int, seen: "set[int]", most: int
    ) -> tuple[list[Hop], int]:
        """The nodes one edge away, strongest first, and how many were left out.

        Each node has its strongest edge. Returns at most `most` nodes and adds those found to `seen`.
        """
        strong = {one.node: one.strength for one in front}
        # From an overriding method the search goes to the base method but not on to its other overrides,
        # and not back.
        turned = {one.node for one in front if one.back}
        straight = {one.node for one in front if one.kind == OVERRIDES and not one.back}
        into, nodes = self._into, [*strong]
        ends = [(one, strength, one in turned) for one, strength in strong.items()]
        # At least one, because the query returns the count with its rows.
        found, count = self._strongest(ends, seen, max(1, most))
        best = {node: (strength, row, False) for strength, node, row in found}
        for row in self._behind([one for one in nodes if one not in straight]):
            here, there = row[:2] if into else row[1::-1]
            strength = strong[here] * WEIGHTS[OVERRIDES] * row[4]
            if there not in seen and (there not in best or strength > best[there][0]):
                count += there not in best
                best[there] = (strength, row, True)
        first = nsmallest(most, best.items(), key=lambda item: (-item[1][0], item[0]))
        steps = []
        for node, (strength, row, back) in first:
            by = row[0] if (row[1] == node) else row[1]
            steps.append(Hop(node, by, depth, strength, row, back=back))
        seen.update(best)
        left = count - len(steps)
        return (steps if into else self._with_target(steps)), left

    def _strongest(
        self, ends: "list[tuple[int, float, bool]]", seen: "set[int]", most: int
    ) -> "tuple[list[tuple[float, int, Row]], int]":
        """The strongest live edges from some nodes, and the number of nodes that they reach."""
        if not self._into:
            self._look(self._files.of_nodes(one for one, *_ in ends))
        while True:
            left_out = self.stale, seen
            found, count, says = self._graph.strongest(
                ends, WEIGHTS, left_out, most, into=self._into
            )
            # Files rarely change, and checking before the query would read all edges twice. The loop ends
            # because a changed document, that of the edges' sources, is excluded from the next query.
            if not self._into or not self._look(self._files.live(sorted({*says}))):
                return found, count

    def _look(self, live: "Mapping[int, bool | None]") -> "Mapping[int, bool | None]":
        """The documents among these that changed since indexing; they are added to `stale`."""
        changed = {document: is_live for document, is_live in live.items() if not is_live}
        self.stale.update(changed)
        return changed

    def _with_target(self, steps: "list[Hop]") -> "list[Hop]":
        """The steps whose target still exists.

        An edge's source may be unchanged when its target was deleted.
        """
        changed = self._look(self._files.of_nodes(one.node for one in steps))
        return [one for one in steps if changed.get(document_of(one.node), True) is not None]

    def _behind(self, nodes: "list[int]") -> "Iterator[Row]":
        """The live edges to the methods that some override, or from those that override them."""
        rows = self._graph.edges(nodes, into=not self._into, kind=OVERRIDES)
        live = self._files.of_nodes(row[0] for row in rows)
        for row in rows:
            if live.get(document_of(row[0]), False):
                yield row
            else:
                self.stale.add(document_of(row[0]))


def reach(
    graph: "Graph",
    start: "Collection[int]",
    direction: str,
    depth: int,
    files: "LiveFiles",
    most: int = MOST,
) -> Walked:
    """The dependents or dependencies of some nodes, nearest first, then strongest.

    The search ends after the step in which `most` nodes are reached; `more` counts the others at that
    depth.
    """
    walked, walk = Walked(), GraphWalk(graph, direction, files)
    walked.stale = walk.stale
    seen = set(start)
    steps: dict[int, Hop] = {}
    nothing: Row = (0, 0, "", "", 1.0, 0, 0, 0)
    front = [Hop(one, one, 0, 1.0, nothing) for one in sorted(seen)]
    for step in range(1, depth + 1):
        reached, walked.more = walk.next(front, step, seen, most - len(steps))
        steps |= {one.node: one for one in reached}
        front = [one for one in reached if one.goes_on]
        if not front or walked.more:
            break
    walked.reached = list(_reached(graph, steps, direction))
    return walked


def _reached(graph: "Graph", steps: "Mapping[int, Hop]", direction: str) -> "Iterator[Reached]":
    wanted = {end for one in steps.values() for end in (one.node, one.by)}
    nodes = graph.nodes(sorted(wanted))
    for one in steps.values():
        node, by = nodes.get(one.node), nodes.get(one.by)
        if node is None or by is None:
            continue
        way: list[str] = []
        before: Hop | None = one
        while before is not None:
            way.append(label(nodes[before.by]) if before.by in nodes else "")
            before = steps.get(before.by)
        ends = (node, by) if direction == DEPENDENTS else (by, node)
        yield Reached(
            node,
            one.depth,
            one.strength,
            kind_of(one.kind, *(end.path for end in ends)),
            one.origin,
            one.line,
            one.column,
            one.confidence,
            one.by,
            tuple(filter(None, reversed(way))),
            is_test(node.path),
            one.back,
        )


def to_run(reached: "Iterable[Reached]") -> list[str]:
    """The tests among the reached nodes, as pytest names them; of other languages their files."""
    files: dict[str, list[str]] = {}
    for one in reached:
        if one.test:
            files.setdefault(one.node.path, []).append(one.node.name)
    found = []
    for path, names in sorted(files.items()):
        tests = [name for name in names if name.rpartition(".")[2].startswith("test")]
        if not tests and os.path.basename(path) == _FIXTURES:
            continue  # it holds fixtures, which run with the tests that take them
        if tests and path.endswith(".py"):
            found += [f"{path}::{name.replace('.', '::')}" for name in sorted(tests)]
        else:
            found.append(path)
    return found


def kind_of(kind: str, source: str, target: str) -> str:
    """The kind of an edge between two paths: `tests` for calls and references from tests to code."""
    return TESTS if kind in _TRIED and is_test(source) and not is_test(target) else kind


def contained(nodes: "Iterable[tuple[Node, Node]]", *, inward: bool) -> "Iterator[Reached]":
    """The containers of nodes, or (`inward`) their contents, from pairs of container and content."""
    for holder, contained in nodes:
        node, by = (contained, holder) if inward else (holder, contained)
        sure, said = (WEIGHTS[CONTAINS], CONTAINS, AST), (contained.start_line, 0, 1.0)
        yield Reached(node, 1, *sure, *said, by.id, (label(by),), is_test(node.path))


def label(node: Node) -> str:
    """The displayed name of a node: ``file.py:Class.method``."""
    base = os.path.basename(node.path)
    return f"{base}:{node.name}" if node.name else base
