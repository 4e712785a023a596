"""``bower restore``: go back to a backup.

The backup is checked first. The current store is moved aside, with its log, and the answer names the
path; nothing is overwritten. Stop other processes that use the store first.
"""

from bowerbird.core.damage import Restored
from bowerbird.surfaces import Field, Verb

EXAMPLES = (("bower restore ~/backups/memory-20260101-120000.db", "restore that day"),)
VERB = Verb(
    "restore",
    "Restore a backup; the current store is moved aside",
    (Field("path", "text", "a backup", needed=True, option=("FILE",)),),
    Restored,
    "whole",
    group="Look after",
    order=5,
    renderer="upkeep:restore",
    slow=True,
)
