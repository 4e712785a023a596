"""``bower verify``: look for damage in everything that is kept.

Disks sometimes flip bits. This runs SQLite's integrity checks, and compares every row with the
checksum stored with it, and the word indexes with the texts. It reports each damaged entry with the
command that repairs it, and changes nothing. Exits with 1 if anything is damaged.
"""

from bowerbird.core.damage import Verified
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (
    ("bower verify", "check everything"),
    ("bower verify --sample 1000", "check a thousand random entries"),
)
VERB = Verb(
    "verify",
    "Check everything in the store for damage",
    (Field("sample", "whole", "check only N entries, without the word indexes", metavar="N"),),
    Verified,
    "whole",
    group="Look after",
    order=3,
    renderer="upkeep:verify",
    slow=True,
)


def exit_code(found: Verified) -> int:
    """1 where something is hurt."""
    return 0 if found.sound else 1
