"""Giving a memory other fields: a store takes any, here stands which moves of its state are legal."""

from bowerbird.core.states import require_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.history import Change, Version
    from bowerbird.core.memories import Fields
    from bowerbird.core.ports.store import Store


def revise(store: "Store", head: "Version", fields: "Fields", change: "Change") -> "Version":
    """Give the memory that stands at `head` other fields, as a new version. Inside a transaction.

    Raises BadInput where its state may not move there.
    """
    require_move(head.fields.state, fields.state)
    return store.memories.revise(head.memory, fields, change)
