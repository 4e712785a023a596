"""``bower consolidate``: sum up memories that say the like.

Three or more active memories of one kind, for one audience, that are nearly the same, such as a failure
noted three times, become examples of a pattern: what they have in common, with what differs. They leave
search (`bower list --state compressed` lists them), and the pattern is found by their words. A language
model writes it if one is configured; none is needed. Nothing is summed up that contradicts another one,
is pinned, verified, structured or waits for review, and no decision or procedure. `bower revert` of a
pattern brings its examples back, and so does whatever else removes it. An example that you forget leaves
its pattern; of one that a model worded, that waits for a review.

It applies to this folder's project and to global memories. It runs by hand, or with `bower serve
--consolidate-interval 7d`.
"""

from bowerbird.core.consolidated import Consolidated
from bowerbird.surfaces.fields import BOTH, MCP, STEWARD, TYPED, Field, Tool, Verb

EXAMPLES = (
    ("bower consolidate --dry-run", "what would be summed up, and how"),
    ("bower consolidate", "sum it up"),
    ("bower list --state compressed", "what was summed up"),
)
VERB = Verb(
    "consolidate",
    "Sum up memories that say the like",
    (
        Field(
            "dry_run", "flag", "only show what would be summed up", default=False, interfaces=BOTH,
        ),
        Field(
            "dry_run", "flag", "only list what would be summed up; false carries it out", default=True,
            interfaces=(MCP,)
        ),
        Field("all_projects", "flag", "include every project", default=False, interfaces=(TYPED,)),
    ),
    Consolidated,
    "write",
    group="Look after",
    order=7,
    route=("POST", "/consolidate"),
    tool=Tool(
        "memory_consolidate",
        "Sum up memories",
        "Sum up three or more memories of this project that say nearly the same in one pattern; they"
        " leave search below it. Only at the user's request: show the list of a dry run first."
        " memory_revert of a pattern brings its examples back.",
        always=("dry_run", "compressed", "patterns"),
        destroys=True,
    ),
    role=STEWARD,
)  # fmt: skip
