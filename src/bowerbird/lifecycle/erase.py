"""Erasing: deletes memories at once and irreversibly, whatever their state."""

from bowerbird.core.history import Gone
from bowerbird.lifecycle.restate import release_examples, remove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.lifecycle.changes import Changes


def erase(store: "Store", changes: "Changes", ids: "Sequence[str]", actor: str) -> "list[Gone]":
    """Deletes memories from every table, all or none; only the audit still shows that they existed.

    Their words remain in the word indexes until those are rebuilt. Duplicate ids count once. Raises
    NotFound, BadInput.
    """
    with store.transaction():
        return erase_within(store, changes, ids, actor)


def erase_within(
    store: "Store", changes: "Changes", ids: "Sequence[str]", actor: str
) -> "list[Gone]":
    """The same inside a transaction."""
    entries = {entry.id: entry for entry in map(changes.changeable, ids)}
    change = changes.change("erased", actor)
    for entry in entries.values():
        remove(store, entry, change)
        release_examples(store, entry.id, change)
        store.audit.blank(entry.id)
        store.aging.remove([(entry.row, entry.id, changes.clock(), change)])
    return [Gone(entry.id, entry.summary) for entry in entries.values()]
