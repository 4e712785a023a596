"""A store of no bytes: a person on a terminal is asked whether to begin anew in its place."""

import os
import sys

from bowerbird.surfaces.cli.page import tell
from bowerbird.surfaces.cli.speaker import who

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.errors import StoreEmpty


def removed(error: "StoreEmpty", format: str) -> bool:
    """Whether the empty file is removed now, because a person said so; nobody else is asked."""
    if format == "json" or not who(writes=True).owner:
        return False
    tell(sys.stderr, f"{error.message}.\nRemove it, and begin anew? [y/N] ")
    reply = sys.stdin.readline()
    if not reply:
        tell(sys.stderr, "\n")
    if reply.strip().lower() not in ("y", "yes") or os.stat(error.path).st_size:
        return False
    os.unlink(error.path)
    return True
