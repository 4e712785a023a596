"""``bower fading``: how sure memories still are, and which will be pruned next.

Confidence halves with each half-life of a kind since the last use. Importance is divided by
1 + decay rate * pace * days without use; the pace is 1 + c / (c + 12) if its files changed on c days
of the last year.
What is listed leaves search on that day, unless it is used, pinned or confirmed meanwhile. `bower prune
--dry-run` shows what is due by now.
"""

from bowerbird.core.overview import Faded
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (("bower fading", "by tenths of confidence, and the next twenty to go"),)
VERB = Verb(
    "fading",
    "Show how sure memories still are, and what goes next",
    (
        Field(
            "limit", "whole", "maximum number of those that go next (default 20)", default=20, low=1,
            high=200, metavar="N", option=("-n", "--limit"),
        ),
    ),
    Faded,
    group="Look after",
    order=7,
    route=("GET", "/fading"),
    reach="project",
    renderer="overview:fading",
)  # fmt: skip
