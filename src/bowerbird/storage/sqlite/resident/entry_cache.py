"""Entries in a process that stays: what one question read serves the next, until anybody writes."""

from itertools import islice

from bowerbird.storage.sqlite.nouns.entries import Entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import apsw

    from bowerbird.core.types import Entry

# Entries that are kept: some 2 KB each.
MOST = 4_096


class KeptEntries(Entries):
    """The same entries, from memory while the store is unchanged."""

    def __init__(self, connection: "apsw.Connection", generation: "Callable[[], int]") -> None:
        super().__init__(connection)
        self._generation = generation
        self._seen = -1
        self._kept: dict[int, Entry] = {}

    def load(self, rows: "Sequence[int]") -> "dict[int, Entry]":
        """The entries of some rows, by row; rows that are gone are left out."""
        generation, kept = self._generation(), self._kept
        if generation != self._seen:
            kept.clear()
            self._seen = generation
        if new := [row for row in rows if row not in kept]:
            kept |= super().load(new)
        found = {row: kept[row] for row in rows if row in kept}
        # The first ones read are evicted: others are requested again.
        for row in list(islice(kept, max(len(kept) - MOST, 0))):
            del kept[row]
        return found
