"""``bower recover``: save what can be read of a damaged store into a new one.

The damaged one stays as it is. Its rows are read one by one where they cannot be read together; the word
indexes are made anew from the texts. Told is what was saved, what is lost, and what can be read but is
not what was written. Vectors that are lost are made by: bower reindex --store NEW
"""

from bowerbird.core.damage import Recovered
from bowerbird.surfaces import Field, Verb

EXAMPLES = (
    ("bower recover", "into a new file beside the store"),
    ("bower recover --into saved.db", "into another one"),
)
VERB = Verb(
    "recover",
    "Save what can be read of a damaged store",
    (Field("into", "text", "a file that is not there yet", metavar="PATH"),),
    Recovered,
    "whole",
    group="Look after",
    order=6,
    renderer="upkeep:recover",
    slow=True,
)
