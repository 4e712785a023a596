"""What breaks if a thing changes, and what it needs: breadth first over live edges. Pure."""

import os

from bowerbird.core.graph import DEPENDENTS, PLACE_BITS, RULE, Node, Reached, document_of
from bowerbird.core.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bowerbird.core.ports.graph import Graph

# How strongly an edge of each kind hangs its ends together.
WEIGHTS = {"inherits": 1.0, "calls": 1.0, "references": 0.6, "imports": 0.5, "links": 0.5}
# Nodes that one answer holds: what is reached beyond is counted. Reading ten thousand takes 60 ms.
MOST = 2_000


class Walked:
    """What was reached, in order, and the files whose edges were left out for they have changed."""

    def __init__(self) -> None:
        self.reached: list[Reached] = []
        self.stale: set[int] = set()
        self.more = 0


def reach(
    graph: "Graph",
    start: "Collection[int]",
    direction: str,
    depth: int,
    is_live: "Callable[[Sequence[int]], Mapping[int, bool]]",
    most: int = MOST,
) -> Walked:
    """The nodes that hang on some, or that they hang on, the nearest first, then the strongest.

    `is_live` tells of documents whether they are as they were indexed: the edges of others do not count.
    A file that only imports what changed is reached, but not what imports it, and what is taken for a use
    by its name alone is told, but nothing that hangs on it: it may be another one's. After `most` nodes
    nothing further away is looked for; `more` counts the others of as many steps.
    """
    into = direction == DEPENDENTS
    walked = Walked()
    seen = set(start)
    weight = dict.fromkeys(start, 1.0)
    via: dict[int, tuple[int, ...]] = dict.fromkeys(start, ())
    front = sorted(seen)
    steps: list[tuple[int, int, float, str, str, int, int]] = []
    for step in range(1, depth + 1):
        edges = graph.edges(front, into=into)
        live = is_live(sorted({document_of(edge[0]) for edge in edges}))
        best: dict[int, tuple[float, int, str, str, int]] = {}
        for source, target, kind, origin, confidence, line, _ in edges:
            if not live.get(document_of(source), False):
                walked.stale.add(document_of(source))
                continue
            here, there = (target, source) if into else (source, target)
            if there in seen:
                continue
            strength = weight[here] * WEIGHTS.get(kind, 0.5) * confidence
            if there not in best or strength > best[there][0]:
                best[there] = (strength, here, kind, origin, line)
        front = []
        for node, (strength, here, kind, origin, line) in sorted(
            best.items(), key=lambda item: (-item[1][0], item[0])
        ):
            seen.add(node)
            if len(steps) >= most:
                walked.more += 1
                continue
            weight[node] = strength
            via[node] = (*via[here], here)
            steps.append((node, step, strength, kind, origin, line, here))
            # By rule a note's link is as written; a use is guessed by its name.
            guess = origin == RULE and kind != "links"
            if not guess and (kind != "imports" or node & ((1 << PLACE_BITS) - 1)):
                front.append(node)
        if not front or walked.more:
            break
    _tell(graph, steps, via, walked)
    return walked


def _tell(
    graph: "Graph",
    steps: "list[tuple[int, int, float, str, str, int, int]]",
    via: "Mapping[int, tuple[int, ...]]",
    walked: Walked,
) -> None:
    wanted = {one for node, *_ in steps for one in (node, *via[node])}
    nodes = graph.nodes(sorted(wanted))
    for node, step, strength, kind, origin, line, here in steps:
        if node in nodes:
            way = tuple(label(nodes[one]) for one in via[node] if one in nodes)
            test = is_test(nodes[node].path)
            walked.reached.append(
                Reached(nodes[node], step, strength, kind, origin, line, here, way, test)
            )


def label(node: Node) -> str:
    """A node as people name it: ``file.py:Class.method``."""
    return (
        f"{os.path.basename(node.path)}:{node.name}" if node.name else os.path.basename(node.path)
    )
