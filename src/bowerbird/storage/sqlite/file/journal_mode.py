"""Which journal a store is written with: that asks its disk."""

from bowerbird.core.errors import StoreBusy, StoreError
from bowerbird.storage.sqlite.file.connection import our_errors
from bowerbird.storage.sqlite.file.filesystem import network_filesystem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

WAL = "wal"
DELETE = "delete"


def set_journal(connection: "apsw.Connection", path: str) -> None:
    """Write-ahead log on local disks, rollback journal on network filesystems.

    Two processes that switch a new file at once fail despite their timeouts, so the caller holds
    the file lock.
    """
    if has_journal(connection, path):
        return
    wanted = journal_for(path)
    mode = connection.pragma("journal_mode", wanted)
    if mode == wanted:
        return
    if wanted == WAL:
        raise StoreError(f"{path}: no write-ahead log ({mode})", "use a local disk")
    raise StoreBusy(
        f"{path} has a write-ahead log, which does not hold on a network, and others use it",
        "end the other processes that use it, then run this command again",
    )


def journal_for(path: str) -> str:
    """The journal that a store at this path is to have."""
    return DELETE if network_filesystem(path) else WAL


def has_journal(connection: "apsw.Connection", path: str) -> bool:
    """Whether a store has the journal mode that its filesystem requires."""
    with our_errors(path):
        return bool(connection.pragma("journal_mode") == journal_for(path))
