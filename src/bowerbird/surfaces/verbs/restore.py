"""``bower restore``: go back to a backup.

The backup is checked first. The store that stands there is put aside, with its log, and named in the
answer; nothing is overwritten. End other processes that use the store before.
"""

from bowerbird.core.damage import Restored
from bowerbird.surfaces import Field, Verb

EXAMPLES = (("bower restore ~/backups/memory-20260101-120000.db", "go back to that day"),)
VERB = Verb(
    "restore",
    "Go back to a backup; what stands there is put aside",
    (Field("path", "text", "a backup", needed=True, option=("FILE",)),),
    Restored,
    "whole",
    group="Look after",
    order=5,
    renderer="upkeep:restore",
    slow=True,
)
