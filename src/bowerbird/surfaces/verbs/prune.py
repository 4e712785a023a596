"""``bower prune``: let go of memories that faded, and of those whose day has passed.

Pruned memories leave every search, and `bower revert` restores them; after thirty days or more the
next run deletes them permanently. Low importance alone prunes only memories that were not used for 90
days (a year if you wrote or confirmed them). Pinned memories, decisions and procedures
stay, unless a day was named for their end.
Vectors of `bower cache` unused for 30 days are deleted as well. It applies to this folder's project and
to global memories; `bower serve` does it automatically each day, in every project. docs/operations.md
has the rules.
"""

from bowerbird.core.pruned import THRESHOLD, Pruned
from bowerbird.surfaces.fields import (
    BOTH,
    EVERYWHERE,
    MCP,
    STEWARD,
    TYPED,
    Bowerbird,
    Field,
    Given,
    Tool,
    Verb,
)

EXAMPLES = (
    ("bower prune --dry-run", "what would be pruned, and why"),
    ("bower prune", "prune"),
    ("bower prune --threshold 0.1 --all-projects", "a higher threshold, in every project"),
    ("bower list --state deprecated", "what was pruned"),
)
VERB = Verb(
    "prune",
    "Prune memories that have faded or expired",
    (
        Field(
            "dry_run", "flag", "only show what would be pruned", default=False, interfaces=BOTH,
        ),
        Field(
            "dry_run", "flag", "only list what would go; false carries it out", default=True,
            interfaces=(MCP,)
        ),
        Field(
            "threshold", "number", "prune unused memories with an effective importance below this",
            default=THRESHOLD, low=0.0, high=1.0, interfaces=EVERYWHERE, metavar="X",
        ),
        Field("all_projects", "flag", "include every project", default=False, interfaces=(TYPED,)),
    ),
    Pruned,
    "write",
    group="Look after",
    order=7,
    route=("POST", "/prune"),
    tool=Tool(
        "memory_prune",
        "Let go of faded memories",
        "Remove from search this project's memories that were not used for long and weigh little, or"
        " that expired. Only at the user's request: show the list of a dry run first. Decisions,"
        " procedures and pinned memories stay; nothing is erased. memory_revert of one brings"
        " back all that went with it.",
        always=("dry_run", "pruned", "remaining", "memories"),
        destroys=True,
    ),
    role=STEWARD,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Pruned:
    """Let them go, or only say who would; an agent that calls removes nothing for good."""
    return bird.prune(**{"remove": bird.owned, **given})


def typed(given: Given) -> Given:
    """Those that went long ago go for good."""
    return given | {"remove": True}
