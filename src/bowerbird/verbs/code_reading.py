"""Wires what shows code: the uses of a definition, the outline of a file, a map of the most used."""

import os

from bowerbird.code.targets import find_target
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.code_map import CodeMap
    from bowerbird.core.graph import Node
    from bowerbird.core.ports.store import Store
    from bowerbird.core.usages import References

# Bounds of a map's budget, in tokens: fewer hold no file, and nobody reads more.
LEAST_BUDGET = 100
MOST_BUDGET = 50_000
# Lines of uses that are listed by default, and at most.
USES_LISTED = 100
MOST_USES = 5_000


class CodeReading(Verbs):
    """The verbs that show what the indexed code defines and uses."""

    def references(self, target: str, limit: int = USES_LISTED) -> "References":
        """Every line that uses a target. Raises NotFound, BadInput and StoreError."""
        from bowerbird.code.live_files import LiveFiles
        from bowerbird.code.usages import Usages
        from bowerbird.core.errors import BadInput
        from bowerbird.core.graph import FOLDER
        from bowerbird.core.usages import References

        if not 1 <= limit <= MOST_USES:
            raise BadInput(f"a limit of {limit}", f"give 1 to {MOST_USES:,}")
        store = self._opened.reader()
        with store.reading():
            found, candidates = find_target(store, target, self._reach.seen)
            if candidates:
                return References(target, candidates=tuple(candidates))
            if any(one.id == FOLDER for one in found):
                raise BadInput(f"{target} is a folder", "name a file, file:symbol or a symbol")
            files = LiveFiles(store.documents.graph)
            usages = Usages(store.documents.graph, [one.id for one in found], files)
            listed = usages.listed(limit)
            stale = tuple(sorted(files.path(one) for one in usages.stale))
        shown = sum(len(one.usages) for one in listed)
        more = max(0, usages.total - shown)
        notes = tuple(self._reach.notes())
        files_shown = tuple(listed)
        return References(target, tuple(found), (), files_shown, usages.total, more, stale, notes)

    def outline(self, file: str) -> "CodeMap":
        """What a file defines. Raises NotFound, BadInput and StoreError."""
        from bowerbird.code.mapping import size, symbols
        from bowerbird.core.code_map import CodeMap, MappedFile
        from bowerbird.core.errors import BadInput

        store = self._opened.reader()
        with store.reading():
            node = self._file(store, file)
            graph = store.documents.graph
            inside = [one for one in graph.nodes(graph.within(node.id)).values() if one.name]
            stale = self._stale(store, node)
        if not inside:
            raise BadInput(f"{file} defines nothing that an outline shows", "read the file itself")
        return CodeMap(
            (MappedFile(node.path, 1.0, tuple(symbols(inside))),),
            size(inside),
            stale=stale,
            notes=tuple(self._reach.notes()),
        )

    def map(self, folder: str, budget: int) -> "CodeMap":
        """The definitions that are used most. Raises NotFound, BadInput and StoreError."""
        from bowerbird.code.mapping import mapped
        from bowerbird.core.code_map import CodeMap
        from bowerbird.core.errors import BadInput, NotFound
        from bowerbird.core.value import Advice, Do

        if not LEAST_BUDGET <= budget <= MOST_BUDGET:
            raise BadInput(
                f"a budget of {budget} tokens", f"give {LEAST_BUDGET} to {MOST_BUDGET:,}"
            )
        store = self._opened.reader()
        with store.reading():
            graph, seen = store.documents.graph, self._reach.seen
            folders = [""]
            if folder:
                whole = os.path.realpath(folder) if os.path.isdir(folder) else folder.strip("/")
                folders = graph.folders(whole.strip("/"), seen)
            if not folders:
                raise NotFound(
                    f"no indexed code is in {folder}", Advice("index it by ", Do("index"))
                )
            if len(folders) > 1:
                raise BadInput(
                    f"{folder} may be {' or '.join(folders)}", "name it with more of its path"
                )
            within = os.path.join(folders[0], "") if folders[0] else ""
            files, tokens, more = mapped(graph, seen, within, budget)
        return CodeMap(tuple(files), tokens, more, notes=tuple(self._reach.notes()))

    def _file(self, store: "Store", file: str) -> "Node":
        """The node of a file. Raises NotFound, and BadInput if it is no file or several."""
        from bowerbird.core.errors import BadInput
        from bowerbird.core.graph import FOLDER

        found, candidates = find_target(store, file, self._reach.seen)
        nodes = [*found, *candidates]
        if len(nodes) > 1:
            paths = " or ".join(sorted({one.path for one in nodes})[:5])
            raise BadInput(f"{file} may be {paths}", "name it with more of its path")
        if nodes[0].id == FOLDER or nodes[0].name:
            raise BadInput(f"{file} is no file", "name a file; bower map shows a folder")
        return nodes[0]

    def _stale(self, store: "Store", node: "Node") -> tuple[str, ...]:
        from bowerbird.code.live_files import LiveFiles

        live = LiveFiles(store.documents.graph).of_nodes([node.id])
        return () if all(live.values()) else (node.path,)
