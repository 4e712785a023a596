"""Wires the code graph: extracts missing outlines, resolves pending edges, and answers queries."""

import os

from bowerbird.core.value import Advice, Do
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.core.anchors import Strayed
    from bowerbird.core.graph import Impact, Node, Reached, Spoken, Taken
    from bowerbird.core.ports.store import Store
    from bowerbird.ingest.linking import Linking

# Most bytes of a SCIP index; CPython's has 60 MB.
_MOST_INDEX = 1 << 30
# Documents whose edges are written in one transaction, which takes some tenths of a second.
_BATCH = 200
# Memories that are returned with an impact.
_MEMORIES = 5
# Confidence that a memory which contains a name is about the code of that name.
_NAMED = 0.5
# Extensions tried for a module that is given by its import name.
_MODULES = (".py", ".ts", ".js", ".rs")
# The default number of reached nodes that are returned.
MOST_LISTED = 500
# Maximum depth: at more steps almost everything is connected.
DEEPEST = 10


class Graphing(Verbs):
    """The verbs on the code graph."""

    def bring(self, *, again: bool = False) -> int:
        """Extracts missing outlines and resolves pending edges. Returns the number of documents.

        With `again` it extracts all outlines. Skips files that differ from what was indexed. Raises
        StoreMissing.
        """
        from bowerbird.ingest.outlines import redraw
        from bowerbird.wiring.reach import allowed

        self._opened.require()
        store = self._acting.writer()
        if again:
            with store.transaction():
                store.documents.graph.forget()
        redraw(store, self._config["index.max_megabytes"] * 1_000_000, allowed(self._config))
        return resolve_waiting(store)

    def take(self, path: str) -> "Taken":
        """Imports the definitions and references of a SCIP index for the indexed files.

        Files newer than the SCIP index keep their own outline. Raises BadInput and StoreMissing.
        """
        from bowerbird.core.errors import BadInput
        from bowerbird.core.foreign import whole
        from bowerbird.core.graph import Taken
        from bowerbird.graph.scip import packed, read

        try:
            made, index = os.stat(path).st_mtime_ns // 1_000_000, read(whole(path, _MOST_INDEX))
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror or error}", "name a SCIP index") from error
        root = index.root if os.path.isdir(index.root) else os.path.dirname(os.path.abspath(path))
        store, taken = self._acting.writer(), Taken()
        graph = store.documents.graph
        indexed = {os.path.realpath(os.path.join(root, name)): name for name in index.files}
        where = {name: whole for whole, name in indexed.items()}
        with store.transaction():
            for whole_path, name in sorted(indexed.items()):
                known = store.documents.at(whole_path, "")
                states = graph.states([number for number, *_ in known])
                for document, (_, _, modified) in states.items():
                    if modified > made:
                        taken.newer += 1
                        continue
                    rows = [
                        (*row[:2], where.get(row[2], ""), *row[3:]) for row in index.files[name]
                    ]
                    graph.put_scip(document, packed(rows))
                    taken.files += 1
                taken.unknown += not states
        resolve_waiting(store)
        return taken

    def impact(
        self,
        target: str,
        *,
        direction: str = "dependents",
        depth: int = 3,
        tests: bool = False,
        limit: int = MOST_LISTED,
    ) -> "Impact":
        """The dependents or dependencies of a target. Raises NotFound, BadInput and StoreError."""
        from bowerbird.core.errors import BadInput, UnknownName
        from bowerbird.core.graph import DEPENDENCIES, DEPENDENTS, Impact, document_of
        from bowerbird.graph.impact import MOST, reach

        if direction not in {DEPENDENTS, DEPENDENCIES}:
            raise UnknownName.among("direction", direction, [DEPENDENTS, DEPENDENCIES])
        if not 1 <= depth <= DEEPEST:
            raise BadInput(f"a depth of {depth}", f"give 1 to {DEEPEST}")
        store = self._opened.reader()
        with store.reading():
            graph = store.documents.graph
            found, candidates = self.found(store, target)
            if candidates:
                return Impact(target, direction, depth, candidates=candidates)
            inside = self._inside(store, found[0])
            start = {one for node in inside for one in graph.within(node)}
            states = _States(store)
            # Tests may be many steps away, so all reached nodes are searched for them.
            most = MOST if tests else min(limit, MOST)
            walked = reach(graph, start, direction, depth, states.live, most)
            own = states.live([document_of(one) for one in inside])
            walked.stale |= {document for document, live in own.items() if not live}
            reached = [one for one in walked.reached if one.test or not tests]
            more = walked.more + max(0, len(reached) - limit)
            if not tests and all(own.values()):
                contained = self._contained(
                    store, found[0], inside, inward=direction == DEPENDENCIES
                )
                more += max(0, len(contained) - limit + len(reached))
                reached += contained[: max(0, limit - len(reached))]
                reached.sort(key=lambda one: (one.depth, -one.weight))
            unresolved = graph.unresolved(sorted(start)) if direction == DEPENDENCIES else {}
            memories = self._spoken(store, found)
            stale = tuple(sorted(states.path(one) for one in walked.stale))
        return Impact(
            target,
            direction,
            depth,
            found,
            (),
            reached[:limit],
            memories,
            unresolved,
            stale,
            more,
            tuple(self._notes(store)),
        )

    def _inside(self, store: "Store", node: "Node") -> "list[int]":
        """The rows of a node, or of the files in it if it is a folder."""
        from bowerbird.core.graph import FOLDER, node_id
        from bowerbird.core.outline import MODULE

        if node.id != FOLDER:
            return [node.id]
        below = store.documents.graph.below(node.path, self._reach.seen)
        return [node_id(document, MODULE) for document in below]

    def _contained(
        self, store: "Store", node: "Node", inside: "list[int]", *, inward: bool
    ) -> "list[Reached]":
        """The container of a node, or its direct members."""
        from bowerbird.core.graph import FOLDER
        from bowerbird.graph.impact import contained

        graph = store.documents.graph
        if inward and node.id == FOLDER:
            files = graph.nodes(inside).values()
            return list(contained(((node, one) for one in files), inward=True))
        if inward:
            holders = graph.holders(graph.within(node.id))
            own = graph.nodes([one for one, by in holders.items() if by == node.id])
            return list(contained(((node, own[one]) for one in sorted(own)), inward=True))
        if node.id == FOLDER:
            return []
        holder = graph.holders([node.id]).get(node.id)
        by = graph.nodes([holder]).get(holder) if holder is not None else None
        return list(contained([(by or _folder(os.path.dirname(node.path)), node)], inward=False))

    def stale(self, limit: int, *, everywhere: bool) -> "Strayed":
        """Memories whose anchors changed, moved or were deleted."""
        from bowerbird.core.errors import BadInput
        from bowerbird.wiring.anchors import strayed

        self._reach.refuse_beyond(everywhere, "all_projects")
        if limit < 1:
            raise BadInput(f"limit cannot be {limit}", "give it a whole number from 1")
        store = self._opened.reader()
        with store.reading():
            seen = self._reach.seen
            projects = [one.uid for one in store.projects.all()] if everywhere else seen
            found = strayed(store, self._reach, projects, limit)
            self._acting.hand(found.trusts)
        return found.replace(notes=() if everywhere else tuple(self._reach.notes()))

    def unfinished(self) -> int:
        """The number of documents with pending edges; 0 without a store."""
        from bowerbird.core.errors import StoreMissing

        try:
            return self._opened.reader().documents.graph.unresolved_documents(self._reach.seen)
        except StoreMissing:
            return 0

    def _notes(self, store: "Store") -> "list[str]":
        waiting = store.documents.graph.unresolved_documents(self._reach.seen)
        if not waiting:
            return []
        waits = f"the edges of {waiting} files wait to be drawn: "
        return [Advice(waits, Do("reindex"), " draws them")]

    def found(self, store: "Store", target: str) -> "tuple[list[Node], list[Node]]":
        """The node that a target names, or the candidates if it is ambiguous."""
        from bowerbird.core.errors import NotFound

        graph, seen = store.documents.graph, self._reach.seen
        for path, name in _readings(target):
            found = graph.at(path, name, seen)
            files = {node.path for node in found}
            names = {(node.path, node.name) for node in found}
            exact = [node for node in found if path and node.path == os.path.abspath(path)]
            # A name without a path may also be a method's.
            whole = [node for node in found if node.name == name and (path or "." in name)]
            if exact and len({(one.path, one.name) for one in exact}) == 1:
                return exact[:1], []
            if len({(one.path, one.name) for one in whole}) == 1:
                return whole[:1], []
            if found and (len(files) == 1 or len(names) == 1) and len(names) == 1:
                return found[:1], []
            if found:
                return [], found
        way = _way(target)
        modules = [one for end in _MODULES for one in graph.at(way + end, "", seen)]
        if modules:
            return (modules, []) if len(modules) == 1 else ([], modules)
        folders = graph.folders(way, seen)
        if folders:
            nodes = [_folder(one) for one in folders]
            return (nodes, []) if len(nodes) == 1 else ([], nodes)
        raise NotFound(
            f"nothing in the indexed code is called {target}",
            Advice("give a file, file:symbol or a symbol, and index the code by ", Do("index")),
        )

    def states(self, store: "Store") -> "_States":
        """Checks which files are unchanged since indexing."""
        return _States(store)

    def _spoken(self, store: "Store", found: "Sequence[Node]") -> "list[Spoken]":
        """Memories anchored to the file or symbol, then memories that mention its name."""
        from bowerbird.core.graph import AGENT, RULE, Spoken
        from bowerbird.core.query import Filter
        from bowerbird.core.text import words
        from bowerbird.core.types import MEMORY

        phrases = []
        for node in found:
            base = os.path.basename(node.path)
            phrases.append(" ".join(words(base)))
            if node.name:
                phrases.append(" ".join(words(node.name.rpartition(".")[2])))
        filter = Filter(projects=self._reach.seen, now=self._opened.clock(), families=(MEMORY,))
        wanted = tuple(dict.fromkeys(phrase for phrase in phrases if phrase))
        root, seen = self._reach.project.root, self._reach.seen
        tied: list[int] = []
        for node in found:
            above = os.path.join(root, "") if root else ""
            paths = [node.path, node.path.removeprefix(above)]
            tied += store.relations.about(paths, node.name, seen)
        said = [row for row, _ in store.candidates.lexical(wanted, filter, _MEMORIES)]
        rows = [*dict.fromkeys((*tied, *said))]
        entries = store.entries.load(rows)
        # A memory that is anchored elsewhere is not about this name.
        rows = [row for row in rows if row in entries and (row in tied or not entries[row].anchors)]
        rows = rows[:_MEMORIES]
        self._acting.hand(entries[row].trust for row in rows)
        return [
            Spoken(
                entries[row].id,
                entries[row].kind,
                entries[row].summary or entries[row].text,
                *((AGENT, 1.0) if row in tied else (RULE, _NAMED)),
            )
            for row in rows
        ]


