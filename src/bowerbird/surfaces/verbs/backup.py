"""``bower backup``: copy the store as it is now, and check the copy.

Others may write meanwhile. Without a PATH the copy goes into the folder backups beside the store, named
by the time; --keep says how many of those stay. It holds everything that is kept: guard it as the store.
"""

from bowerbird.core.damage import BackedUp
from bowerbird.surfaces import Field, Verb

EXAMPLES = (
    ("bower backup --keep 7", "beside the store; the seven newest stay"),
    ("bower backup ~/copies/memory.db", "somewhere else"),
)
VERB = Verb(
    "backup",
    "Copy the store as it is now, and check the copy",
    (
        Field("path", "text", "a file that is not there yet", option=("PATH",), words="?"),
        Field("keep", "whole", "of those in backups the N newest stay", metavar="N"),
    ),
    BackedUp,
    "whole",
    group="Look after",
    order=4,
    renderer="upkeep:backup",
    slow=True,
)
