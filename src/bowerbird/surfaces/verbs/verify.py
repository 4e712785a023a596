"""``bower verify``: look for damage in everything that is kept.

A disk may change a bit by itself. Compared are the file with SQLite's own checks, every row with the
checksum that was written beside it, and the word indexes with the texts. Each damage is told with the
entry it hurts and with what heals it. Nothing is changed. Exits with 1 when anything is hurt.
"""

from bowerbird.core.damage import Verified
from bowerbird.surfaces import Field, Verb

EXAMPLES = (
    ("bower verify", "look at everything"),
    ("bower verify --sample 1000", "look at a thousand entries, chosen at random"),
)
VERB = Verb(
    "verify",
    "Look for damage in everything that is kept",
    (Field("sample", "whole", "only N entries, without their words", metavar="N"),),
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
