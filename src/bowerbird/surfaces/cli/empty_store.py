"""An empty store file: on a terminal, asks the user whether to start a new store in its place."""

import os
import sys

from bowerbird.surfaces.cli.caller import who
from bowerbird.surfaces.cli.page import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.errors import StoreEmpty


def removed(error: "StoreEmpty", format: str) -> bool:
    """Whether the empty file was removed, after the user confirmed it; asks on a terminal only."""
    if format == "json" or not who(writes=True).owner:
        return False
    emit(sys.stderr, f"{error.message}.\nRemove it, and start over? [y/N] ")
    reply = sys.stdin.readline()
    if not reply:
        emit(sys.stderr, "\n")
    if reply.strip().lower() not in ("y", "yes") or os.stat(error.path).st_size:
        return False
    os.unlink(error.path)
    return True