def resolve_waiting(store: "Store") -> int:
    """Resolves pending edges. Returns the number of documents."""
    from bowerbird.graph.edges import edges_of
    from bowerbird.graph.files import World
    from bowerbird.graph.resolve import Resolver
    from bowerbird.graph.scip import exact
    from bowerbird.wiring.aliases import Aliases

    with store.reading():
        waiting = store.documents.graph.waiting()
    done = 0
    for project, documents in waiting.items():
        with store.reading():
            paths = store.documents.graph.paths(project, code=True)
            every = store.documents.graph.paths(project, code=False)
        world = World(paths, store.documents.graph.outline, Aliases().ways)
        resolver = Resolver(world)
        linking = None
        for at in range(0, len(documents), _BATCH):
            drawn = []
            for document in documents[at : at + _BATCH]:
                if document not in paths:
                    linking = linking or _linking(store, project, every)
                    drawn.append((document, linking.edges(document)))
                    continue
                uses, file = world.uses(document), world.file(document)
                text = store.documents.graph.scip_index(document)
                known = None if text is None else exact(text, world)
                edges = edges_of(resolver, file, uses, exact=known) if file is not None else []
                drawn.append((document, edges))
            with store.transaction():
                for document, edges in drawn:
                    store.documents.graph.resolve(document, edges)
            done += len(drawn)
    return done


