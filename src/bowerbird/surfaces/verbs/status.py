"""``bower status``: what the store holds and where it rests.

Counts are those of this folder's project and of global entries; every project is listed below.
"""

from bowerbird.core.answers import Status
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Tool, Verb

EXAMPLES = (
    ("bower status", "at a glance"),
    ("bower status --measure", "with the recall of vector search"),
    ("bower status --fading", "with what will be pruned next, on which day, and why"),
    ("bower status --store team.db --format json", "another store, for a script"),
)
VERB = Verb(
    "status",
    "Show what the store holds and where it is",
    (
        Field(
            "measure", "flag",
            "measure the recall of vector search with fifty stored vectors",
            default=False,
        ),
        Field(
            "fading", "flag", "with what fades, and what goes next (bower fading)", default=False,
        ),
        Field("all_projects", "flag", "count every project", default=False, interfaces=(TYPED,)),
    ),
    Status,
    "ask",
    group="Look after",
    order=1,
    route=("GET", "/status"),
    tool=Tool(
        "memory_status",
        "Look at the memory",
        "Count what this project's memory holds, by type, and say what is wrong with it. Use it when a"
        " search finds less than expected.",
        always=("project", "memories", "passages", "documents", "healthy", "version"),
    ),
)  # fmt: skip


def beyond(bird: Bowerbird, status: Status, given: Given) -> Status:
    """Count what awaits review."""
    if not status.total_size_bytes:
        return status
    wide = given.get("all_projects", False)
    return status.replace(waiting=bird.admin.to_review(all_projects=wide))
