"""Wires the queries on the code graph: what depends on what, and which memories have gone stale."""

import os

from bowerbird.code.targets import find_target, folder
from bowerbird.core.value import Advice, Do
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.anchors import Strayed
    from bowerbird.core.graph import Impact, Node, Reached, Spoken
    from bowerbird.core.ports.store import Store

# Memories that are returned with an impact.
_MEMORIES = 5
# Confidence that a memory which contains a name is about the code of that name.
_NAMED = 0.5
# The reader of source files; importing it costs a hook more than its name.
_CODE = "code"
# The default number of reached nodes that are returned.
MOST_LISTED = 500
# Maximum depth: at more steps almost everything is connected.
DEEPEST = 10


class Graphing(Verbs):
    """The verbs that read the code graph."""

    def impact(
        self,
        target: str = "",
        *,
        diff: str | None = None,
        direction: str = "dependents",
        depth: int = 3,
        tests: bool = False,
        limit: int = MOST_LISTED,
    ) -> "Impact":
        """The dependents or dependencies of a target, or of what changed since a commit (`diff`).

        Raises NotFound, BadInput and StoreError.
        """
        from bowerbird.code.impact import MOST, reach, to_run
        from bowerbird.code.live_files import LiveFiles
        from bowerbird.core.errors import BadInput, UnknownName
        from bowerbird.core.graph import DEPENDENCIES, DEPENDENTS, Impact

        if bool(target) == (diff is not None):
            raise BadInput(
                "impact takes a target or changes",
                "give a file, file:symbol or a symbol; or a diff: HEAD for what you changed",
            )
        if direction not in {DEPENDENTS, DEPENDENCIES}:
            raise UnknownName.among("direction", direction, [DEPENDENTS, DEPENDENCIES])
        if not 1 <= depth <= DEEPEST:
            raise BadInput(f"a depth of {depth}", f"give 1 to {DEEPEST}")
        store = self._opened.reader()
        with store.reading():
            graph = store.documents.graph
            if diff is None:
                found, candidates = find_target(store, target, self._reach.seen)
            else:
                found, candidates, target = self._changed(store, diff), [], f"changes since {diff}"
            if not found and diff is not None:
                return Impact(target, direction, depth, tests=tests)
            if candidates:
                return Impact(target, direction, depth, candidates=tuple(candidates))
            inside = [row for one in found for row in self._inside(store, one)]
            start = {one for node in inside for one in graph.within(node)}
            files = LiveFiles(graph)
            # Tests may be many steps away, so all reached nodes are searched for them.
            most = MOST if tests else min(limit, MOST)
            walked = reach(graph, start, direction, depth, files, most)
            own = files.of_nodes(inside)
            walked.stale |= {document for document, live in own.items() if not live}
            reached = [one for one in walked.reached if one.test or not tests]
            more = walked.more + max(0, len(reached) - limit)
            if diff is None and not tests and all(own.values()):
                contained = self._contained(
                    store, found[0], inside, inward=direction == DEPENDENCIES
                )
                more += max(0, len(contained) - limit + len(reached))
                reached += contained[: max(0, limit - len(reached))]
                reached.sort(key=lambda one: (one.depth, -one.weight))
            unresolved = graph.unresolved(sorted(start)) if direction == DEPENDENCIES else {}
            memories = self._spoken(store, found)
            stale = tuple(sorted(files.path(one) for one in walked.stale))
        return Impact(
            target,
            direction,
            depth,
            tuple(found),
            (),
            tuple(reached[:limit]),
            tuple(memories),
            unresolved,
            stale,
            more,
            tuple(self._notes(store)),
            tests=tests,
            run=tuple(to_run(reached[:limit])),
        )

    def _changed(self, store: "Store", diff: str) -> "list[Node]":
        """What changed since a commit: each definition, or its file if that is new or not indexed yet."""
        from bowerbird.code.changes import Changes

        graph = store.documents.graph
        rows = [store.projects.row(uid) for uid in self._reach.seen]
        paths = {
            path for row in rows if row is not None for path in graph.paths(row, code=True).values()
        }
        found: dict[int, Node] = {}
        for path, names in Changes(diff).of(sorted(paths)).items():
            for name in names:
                exact = [one for one in graph.at(path, name, self._reach.seen) if one.name == name]
                nodes = exact or graph.at(path, "", self._reach.seen)
                found |= {one.id: one for one in nodes[:1]}
        return list(found.values())

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
        from bowerbird.code.impact import contained
        from bowerbird.core.graph import FOLDER

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
        return list(contained([(by or folder(os.path.dirname(node.path)), node)], inward=False))

    def stale(self, limit: int, *, everywhere: bool) -> "Strayed":
        """Memories whose anchors changed, moved or were deleted."""
        from bowerbird.core.errors import BadInput
        from bowerbird.verbs.anchors import strayed

        self._reach.refuse_beyond(everywhere, "all_projects")
        if limit < 1:
            raise BadInput(f"limit cannot be {limit}", "give it a whole number from 1")
        store = self._opened.reader()
        with store.reading():
            seen = self._reach.seen
            every = self._reach.everywhere or [one.uid for one in store.projects.all()]
            projects = every if everywhere else seen
            found = strayed(store, self._reach, projects, limit)
            self._acting.hand(found.trusts)
        return found.replace(notes=() if everywhere else tuple(self._reach.notes()))

    def unfinished(self) -> int:
        """The number of source files with pending edges; 0 without a store."""
        from bowerbird.core.errors import StoreMissing

        try:
            return self._opened.reader().projects.unresolved_documents(self._reach.seen, _CODE)
        except StoreMissing:
            return 0

    def _notes(self, store: "Store") -> "list[str]":
        waiting = store.projects.unresolved_documents(self._reach.seen)
        if not waiting:
            return []
        waits = f"the edges of {waiting} files are not in the graph yet: "
        return [Advice(waits, Do("reindex"), " draws them")]

    def _spoken(self, store: "Store", found: "Sequence[Node]") -> "list[Spoken]":
        """Memories anchored to the file or symbol, then memories that mention its name."""
        from bowerbird.core.graph import RULE, STATED, Spoken
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
                *((STATED, 1.0) if row in tied else (RULE, _NAMED)),
            )
            for row in rows
        ]
