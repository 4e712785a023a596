"""Removes cached vectors from a store, on a full disk too."""

from bowerbird.core.errors import StoreFull

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.store import Store

# Cached vectors removed in one transaction, 6 KB each. Halved while the disk has no room.
_AT_ONCE = 10_000
_SMALLER = 10


def emptied(store: "Store", max_entries: int, before: int | None, path: str) -> int:
    """Removes vectors unused since `before`, or all.

    Returns how many. Raises StoreFull if none can go.
    """
    kept = store.embeddings(max_entries)
    taken, most = 0, _AT_ONCE
    while most:
        try:
            with store.transaction():
                gone = kept.prune(before, most)
        except StoreFull:
            most //= _SMALLER
            continue
        taken += gone
        if gone < most:
            return taken
    raise StoreFull(
        f"the disk that holds {path} is full", "free some space and run the command again"
    )
