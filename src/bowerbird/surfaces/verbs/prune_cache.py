"""What is kept of a model server's reading, and taken out over HTTP; typed it is `cache prune`."""

from bowerbird.core.health import Emptied
from bowerbird.surfaces.fields import HTTP, Bowerbird, Field, Given, Verb

VERB = Verb(
    "prune_cache",
    "Delete cached vectors that were not used for long, or all",
    (
        Field(
            "older_than", "text?", "delete what was unused for this long, such as 30d; null: everything",
            high=40, needed=True, interfaces=(HTTP,),
        ),
    ),
    Emptied,
    "write",
    route=("POST", "/cache"),
    reach="",
    owners=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Emptied:
    """Take it out."""
    removed = bird.admin.prune_cache(older_than=given.get("older_than"))
    return Emptied.of(bird.admin.cache_state(), removed)
