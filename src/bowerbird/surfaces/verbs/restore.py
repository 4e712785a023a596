"""``bower restore``: go back to a backup.

The backup is checked first. The current store is moved aside, with its log, and the answer names the
path; nothing is overwritten. Stop other processes that use the store first. The command asks before it
replaces a store; --yes confirms, and is needed in a script. An agent cannot restore.

Memories that were erased after the backup was made stay erased: the store that is replaced knows them by
their ids. --with-erased brings them back, too; the answer says which.
"""

import sys

from bowerbird.core.damage import Restored
from bowerbird.core.errors import UsageError
from bowerbird.surfaces.cli.caller import who
from bowerbird.surfaces.cli.page import emit
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower restore ~/backups/memory-20260101-120000.db", "restore that day"),
    (
        "bower restore ~/backups/memory-20260101-120000.db --with-erased",
        "and what was erased after it",
    ),
)
VERB = Verb(
    "restore",
    "Restore a backup; the current store is moved aside",
    (
        Field("path", "text", "a backup", needed=True, option=("FILE",)),
        Field("with_erased", "flag", "also what has been erased since", default=False),
        Field("yes", "flag", "confirm without being asked", default=False, interfaces=(TYPED,)),
    ),
    Restored,
    "whole",
    group="Look after",
    order=5,
    renderer="upkeep:restore",
    slow=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Restored:
    """Restore it, once a person agrees that it takes the place of a store.

    Raises Denied for an agent: nobody else may take back what it was told.
    """
    who(writes=True).require_no_agent("restore")
    asked = not given.get("yes") and bird.exists
    agreed = (lambda: _ask(bird.path)) if asked else None
    return bird.admin.restore(
        given["path"],
        progress=given.get("progress"),
        agreed=agreed,
        with_erased=given.get("with_erased", False),
    )


def _ask(path: str) -> None:
    """Raises UsageError if a person on a terminal does not agree, or nobody is there to be asked."""
    if not all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr)):
        raise UsageError(
            f"nothing was restored: the backup would take the place of {path}", "agree to it: --yes"
        )
    emit(sys.stderr, f"Replace {path} by the backup? It is moved aside, not deleted. [y/N] ")
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageError("nothing was restored", "answer y, or write --yes")
