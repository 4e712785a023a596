"""``bower sync``: synchronise with the same memory on other devices, through a place that all reach.

That is a folder (on a disk, a share, or one that Syncthing, Dropbox or the like keeps the same on
several devices), a bucket (s3://BUCKET/FOLDER, with the account that AWS's own programs use), or a
database (postgresql://HOST/NAME). What goes into it is encrypted: the first device shows a
passphrase, once, and each other one asks for it (or reads BOWER_SYNC_PASSPHRASE). What others wrote is
merged as `bower import` does: versions, tags and counts unite; where two devices gave a memory another
text, both are kept and it waits in `bower review`; what was erased on one is erased on all.

Nothing leaves that is personal (`--audience`, the default of memories), unless --personal or the setting
sync.personal says so; nothing ever leaves that held a secret. --dry-run lists what would leave. If other
devices deleted more than a tenth of the memories, it stops: --deletions says that this was meant.

With the setting sync.target a server (`bower serve`, `bower mcp`) does so by itself, each
minute. docs/sync.md has the details.
"""

import sys

from bowerbird.core.errors import PassphraseNeeded
from bowerbird.core.syncing import Synced
from bowerbird.core.value import Do
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Notes, Verb

EXAMPLES = (
    ("bower sync ~/Sync/bower --dry-run", "what would leave"),
    ("bower sync ~/Sync/bower --personal", "with all devices of yours that use the folder"),
)
VERB = Verb(
    "sync",
    "Synchronise with the same memory on other devices",
    (
        Field(
            "target", "text", "a folder, s3://BUCKET/FOLDER or postgresql://HOST/NAME",
            option=("PLACE",), words="?",
            interfaces=(TYPED,),
        ),
        Field(
            "personal", "flag", "also what is personal, for devices of yours", default=False,
            interfaces=(TYPED,),
        ),
        Field(
            "deletions", "flag", "take over deletions, however many", default=False,
            interfaces=(TYPED,),
        ),
        Field("dry_run", "flag", "only list what would leave", default=False),
    ),
    Synced,
    "write",
    group="Keep",
    order=10,
    route=("POST", "/sync"),
    owners=True,
    reach="",
    slow=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Synced:
    """Synchronise; a person at a terminal is asked for the passphrase if it is needed."""
    try:
        return bird.admin.sync(**given)
    except PassphraseNeeded:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
    from getpass import getpass  # start-up: only where it is asked for

    return bird.admin.sync(**given, passphrase=getpass("Passphrase: "))


def notes(done: Synced, _: Given) -> Notes:
    """The passphrase, once, and what stays here."""
    if done.passphrase:
        yield f"the passphrase of this place, shown this once: {done.passphrase}"
        yield "each other device asks for it; without it nobody reads what is there"
    if done.staying.get("personal"):
        again = Do("sync", done.target, personal=True).command()
        yield f"{done.staying['personal']:,} are personal and stay; for devices of yours: {again}"
    if done.received.waiting:
        yield "memories with two texts wait; see: bower review"


def exit_code(done: Synced) -> int:
    """1 where a file could not be read."""
    return 1 if done.unread else 0
