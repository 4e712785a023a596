"""What else changes when a memory goes: what waited to be held against it waits no more."""

from bowerbird.core.types import SHORT_ID
from bowerbird.lifecycle.restate import revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.history import Change
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry


def settle(store: "Store", gone: "Entry", change: "Change") -> None:
    """Let those that contradict a memory that is gone wait no more, or for another one."""
    for other in _opponents(store, gone.id):
        if gone.id[:SHORT_ID] not in other.review or other.project != gone.project:
            continue
        left = _opponents(store, other.id)
        review = f"it and {left[0].id[:SHORT_ID]} contradict each other" if left else ""
        head = store.memories.head(other.id)
        fields = head.fields.replace(needs_review=bool(left), review=review)
        revise(store, head, fields, change)


def _opponents(store: "Store", id: str) -> "list[Entry]":
    """The memories in force that are linked with one as contradictions, on either side."""
    found = (one for one in store.relations.of(id) if one.kind == "contradicts")
    ends = dict.fromkeys(one.target if one.source == id else one.source for one in found)
    opponents = (one for end in ends for one in store.entries.get(end))
    return [one for one in opponents if one.state == "active"]
