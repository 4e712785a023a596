"""Erasing: what a person wants gone at once and for good, whatever its state."""

from bowerbird.core.history import Gone
from bowerbird.lifecycle.restate import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.lifecycle.changes import Changes


def erase(store: "Store", changes: "Changes", ids: "Sequence[str]", actor: str) -> "list[Gone]":
    """Take memories out of every table, or none of them; only that there was one stays in the audit.

    What stands in the word indexes is gone once they are built anew. One that is named twice counts
    once. Raises NotFound, BadInput.
    """
    with store.transaction():
        entries = {entry.id: entry for entry in map(changes.changeable, ids)}
        change = changes.change("erased", actor)
        for entry in entries.values():
            settle(store, entry, change.replace(action="reviewed"))
            store.aging.remove(entry.row, entry.id, change)
    return [Gone(entry.id, entry.summary) for entry in entries.values()]
