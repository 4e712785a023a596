"""``bower backup``: copy the store as it is now, and check the copy.

Other processes can write meanwhile. Without a PATH the copy goes into the folder backups beside the
store, named by the time; --keep limits how many are kept there. It contains everything in the store:
protect it like the store.
"""

from bowerbird.core.damage import BackedUp
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (
    ("bower backup --keep 7", "beside the store; keep the seven newest"),
    ("bower backup ~/copies/memory.db", "somewhere else"),
)
VERB = Verb(
    "backup",
    "Copy the store as it is now, and verify the copy",
    (
        Field("path", "text", "a file that does not exist yet", option=("PATH",), words="?"),
        Field("keep", "whole", "keep only the N newest in backups", metavar="N"),
    ),
    BackedUp,
    "whole",
    group="Look after",
    order=4,
    renderer="upkeep:backup",
    slow=True,
)
