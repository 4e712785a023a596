"""A store of an older schema: a command that only reads upgrades it too, where its owner runs it."""

import os
import stat
import sys

from bowerbird.core.errors import Denied, StoreReadOnly
from bowerbird.host.places import this_user
from bowerbird.surfaces.cli.page import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call


def upgraded(call: "Call") -> bool:
    """Whether the store was upgraded, after a backup: a file of the caller's own that may be written."""
    with call.open(writes=True) as bird:
        if not _may_write(bird.path):
            return False
        try:
            bird.admin.upgrade()
        except (Denied, StoreReadOnly):
            return False
    emit(sys.stderr, f"note: {call.store} was upgraded for this version, a backup is beside it\n")
    return True


def _may_write(path: str) -> bool:
    """Whether a file is the caller's own, and neither it nor its folder is read-only."""
    try:
        found = os.stat(path)
    except OSError:
        return False  # it is on a server
    # The superuser may write where nobody should.
    own = this_user() in (None, found.st_uid) and bool(found.st_mode & stat.S_IWUSR)
    return own and os.access(path, os.W_OK) and os.access(os.path.dirname(path) or ".", os.W_OK)
