"""Entries by id or by filter, without a question: nothing is ranked."""

from bowerbird.core.errors import BadInput, NotFound, UnknownName
from bowerbird.core.types import MEMORY, STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports import Store
    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry


class Lookup:
    """Reads entries with what only memories have."""

    def __init__(self, store: "Store") -> None:
        self._store = store

    def get(self, id: str) -> "Entry":
        """One entry by its id or the first characters of it. Raises NotFound and BadInput."""
        found = self._store.entries.get(id)
        if not found:
            raise NotFound(f"no entry {id}", "ids stand in the answers of: bower query, bower list")
        if len(found) > 1:
            raise BadInput(f"several entries begin with {id}", "give more characters of the id")
        return self._with_details(found)[0]

    def list(self, filter: "Filter", limit: int, offset: int) -> "Sequence[Entry]":
        """Entries that pass a filter, newest first. Raises UnknownName for an unknown state."""
        for state in filter.states:
            if state not in STATES:
                raise UnknownName.among("state", state, [*STATES])
        return self._with_details(self._store.entries.list(filter, limit, offset))

    def _with_details(self, entries: "Sequence[Entry]") -> "Sequence[Entry]":
        memories = [entry.row for entry in entries if entry.family == MEMORY]
        if not memories:
            return entries
        details = self._store.memories.details(memories)
        return [entry.replace(details=details.get(entry.row)) for entry in entries]
