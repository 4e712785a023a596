"""``bower activity``: the last changes of memories, by whom and why, the newest first."""

from bowerbird.core.overview import Activity
from bowerbird.surfaces.fields import FAR, NAME, TYPED, Field, Verb

EXAMPLES = (
    ("bower activity", "the last changes in this project"),
    ("bower activity --by mia", "those of a member of the team"),
    ("bower activity --before 4711", "those before a change"),
)
VERB = Verb(
    "activity",
    "Show the last changes of memories",
    (
        Field(
            "before", "whole", "only changes before this one, by its number",
            default=0, low=0, high=FAR, metavar="SEQ",
        ),
        Field(
            "limit", "whole", "maximum number (default 50)", default=50, low=1, high=500,
            metavar="N", option=("-n", "--limit"),
        ),
        Field(
            "by", "text", "only by this member of the team, agent, or user: the owner",
            default="", high=NAME, metavar="NAME",
        ),
        Field("all_projects", "flag", "include every project", default=False, interfaces=(TYPED,)),
    ),
    Activity,
    group="Look after",
    order=9,
    route=("GET", "/activity"),
    renderer="overview:activity",
)  # fmt: skip
