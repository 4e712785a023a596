"""Which journal a store is written with: on a network filesystem a write-ahead log loses writes.

Its shared memory is not shared between machines, and some filesystems that only look local do not share
it between processes.
"""

import os
import re

from bowerbird.core.errors import StoreBusy, StoreError
from bowerbird.storage.sqlite.file.connection import our_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

WAL = "wal"
DELETE = "delete"
MOUNTS = "/proc/self/mounts"
# Their names in the mount table: networks, clusters, and shared folders of virtual machines.
NETWORK_FILESYSTEMS = frozenset(
    "nfs nfs4 cifs smb2 smb3 smbfs ncpfs afs ceph glusterfs lustre beegfs gpfs ocfs2 gfs2 davfs"
    " 9p virtiofs vboxsf prl_fs vmhgfs fakeowner".split()
)
# Other FUSE programs may serve anything; this one stacks local folders, in rootless containers.
LOCAL_PROGRAMS = frozenset({"fuse.fuse-overlayfs"})


def network_filesystem(path: str) -> str | None:
    """The name of the network filesystem that holds `path`, or None where the disk is local.

    A filesystem that is run by a program (FUSE) counts as one. Where the system keeps no table of
    its mounts, every disk counts as local.
    """
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as mounts:
            rows = [line.split(" ", 3)[1:3] for line in mounts]
    except OSError:
        return None
    folder = os.path.realpath(os.path.dirname(path) or ".")
    best, kind = "", ""
    for mount, filesystem in rows:
        # Blanks in a name are written as octal numbers.
        mount_point = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), mount)
        inside = folder == mount_point or folder.startswith(mount_point.rstrip("/") + "/")
        if inside and len(mount_point) >= len(best):
            best, kind = mount_point, filesystem
    by_program = kind == "fuse" or (kind.startswith("fuse.") and kind not in LOCAL_PROGRAMS)
    return kind if by_program or kind in NETWORK_FILESYSTEMS else None


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
