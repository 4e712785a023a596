"""``bower recover``: save what can be read of a damaged store into a new one.

The damaged store is not changed. Rows that cannot be read together are read one by one; the word
indexes are rebuilt from the texts. The report says what was saved, what is lost, and which rows are
readable but fail their checksum. To rebuild lost vectors, run: bower reindex --store NEW
"""

from bowerbird.core.damage import Recovered
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (
    ("bower recover", "into a new file beside the store"),
    ("bower recover --into saved.db", "into another one"),
)
VERB = Verb(
    "recover",
    "Save the readable part of a damaged store",
    (Field("into", "text", "a file that does not exist yet", metavar="PATH"),),
    Recovered,
    "whole",
    group="Look after",
    order=6,
    renderer="upkeep:recover",
    slow=True,
)
