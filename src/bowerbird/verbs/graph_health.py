"""Doctor's checks of the code graph: its size, and the CPU time of an impact query."""

import time

from bowerbird.code.impact import reach
from bowerbird.code.live_files import LiveFiles
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.graph import DEPENDENTS
from bowerbird.core.health import WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.wiring.opened import Opened

# Beyond one of these a graph database may serve better than SQLite: nodes, bytes of the store, and the
# slowest impact. Chosen in advance, not measured.
_MOST_NODES = 50_000
_MOST_BYTES = 500_000_000
_SLOWEST_MS = 100.0
# Targets that are tried, those with most dependents: a tenth of a second in a store of 100,000 nodes.
_TRIED = 10
_DEPTH = 3
_MEGA = 1_000_000


def gauged(opened: "Opened") -> "Iterator[Finding]":
    """Yields findings about the graph; none if no code is indexed."""
    try:
        store = opened.reader()
        with store.reading():
            nodes, edges = store.documents.graph.totals()
            if not nodes:
                return
            slowest = max((_took(store, one) for one in _most_depended_on(store)), default=0.0)
            size = store.size()
    except BowerbirdError:
        return  # the store's own checks report what is wrong with it
    detail = (
        f"nodes: {nodes:,}, edges: {edges:,}, {size // _MEGA:,} MB, impact {slowest:.0f} ms at most"
    )
    over = [
        what
        for what, is_over in (
            (f"more than {_MOST_NODES:,} nodes", nodes > _MOST_NODES),
            (f"more than {_MOST_BYTES // _MEGA:,} MB", size > _MOST_BYTES),
            (f"an impact of more than {_SLOWEST_MS:.0f} ms", slowest > _SLOWEST_MS),
        )
        if is_over
    ]
    if over:
        remedy = "keep what is generated or from others out of it by .bowerignore, and index again"
        yield Finding("graph", f"{detail}: {', '.join(over)}", WARNING, remedy)
    else:
        yield Finding("graph", detail)


def _most_depended_on(store: "Store") -> "Sequence[int]":
    return store.documents.graph.hubs(_TRIED)


def _took(store: "Store", node: int) -> float:
    """CPU milliseconds of one impact query, without checking the files."""
    begin = time.thread_time()
    graph = store.documents.graph
    reach(graph, [node], DEPENDENTS, _DEPTH, _Unchecked(graph))
    return (time.thread_time() - begin) * 1000


class _Unchecked(LiveFiles):
    """Takes all files for unchanged."""

    def live(self, documents: "Sequence[int]") -> "Mapping[int, bool | None]":
        """True for each document."""
        return dict.fromkeys(documents, True)
