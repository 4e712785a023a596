"""``bower prune``: let go of memories that faded, and of those whose day has passed.

They leave every search, and `bower revert` brings them back; thirty days later at the earliest the
next run removes them for good. Low importance alone takes only what nobody touched for 90 days (what
you said yourself: a year). Pinned memories, decisions and procedures never go. What `bower cache`
keeps and nobody used for 30 days goes along. It works on this folder's project and on what is global;
`bower serve` does it by itself each day, in every project. docs/operations.md has the rules.
"""

from bowerbird.core.pruned import THRESHOLD, Pruned
from bowerbird.surfaces import BOTH, EVERYWHERE, MCP, TYPED, Bowerbird, Field, Given, Tool, Verb

EXAMPLES = (
    ("bower prune --dry-run", "who would go, and why"),
    ("bower prune", "let them go"),
    ("bower prune --threshold 0.1 --all-projects", "a higher bar, everywhere"),
    ("bower list --state deprecated", "who went"),
)
VERB = Verb(
    "prune",
    "Let go of memories that faded, or whose day has passed",
    (
        Field(
            "dry_run", "flag", "only say who would go; nothing is changed", default=False, doors=BOTH,
        ),
        Field(
            "dry_run", "flag", "only list what would go; false carries it out", default=True,
            doors=(MCP,)
        ),
        Field(
            "threshold", "number", "effective importance below which what nobody touched for long goes",
            default=THRESHOLD, low=0.0, high=1.0, doors=EVERYWHERE, metavar="X",
        ),
        Field("all_projects", "flag", "of every project", default=False, doors=(TYPED,)),
    ),
    Pruned,
    "write",
    group="Look after",
    order=7,
    route=("POST", "/prune"),
    tool=Tool(
        "memory_prune",
        "Let go of faded memories",
        "Take this project's memories out of search that nobody used for long and that weigh little, or"
        " whose day has passed. Only on the user's wish: show the list of a dry run first. Decisions,"
        " procedures and pinned memories stay; nothing is removed for good. memory_revert of one brings"
        " back all that went with it.",
        always=("dry_run", "pruned", "remaining", "memories"),
        destroys=True,
    ),
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Pruned:
    """Let them go, or only say who would; an agent that calls removes nothing for good."""
    return bird.prune(**{"remove": bird.owned, **given})


def typed(given: Given) -> Given:
    """Those that went long ago go for good."""
    return given | {"remove": True}
