"""What a known memory gains when it is told again: only what was said, and nothing is taken away.

What is handed on to the memory that takes its place, and who waits no more because of that.
"""

from bowerbird.core.kinds import DEFAULT
from bowerbird.core.normal import normal_hash
from bowerbird.core.states import require_move
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Change, Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.memories import Fields
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry


class Restated(Value):
    """The fields of a memory after it was told again, and the names of those that changed."""

    __slots__ = ("changed", "fields")

    def __init__(self, fields: "Fields", changed: tuple[str, ...]) -> None:
        self.fields = fields
        self.changed = changed


def restated(kept: "Fields", new: "Fields", draft: "Draft") -> Restated:
    """The kept fields with what the draft says of kind, tags, expiry, payload and the like."""
    verified = kept.verified if draft.verified is None else new.verified
    wanted = kept.replace(
        kind=new.kind if draft.kind else kept.kind,
        tags=tuple(dict.fromkeys((*kept.tags, *new.tags))),
        expires=new.expires if draft.expires is not None else kept.expires,
        metadata={**kept.metadata, **new.metadata},
        payload=kept.payload if new.payload is None else new.payload,
        scope=new.scope if draft.scope else kept.scope,
        audience=new.audience if draft.audience else kept.audience,
        confidence=kept.confidence if draft.confidence is None else new.confidence,
        half_life=kept.half_life if draft.half_life is None else new.half_life,
        files=tuple(dict.fromkeys((*kept.files, *new.files))),
        modules=tuple(dict.fromkeys((*kept.modules, *new.modules))),
        anchors=_again(kept, new),
        summary=new.summary if draft.summary else kept.summary,
        keywords=tuple(dict.fromkeys((*new.keywords, *kept.keywords)))
        if draft.keywords
        else kept.keywords,
        citation=new.citation if draft.citation else kept.citation,
        commit=new.commit or kept.commit,
        work_unit=new.work_unit or kept.work_unit,
        pinned=kept.pinned if draft.pinned is None else new.pinned,
        verified=verified,
    )
    if draft.verified and kept.state == "active":
        # Whoever vouches for it has looked at it.
        wanted = wanted.replace(needs_review=False, review="")
    # The reason for a review says that there is one.
    names = (name for name in kept.__slots__ if name != "needs_review")
    changed = tuple(name for name in names if getattr(kept, name) != getattr(wanted, name))
    return Restated(wanted, changed)


def _again(kept: "Fields", new: "Fields") -> "tuple[tuple[Any, ...], ...]":
    """The anchors of what is told again: what it still is about is as it stands now."""
    anchors = {one[:2]: one for one in (*kept.anchors, *new.anchors)}
    return tuple(anchors.values())


def succeeding(new: "Fields", older: "Fields", draft: "Draft", kinds: "Kinds") -> "Fields":
    """The fields of what takes a memory's place: what was said of that one holds on.

    Its kind, too, where neither the draft nor its wording tells another one.
    """
    stays = draft.kind is None and new.kind == DEFAULT and older.kind in kinds
    return new.replace(
        kind=older.kind if stays else new.kind,
        payload=older.payload if stays and new.payload is None else new.payload,
        scope=older.scope if stays and not draft.scope else new.scope,
        audience=new.audience if draft.audience else older.audience,
        tags=tuple(dict.fromkeys((*new.tags, *older.tags))),
        files=tuple(dict.fromkeys((*new.files, *older.files))),
        modules=tuple(dict.fromkeys((*new.modules, *older.modules))),
        pinned=new.pinned or older.pinned,
        priority=new.priority or older.priority,
        metadata={**older.metadata, **new.metadata},
    )


def revise(
    store: "Store", head: "Version", fields: "Fields", change: "Change", text: str | None = None
) -> "Version":
    """Give the memory that stands at `head` other fields, as a new version. Inside a transaction.

    With a `text` that too; models have to read it anew then.

    Raises BadInput where its state may not move there.
    """
    require_move(head.fields.state, fields.state)
    if text is None or text == head.text:
        return store.memories.revise(head, fields, change)
    return store.memories.revise(head, fields, change, text, normal_hash(text))


def settle(store: "Store", settled: "Entry", change: "Change") -> None:
    """Let those that contradict a memory that is gone or vouched for wait no more, or for another one."""
    for other in _opponents(store, settled.id):
        if settled.id[:SHORT_ID] not in other.review or other.project != settled.project:
            continue
        left = [one for one in _opponents(store, other.id) if one.id != settled.id]
        review = f"it and {left[0].id[:SHORT_ID]} contradict each other" if left else ""
        head = store.memories.head(other.id)
        fields = head.fields.replace(needs_review=bool(left), review=review)
        revise(store, head, fields, change)


def supersede(store: "Store", older: "Entry", head: "Version", change: "Change") -> None:
    """Let a memory go that stands at `head`, for another one. Inside a transaction."""
    fields = head.fields.replace(state="superseded", needs_review=False, review="")
    contradicted = store.memories.contradicted(head)
    revise(store, head, fields, change)
    if contradicted:
        settle(store, older, change.replace(action="reviewed"))


def _opponents(store: "Store", id: str) -> "list[Entry]":
    """The memories in force that are linked with one as contradictions, on either side."""
    found = (one for one in store.relations.of(id) if one.kind == "contradicts")
    ends = dict.fromkeys(one.target if one.source == id else one.source for one in found)
    opponents = (one for end in ends for one in store.entries.get(end))
    return [one for one in opponents if one.state == "active"]
