"""Wires the making of the code graph: extracts missing outlines, and resolves pending edges."""

import os
from functools import partial

from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bowerbird.core.graph import Edge, Taken
    from bowerbird.core.ports.store import Store
    from bowerbird.ingest.linking import Linking

# Most bytes of a SCIP index; CPython's has 60 MB.
_MOST_INDEX = 1 << 30
# Documents whose edges are written in one transaction, which takes some tenths of a second.
_BATCH = 200


class Drawing(Verbs):
    """The verbs that write the code graph."""

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
        from bowerbird.code.scip import packed, read
        from bowerbird.core.errors import BadInput
        from bowerbird.core.graph import Taken
        from bowerbird.host.foreign import whole

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


def resolve_waiting(store: "Store") -> int:
    """Resolves pending edges. Returns the number of documents."""
    from bowerbird.code.aliases import Aliases
    from bowerbird.code.edges import edges_of
    from bowerbird.code.files import World
    from bowerbird.code.resolve import Resolver
    from bowerbird.code.scip import exact
    from bowerbird.core.lookups import packed

    with store.reading():
        waiting = store.documents.graph.waiting()
    done = 0
    for project, documents in waiting.items():
        with store.reading():
            paths = store.documents.graph.paths(project, code=True)
            every = store.documents.graph.paths(project, code=False)
        graph = store.documents.graph
        named = partial(graph.functions, project=project)
        heads = partial(graph.outline, uses=False)
        world = World(paths, graph.outline, Aliases().ways, named, heads)
        resolver = Resolver(world)
        linking = None
        for at in range(0, len(documents), _BATCH):
            drawn: list[tuple[int, list[Edge], bytes | None]] = []
            for document in documents[at : at + _BATCH]:
                if document not in paths:
                    linking = linking or _linking(store, project, every, paths)
                    drawn.append((document, linking.edges(document), None))
                    continue
                world.asked = set()
                uses, file = world.uses(document), world.file(document)
                text = store.documents.graph.scip_index(document)
                known = None if text is None else exact(text, world)
                edges = edges_of(resolver, file, uses, exact=known) if file is not None else []
                drawn.append((document, edges, packed(world.asked, paths[document])))
            with store.transaction():
                for document, edges, lookups in drawn:
                    store.documents.graph.resolve(document, edges, lookups)
            done += len(drawn)
    return done


def _linking(
    store: "Store", project: int, paths: "Mapping[int, str]", code: "Collection[int]"
) -> "Linking":
    """Resolves what the notes of a project link to and mention; `code` are documents that are none."""
    from bowerbird.ingest.linking import Linking

    graph = store.documents.graph
    return Linking(paths, code, graph.outline, lambda name: graph.called(name, project))
