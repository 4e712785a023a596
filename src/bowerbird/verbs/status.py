"""What a store holds, read without changing it."""

import os

from bowerbird.core.answers import Status
from bowerbird.core.errors import ModelError, StoreMissing
from bowerbird.core.types import MEMORY, PASSAGE
from bowerbird.core.value import Do, Note
from bowerbird.host.foreign import is_unchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store


def describe(
    path: str,
    project: str,
    scope: tuple[str, ...] | None,
    store: "Callable[[], Store]",
    embedder: "Callable[[], Embedder]",
    drops: str,
    *,
    measure: bool = False,
    bounds: tuple[str, ...] | None = None,
) -> Status:
    """Counts for the projects in `scope` (None: all), sizes and the model; a missing store holds nothing.

    Only the projects within `bounds` are named; None: every one.

    `drops` is the file that counts answers whose usage could not be noted. `measure` also looks how
    much of the exact answer the current tier finds, which takes seconds in a large store.
    """
    try:
        opened = store()
    except StoreMissing as missing:
        note = Note("missing", missing.message, "; ", missing.remedy)
        return Status(path, project, {}, {}, notes=(note,))
    # Of one moment, so that the numbers go together.
    with opened.reading():
        return _describe(path, project, scope, opened, embedder, drops, measure, bounds)


def _describe(
    path: str,
    project: str,
    scope: tuple[str, ...] | None,
    opened: "Store",
    embedder: "Callable[[], Embedder]",
    drops: str,
    measure: bool,
    bounds: tuple[str, ...] | None,
) -> Status:
    notes = []
    row = None
    try:
        identity = embedder().identity
        model = str(identity)
        row = opened.model_row(identity)
        if row is None:
            message = f"no vectors of {model} yet: queries go by words alone; run: "
            notes.append(Note("degraded", message, Do("reindex")))
    except ModelError as error:
        model = ""
        notes.append(Note("degraded", error.message, "; ", error.remedy))
    notes += opened.remarks()
    active = opened.entries.active()
    if scope is None:
        scope = tuple(one.uid for one in opened.projects.all())
    memories: dict[str, int] = {}
    passages = 0
    for (uid, family, kind), count in active.items():
        if uid in scope and family == MEMORY:
            memories[kind] = memories.get(kind, 0) + count
        elif uid in scope:
            passages += count
    pruned_at, pruned = _pruned(opened, scope)
    return Status(
        path,
        project,
        total_memories=sum(memories.values()),
        total_passages=passages,
        total_documents=opened.entries.documents(scope),
        by_type=memories,
        avg_importance=opened.entries.average_importance(scope),
        total_size_bytes=opened.size(),
        index_healthy=opened.healthy(),
        vector_index_tier=opened.candidates.tier(opened.words.totals()[0], row),
        measured_recall=opened.upkeep.measured_recall(row) if measure and row is not None else None,
        model_used=model,
        notes=tuple(notes),
        projects=_projects(opened, active, bounds),
        usage_dropped=os.stat(drops).st_size if os.path.exists(drops) else 0,
        pruned_at=pruned_at,
        pruned=pruned,
        graph=_graph(opened, scope),
    )


def _graph(store: "Store", scope: "Collection[str]") -> "dict[str, Any] | None":
    """What is drawn of these projects' files, and how much of it is stale by their size and time."""
    files = store.entries.drawn(tuple(scope))
    if not files:
        return None
    stale = [edges for path, size, at, _, _, edges in files if not is_unchanged(path, size, at)]
    return {
        "commit": store.projects.commit(tuple(scope)),
        "files": len(files),
        "nodes": sum(one[4] for one in files),
        "edges": sum(one[5] for one in files),
        "kinds": store.documents.graph.kinds(tuple(scope)),
        "waiting_files": sum(not one[3] for one in files),
        "stale_files": len(stale),
        "stale_edges": sum(stale),
    }


def _pruned(store: "Store", scope: "Collection[str]") -> tuple[int | None, dict[str, int]]:
    """When these projects were pruned last, and what left them then, by what became of it."""
    mine = [one for uid, one in store.projects.pruned().items() if uid in scope]
    if not mine:
        return None, {}
    last = max(at for at, _ in mine)
    left: dict[str, int] = {}
    for at, counts in mine:
        if at == last:
            left |= {name: left.get(name, 0) + count for name, count in counts.items()}
    return last, left


def _projects(
    store: "Store", active: "Mapping[tuple[str, str, str], int]", bounds: tuple[str, ...] | None
) -> "tuple[dict[str, str | int], ...]":
    def count(project: str, wanted: str) -> int:
        return sum(
            count
            for (uid, family, _), count in active.items()
            if (uid, family) == (project, wanted)
        )

    return tuple(
        {
            "uid": project.uid,
            "name": project.name,
            "memories": count(project.uid, MEMORY),
            "passages": count(project.uid, PASSAGE),
        }
        for project in store.projects.all()
        if bounds is None or project.uid in bounds
    )