def _linking(store: "Store", project: int, paths: "Mapping[int, str]") -> "Linking":
    """Resolves what the notes of a project link to and mention."""
    from bowerbird.ingest.linking import Linking

    graph = store.documents.graph
    return Linking(paths, graph.outline, lambda name: graph.called(name, project))


class _States:
    """Whether files are unchanged since indexing: each is checked once, by size and time."""

    def __init__(self, store: "Store") -> None:
        self._graph = store.documents.graph
        self._live: dict[int, bool | None] = {}
        self._paths: dict[int, str] = {}

    def live(self, documents: "Sequence[int]") -> "Mapping[int, bool | None]":
        """The state of the given documents: True if unchanged; None if the file no longer exists."""
        from bowerbird.storage.status import stands

        new = [one for one in documents if one not in self._live]
        for document, (path, size, modified) in self._graph.states(new).items():
            self._paths[document] = path
            live = stands(path, size, modified)
            self._live[document] = live if live or os.path.lexists(path) else None
        return {one: self._live[one] for one in documents if one in self._live}

    def path(self, document: int) -> str:
        """The path of a document's file, existing or not."""
        self.live([document])
        return self._paths.get(document, "")


def _readings(target: str) -> "list[tuple[str, str]]":
    """The interpretations of a target, in order: a symbol in a file, a file, a symbol."""
    from bowerbird.graph.naming import dotted, parted

    path, name = parted(target)
    readings = [(_whole(path), name)] if name else []
    if "/" in path or "." in path:
        readings.append((_whole(path), ""))
    return [*readings, ("", dotted(target))]


def _whole(path: str) -> str:
    """The absolute path of an existing file; otherwise the target, to be matched as a path's end."""
    return os.path.realpath(path) if os.path.exists(path) else path.removeprefix("./")


def _way(target: str) -> str:
    """The absolute path of a folder, or a dotted module name as the end of a path."""
    if os.path.isdir(target):
        return os.path.realpath(target)
    plain = target.strip().rstrip("/").removeprefix("./")
    return plain if "/" in plain else plain.replace("::", "/").replace(".", "/")


def _folder(path: str) -> "Node":
    from bowerbird.core.graph import FOLDER, Node

    return Node(FOLDER, path, "", "module", 1, 1)
