"""What the filesystem has at the location of a store, and a description of what is wrong with it."""

import errno
import os
import stat

from bowerbird.core.errors import (
    BowerbirdError,
    NotAStore,
    StoreEmpty,
    StoreFull,
    StoreLinked,
    StoreMissing,
    StoreReadOnly,
    StoreReplaced,
)
from bowerbird.core.value import Advice, Do

# The complete copy that is about to take the place of a store.
RESTORED = ".restored"
# The paths of backups that were made elsewhere (care.copies).
COPIES = ".copies"
# What hooks noted beside a store, and the copies that they ask (storage.side_file, storage.outcomes).
NOTED = (".noted", ".noted.taken")
FOLDED_COPIES = (".external", ".outcomes")
# The files beside a store, by the suffix of their names; a backup made before an upgrade is named after
# the step that follows.
SIDECARS = (
    "-wal",
    "-shm",
    "-journal",
    ".lock",
    ".bak",
    ".unfinished",
    ".reserve",
    ".hnsw",
    ".hnsw.new",
    ".words",
    RESTORED,
    ".hnsw",
    ".hnsw.new",
    ".words",
    ".usage",
    ".usage.taken",
    ".usage.taken.bad",
    ".before-",
    ".noted",
    ".noted.taken",
    ".external",
    ".external.new",
    ".outcomes",
    ".outcomes.new",
    COPIES,
)
ELSEWHERE = "name another place with --store or BOWER_STORE"
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFSOCK: "a socket",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def identify(path: str) -> tuple[int, int]:
    """Device and inode of a store, which identify the file under any name.

    Raises StoreMissing, StoreReplaced, StoreLinked, NotAStore and StoreReadOnly.
    """
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise nothing_there(path) from None
    except OSError as error:
        raise refused(path, error) from error
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1 or not found.st_size:
        raise not_ours(path, found)
    return found.st_dev, found.st_ino


def log_size(path: str) -> int:
    """The bytes of the write-ahead log; 0 also where there is none."""
    try:
        return os.stat(path + "-wal").st_size
    except OSError:
        return 0


def nothing_there(path: str) -> BowerbirdError:
    """Why there is no file at a path: never written, or deleted without its log."""
    if log_size(path):
        return StoreReplaced(
            f"{path} is gone, and its write-ahead log is still there",
            f"put the file back, or start over without the content of the log: {_remove_log(path)}",
        )
    if os.path.islink(path):
        return StoreMissing(
            f"{path} is a link to {os.readlink(path)}, which is not there",
            "put that file back, or remove the link",
        )
    return none_yet(path)


def none_yet(path: str) -> StoreMissing:
    """The error of a reader if nothing was written yet."""
    return StoreMissing(
        f"there is no store at {path} yet",
        Advice(
            "make one with: ",
            Do("index", "PATH"),
            ", or: ",
            Do("curate", "'something worth keeping'"),
        ),
    )


def require_no_log(path: str) -> None:
    """Raise StoreReplaced if the log of a deleted store is left where a new one is to be created."""
    if log_size(path):
        raise nothing_there(path)


def not_ours(path: str, found: os.stat_result) -> BowerbirdError:
    """Why what was found at a path cannot be a store."""
    kind = _KINDS.get(stat.S_IFMT(found.st_mode))
    if kind == "a folder":
        inside = _spelt([os.path.join(path, "memory.db")])
        return NotAStore(f"{path} is a folder", f"name a file in it: --store {inside}")
    if kind is not None:
        return NotAStore(f"{path} is {kind}, not a file", ELSEWHERE)
    if found.st_nlink > 1:
        return StoreLinked(
            f"{path} has {found.st_nlink} names, and each would have a write-ahead log of its own",
            "remove the other names, or make them symbolic links; to find them:"
            f" find DIRECTORY -xdev -samefile {_spelt([path])}",
        )
    return StoreEmpty(
        f"{path} is empty: it was truncated, or created and never written",
        f"restore a backup, or start over: rm {_spelt([path])}",
        path,
    )


def refused(path: str, error: OSError) -> BowerbirdError:
    """Why the system cannot find or create a file at this path."""
    folder = os.path.dirname(path) or "."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(
            f"the disk that would hold {path} is full", "free some space and try again"
        )
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        above = folder
        while not os.path.lexists(above) and os.path.dirname(above) != above:
            above = os.path.dirname(above)
        return StoreReadOnly(f"{path} cannot be created: {above} is no folder", ELSEWHERE)
    if error.errno == errno.EACCES:
        return StoreReadOnly(
            f"{path} cannot be reached: you may not enter or write to its folder",
            f"let its owner allow it, or {ELSEWHERE}",
        )
    return StoreReadOnly(f"{path} cannot be reached or created: {error.strerror}", ELSEWHERE)


def not_opened(path: str) -> BowerbirdError:
    """Why SQLite could not open the file at a path, or one of its sidecars."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return nothing_there(path)
    except OSError as error:
        return refused(path, error)
    if not stat.S_ISREG(found.st_mode):
        return not_ours(path, found)
    folder = os.path.dirname(path) or "."
    if not os.access(path, os.R_OK):
        return StoreReadOnly(f"{path} may not be read by you", _spelt(["chmod", "u+rw", path]))
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):
        return StoreReadOnly(
            f"{path} or its folder may not be written by you",
            _spelt(["chmod", "u+w", path, folder]),
        )
    return StoreReadOnly(
        f"{path} or a file beside it cannot be opened",
        f"see what {path}-wal, -shm and .lock are, and how many files this process may open",
    )


def changed(path: str) -> StoreReplaced:
    """What became of a file that is not the one any more which was opened."""
    if os.path.exists(path):
        message = f"{path} was replaced while it was open: another file has its name now"
        remedy = "what was acknowledged is in the former one; run this again to use the new one"
    else:
        message = f"{path} was deleted or moved away while it was open"
        remedy = "put it back, or run this again to begin a new one"
    return StoreReplaced(message, remedy)


def other_log(path: str) -> StoreReplaced:
    """The error for a file with the log of another one, or of another moment."""
    return StoreReplaced(
        f"{path} replaced another file, whose write-ahead log is still there: combined, they would be"
        " a damaged store",
        "put the former file back; or use this one, without what only the log contains:"
        f" {_remove_log(path)}",
    )


def _remove_log(path: str) -> str:
    return _spelt(["rm", path + "-wal", path + "-shm"])


def _spelt(words: list[str]) -> str:
    """Words as a shell takes them."""
    import shlex  # start-up: only what is wrong has a remedy

    return shlex.join(words)


def size_of(path: str) -> int:
    """The bytes of a store and of its write-ahead log. By stat alone: neither is opened."""
    return sum(os.stat(name).st_size for name in (path, path + "-wal") if os.path.exists(name))
