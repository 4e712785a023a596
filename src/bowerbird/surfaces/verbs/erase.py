"""``bower erase``: take memories out of the store for good, at once.

Erased memories cannot be restored: use `bower forget` for what is wrong, and this for what must not
be kept. Previous versions, words and vectors are deleted too; the history only records that there was
a memory. Words of the journals of hooks and of archived transcripts go with them. Backups, files, and
other memories that quote the text, such as digests of sessions, are listed and not changed. The command
asks first; --yes confirms.
"""

import sys

from bowerbird.core.errors import UsageError
from bowerbird.core.history import Erased
from bowerbird.surfaces.cli.caller import who
from bowerbird.surfaces.cli.page import emit
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (("bower erase 019a2f6c-81d4-7000 --yes", "one memory, without being asked"),)
VERB = Verb(
    "erase",
    "Delete memories from the store permanently",
    (
        Field(
            "ids", "texts", "memories, by id or its first characters",
            needed=True, option=("ID",), words="+",
        ),
        Field(
            "yes", "flag", "confirm without being asked", default=False, interfaces=(TYPED,)
        ),
    ),
    Erased,
    "write",
    group="Keep",
    order=3,
    route=("POST", "/erase"),
    owners=True,
    renderer="memory:erased",
    slow=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Erased:
    """Erase them."""
    return bird.admin.erase(given["ids"], progress=given.get("progress"))


def typed(given: Given) -> Given:
    """What was typed, once its owner agrees. Raises Denied for anybody else, before it asks."""
    who(writes=True).require_owner("erase")
    if not given.pop("yes", False):
        emit(sys.stderr, f"Erase {len(given['ids'])} for good? Nothing brings it back. [y/N] ")
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            raise UsageError("nothing was erased", "answer y, or write --yes")
    return given
