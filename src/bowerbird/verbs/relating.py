"""Wires paths between memories and code, chains of causes, and communities."""

import os
import re

from bowerbird.code.targets import find_target
from bowerbird.core.relations import FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from bowerbird.code.ways import Key, Link, Relation, Said
    from bowerbird.core.graph import Node
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.core.ways import Communities, Leg, Point, Way
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

_ID = re.compile(r"[0-9a-f]{6,8}(-[0-9a-f-]*)?", re.IGNORECASE)
# A file with more memories than this is no evidence that any two of them are related.
_MOST_ABOUT = 20
# Members of a community that are returned.
_MEMBERS = 30


class Relating:
    """The verbs on links between memories."""

    def __init__(self, opened: "Opened", reach: "Reach", acting: "Acting") -> None:
        self._opened = opened
        self._reach = reach
        self._acting = acting

    def path(self, start: str, end: str, depth: int, *, directed: bool = False) -> "Way":
        """The path from one memory or code location to another; without an end, causes and effects.

        `directed`: only in the direction of relations, calls and imports.
        """
        from bowerbird.code.ways import chain, shortest
        from bowerbird.core.errors import BadInput
        from bowerbird.core.ways import Way
        from bowerbird.verbs.graphing import DEEPEST

        if not 1 <= depth <= DEEPEST:
            raise BadInput(f"a depth of {depth}", f"give 1 to {DEEPEST}")
        store = self._opened.reader()
        with store.reading():
            first, unclear = self._end(store, start)
            last, unclear_too = self._end(store, end) if end else (set(), [])
            if unclear or unclear_too:
                return Way(start, end, depth, candidates=tuple(unclear or unclear_too))
            field = _Field(store, self._reach)
            if not end:
                (own,) = first
                if not isinstance(own, str):
                    raise BadInput(
                        f"{start} is not a memory", "give two ends, or the id of a memory"
                    )
                depths, relations = chain(own, field.relations, depth)
                order = sorted(depths, key=lambda one: (depths[one], one))
                points = field.points(order, depths)
                legs = field.legs(order, relations)
            else:
                way = shortest(first, last, field.ahead if directed else field.neighbours, depth)
                keys = _keys(first & last, way)
                points = field.points(keys, {key: step for step, key in enumerate(keys)})
                legs = field.walked(keys, way or [])
            found = Way(start, end, depth, tuple(points), tuple(legs), stale=tuple(field.stale))
            self._acting.hand(found.trusts)
        return found.replace(notes=tuple(self._reach.notes()))

    def communities(self, limit: int) -> "Communities":
        """Groups of memories linked by relations and shared files."""
        from bowerbird.code.ways import communities, modularity
        from bowerbird.core.graph import RULE
        from bowerbird.core.types import MEMORY
        from bowerbird.core.ways import Communities, Community

        store = self._opened.reader()
        with store.reading():
            field = _Field(store, self._reach)
            edges = field.edges()
            groups = communities(edges)
            listed = []
            for group in groups[:limit]:
                order = group[:_MEMBERS]
                inside = [
                    (*pair, "related", weight, RULE)
                    for pair, weight in edges.items()
                    if {*pair} <= {*order}
                ]
                points = field.points(order, dict.fromkeys(order, 0))
                listed.append(Community(points, field.legs(order, inside)))
            active = store.entries.active().items()
            total = sum(
                n for (uid, family, _), n in active if family == MEMORY and uid in field.seen
            )
            alone = max(0, total - sum(map(len, groups)))
            sure = modularity(edges, groups)
            found = Communities(tuple(listed), sure, alone, max(0, len(groups) - limit))
            self._acting.hand(found.trusts)
        return found.replace(notes=tuple(self._reach.notes()))

    def _end(self, store: "Store", target: str) -> "tuple[set[Key], Sequence[Node]]":
        """The memory with that id, or the code node of that name; or candidates if it is ambiguous."""
        from bowerbird.core.errors import BadInput, NotFound
        from bowerbird.core.ids import named
        from bowerbird.core.types import MEMORY

        if _ID.fullmatch(target.strip()):
            bounds = self._reach.bounds
            try:
                entry = named(target, lambda start: store.entries.get(start, bounds), None)
            except (BadInput, NotFound):
                if "-" in target:
                    raise
            else:
                if entry.family == MEMORY:
                    return {entry.id}, []
                target = entry.path or target
        nodes, candidates = find_target(store, target, self._reach.seen)
        return {one.id for one in nodes}, candidates


