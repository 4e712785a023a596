"""Anchors of memories: set when a memory is written, checked when it is shown."""

from bowerbird.code.anchoring import Anchoring
from bowerbird.core.anchors import (
    BY_HAND,
    MOVED,
    STALE,
    Anchor,
    Strayed,
    Tied,
    confidence_factor,
    marked,
)
from bowerbird.core.types import GLOBAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.answers import Hits
    from bowerbird.core.outline import Outline
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.reach import Reach


def anchoring(store: "Store", reach: "Reach", acting: "Acting", *, history: bool) -> Anchoring:
    """The files of the current project that the caller may name.

    Files that are not indexed count only for the owner of this machine, as does the `history` of their
    repository, which memories of a commit need.
    """
    root = None if reach.named else reach.project.root
    if root is None or not history or not acting.who.local:
        return Anchoring(store.documents, reach.seen, root, unindexed=acting.who.local)
    from bowerbird.code.git_objects import History
    from bowerbird.code.syntax.outlining import outline_of

    return Anchoring(
        store.documents, reach.seen, root, unindexed=True, history=History(root), draw=outline_of
    )


class Looking:
    """Checks the anchors of entries of any project."""

    def __init__(self, store: "Store", reach: "Reach") -> None:
        self._store = store
        here = reach.project
        # A project may have several checkouts: the working directory's is used.
        self._roots = {here.uid: here.root}
        self._seen = reach.seen
        self._others: dict[str, str | None] | None = None
        self._outlines: dict[tuple[str, bytes], Outline | None] = {}

    def entry(self, entry: "Entry") -> "Entry":
        """An entry with its anchors checked and its confidence lowered accordingly."""
        if not entry.anchors:
            return entry
        found = self._in(entry.project)
        written = entry.details.updated if entry.details is not None else entry.created
        checked = [
            marked(one) if one.path == BY_HAND else found.checked(one, written)
            for one in map(_anchor, entry.anchors)
        ]
        anchors = tuple(one for one in checked if one is not None)
        if entry.details is None:
            return entry.replace(anchors=anchors)
        confidence = entry.details.current_confidence * confidence_factor(anchors)
        details = entry.details.replace(current_confidence=confidence)
        return entry.replace(anchors=anchors, details=details)

    def _in(self, project: str) -> Anchoring:
        """What checks the anchors of a project's memories."""
        return Anchoring(
            self._store.documents,
            tuple({project, *(uid for uid in self._seen if uid != GLOBAL.uid)}),
            self._root(project),
            unindexed=False,
            draw=self._outline,
        )

    def strays(self, project: str, anchor: "Sequence[object]") -> bool:
        """Whether what an anchor of a project is about changed, moved or was deleted."""
        one = _anchor(anchor)
        if one.path == BY_HAND:
            return True
        checked = self._in(project).checked(one, 0)
        return checked is not None and checked.state in {MOVED, STALE}

    def _outline(self, path: str, data: bytes) -> "Outline | None":
        """The outline of a changed file, which several memories may be about."""
        from bowerbird.code.syntax.outlining import outline_of

        if (path, data) not in self._outlines:
            self._outlines[path, data] = outline_of(path, data)
        return self._outlines[path, data]

    def _root(self, project: str) -> str | None:
        if self._roots.get(project) is None and self._others is None:
            self._others = {one.uid: one.root for one in self._store.projects.all()}
        return self._roots.get(project) or (self._others or {}).get(project)


def _anchor(one: "Sequence[object] | Anchor") -> Anchor:
    return one if isinstance(one, Anchor) else Anchor(*one)  # type: ignore[arg-type]


def with_anchors_checked(hits: "Hits", store: "Store", reach: "Reach", *, ordered: bool) -> "Hits":
    """Hits with their anchors checked. With `ordered`, hits with lowered confidence move down."""
    from bowerbird.retrieval.linked import outdated_last

    looking = Looking(store, reach)
    shown = tuple(
        hit.replace(entry=looking.entry(hit.entry)) if hit.entry.anchors else hit for hit in hits
    )
    left = {hit.id: confidence_factor(hit.entry.anchors) for hit in shown if hit.entry.anchors}
    return hits.replace(hits=outdated_last(shown, left) if ordered else shown)


def strayed(store: "Store", reach: "Reach", projects: "Sequence[str]", limit: int) -> Strayed:
    """Active memories whose files or symbols changed, moved or were deleted, lowest confidence first."""
    looking, found = Looking(store, reach), []
    # Many memories share an anchor, and few have strayed: only those are read.
    gone = {one for one in store.entries.anchors(projects) if looking.strays(one[0], one[1:])}
    entries = store.entries.load(store.entries.anchored_to(projects, gone) if gone else [])
    details = store.details([*entries])
    now = store.clock()
    for entry in entries.values():
        its = details.get(entry.row)
        detailed = looking.entry(
            entry.replace(details=its.faded(entry.created, now) if its is not None else None)
        )
        astray = [one for one in detailed.anchors if one.state in {MOVED, STALE}]
        if astray:
            sure = detailed.details.current_confidence if detailed.details is not None else 1.0
            summary = entry.summary or entry.text
            found.append(
                (
                    entry,
                    Tied(entry.id, entry.kind, summary, sure, entry.trust, tuple(detailed.anchors)),
                )
            )
    found.sort(key=lambda pair: (pair[1].confidence, -pair[0].created, pair[0].id))
    tied = store.entries.anchored(projects)
    return Strayed(tuple(one for _, one in found[:limit]), len(found), tied)