def _keys(same: "set[Key]", way: "list[Link] | None") -> "list[Key]":
    if way is None:
        return []
    return [way[0][0], *(link[1] for link in way)] if way else sorted(same, key=str)[:1]


def _link(
    here: "Key", there: "Key", kind: str, strength: float, said: "Said", *, forward: bool = True
) -> "Link":
    return here, there, kind, forward, strength, said


class _Field:
    """The graph of the visible projects: relations and anchors are loaded at once, code on demand."""

    def __init__(self, store: "Store", reach: "Reach") -> None:
        self._store = store
        self._graph = store.documents.graph
        self.seen = reach.seen
        from bowerbird.code.live_files import LiveFiles
        from bowerbird.core.graph import RULE, STATED

        self.relations = [
            (source, target, kind, strength, RULE if by_rule else STATED)
            for source, target, kind, strength, by_rule in store.relations.among(self.seen)
        ]
        self._files = LiveFiles(self._graph)
        here = reach.project
        roots = {one.uid: one.root for one in store.projects.all()} | {here.uid: here.root}
        self._about: dict[str, list[tuple[str, str]]] = {}
        self._of: dict[str, list[tuple[str, str]]] = {}
        for uid, path, name, project in store.relations.tied(self.seen):
            whole = path.removeprefix(FILE)
            if not os.path.isabs(whole):
                whole = os.path.join(roots.get(project) or "", whole)
            self._about.setdefault(uid, []).append((whole, name))
            self._of.setdefault(whole, []).append((uid, name))
        self._beside: dict[str, list[Link]] = {}
        for source, target, kind, strength, origin in self.relations:
            said = (kind, strength, (origin, "", 0, 0))
            self._beside.setdefault(source, []).append(_link(source, target, *said))
            self._beside.setdefault(target, []).append(_link(target, source, *said, forward=False))
        self._stale: set[int] = set()

    @property
    def stale(self) -> list[str]:
        """The files that were left out because they changed since indexing."""
        return sorted(self._files.path(one) for one in self._stale)

    def neighbours(self, front: "Sequence[Key]") -> "Iterator[Link]":
        """Yields the links of some points."""
        from bowerbird.core.graph import DOCUMENTS, STATED

        about = (DOCUMENTS, 1.0, (STATED, "", 0, 0))
        for one in front:
            if isinstance(one, str):
                yield from self._beside.get(one, ())
                for path, name in self._about.get(one, ()):
                    for node in self._graph.at(path, name, self.seen)[:1]:
                        yield _link(one, node.id, *about)
        yield from self._of_code([one for one in front if not isinstance(one, str)])

    def ahead(self, front: "Sequence[Key]") -> "Iterator[Link]":
        """Yields the links that lead from some points, not those that lead to them."""
        return (link for link in self.neighbours(front) if link[3])

    def _of_code(self, nodes: "list[int]") -> "Iterator[Link]":
        from bowerbird.core.graph import DOCUMENTS, STATED

        if not nodes:
            return
        yield from self._said(nodes, into=True)
        yield from self._said(nodes, into=False)
        for id, node in self._graph.nodes(nodes).items():
            for uid, name in self._of.get(node.path, ()):
                if name == node.name:
                    yield _link(id, uid, DOCUMENTS, 1.0, (STATED, "", 0, 0), forward=False)
        yield from self._contained(nodes)

    def _said(self, nodes: "list[int]", *, into: bool) -> "Iterator[Link]":
        """Edges whose source is unchanged since indexing and whose target still exists."""
        from bowerbird.code.impact import WEIGHTS, kind_of
        from bowerbird.core.graph import document_of

        edges = self._graph.edges(nodes, into=into)
        live = self._files.of_nodes(end for edge in edges for end in edge[:2])
        says = {one for one, is_live in live.items() if is_live}
        stands = {one for one, is_live in live.items() if is_live is not None}
        for source, target, kind, origin, confidence, line, column, _ in edges:
            away = {document_of(source)} - says | {document_of(target)} - stands
            if away:
                self._stale |= away
                continue
            here, there = (target, source) if into else (source, target)
            paths = [self._files.path(document_of(end)) for end in (source, target)]
            strength = WEIGHTS.get(kind, 0.5) * confidence
            said = (kind_of(kind, *paths), strength, (origin, paths[0], line, column))
            yield _link(here, there, *said, forward=not into)

    def _contained(self, nodes: "list[int]") -> "Iterator[Link]":
        """Containers and members of nodes, for files unchanged since indexing."""
        from bowerbird.code.impact import WEIGHTS
        from bowerbird.core.graph import AST, CONTAINS, document_of

        live = self._files.of_nodes(nodes)
        self._stale |= {one for one, is_live in live.items() if not is_live}
        nodes = [one for one in nodes if live.get(document_of(one))]
        # Being in the same file is a weak reason.
        weak = WEIGHTS[CONTAINS]
        pairs = [
            (contained, holder, False) for contained, holder in self._graph.holders(nodes).items()
        ]
        for id in nodes:
            inside = self._graph.holders(self._graph.within(id)).items()
            pairs += [(id, contained, True) for contained, by in inside if by == id]
        containers = self._graph.nodes([there if down else here for here, there, down in pairs])
        for here, there, down in pairs:
            inner = containers[there if down else here]
            location = (AST, inner.path, inner.start_line, 0)
            yield _link(here, there, CONTAINS, weak, location, forward=down)

    def edges(self) -> dict[tuple[str, str], float]:
        """The weight between pairs of memories: relations, and files that several are about."""
        edges: dict[tuple[str, str], float] = {}
        pairs = [(source, target, weight) for source, target, _, weight, _ in self.relations]
        for path, some in self._of.items():
            del path
            about = sorted({uid for uid, _ in some})
            if 1 < len(about) <= _MOST_ABOUT:
                # Each shares one connection with all others (Newman, 2001).
                share = 1.0 / (len(about) - 1)
                pairs += [(a, b, share) for at, a in enumerate(about) for b in about[at + 1 :]]
        for one, other, weight in pairs:
            if one != other and weight > 0:
                pair = (min(one, other), max(one, other))
                edges[pair] = edges.get(pair, 0.0) + weight
        return edges

    def points(self, keys: "Sequence[Key]", depths: "Mapping[Any, int]") -> "list[Point]":
        """Nodes in the form in which they are returned."""
        from bowerbird.core.ways import Point

        ids = [one for one in keys if isinstance(one, str)]
        entries = {one.id: one for one in self._store.entries.named(ids, self.seen)}
        nodes = self._graph.nodes([one for one in keys if not isinstance(one, str)])
        points = []
        for key in keys:
            if isinstance(key, str):
                entry: Entry | None = entries.get(key)
                said = (entry.summary or entry.text) if entry is not None else ""
                kind, trust = (entry.kind, entry.trust) if entry is not None else ("memory", "low")
                points.append(Point(key, kind, said, depth=depths[key], trust=trust))
            else:
                node = nodes[key]
                location = (node.path, node.start_line)
                points.append(Point("", node.kind, node.name, *location, depth=depths[key]))
        return points

    @staticmethod
    def legs(keys: "Sequence[Key]", relations: "Iterable[Relation]") -> "list[Leg]":
        """Relations, by the positions of their ends."""
        from bowerbird.core.ways import Leg

        indexes = {key: index for index, key in enumerate(keys)}
        return [Leg(indexes[one[0]], indexes[one[1]], *one[2:]) for one in relations]

    @staticmethod
    def walked(keys: "Sequence[Key]", way: "list[Link]") -> "list[Leg]":
        """The steps of a path, each in the direction of its relation."""
        from bowerbird.core.ways import Leg

        indexes = {key: index for index, key in enumerate(keys)}
        legs = []
        for here, there, kind, forward, strength, said in way:
            source, target = (here, there) if forward else (there, here)
            legs.append(Leg(indexes[source], indexes[target], kind, strength, *said))
        return legs
