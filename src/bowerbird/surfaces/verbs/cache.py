"""``bower cache``: what is kept of texts that a model behind a server has read.

The built-in model does not need it. With embed.provider set, each text is sent once, and its vector
is kept in the store even after the entry is gone; cache.max_entries limits how many.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.health import CacheState, Emptied
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower cache", "how many vectors are cached, and how often they were used"),
    ("bower cache prune --older-than 30d", "delete those unused for a month"),
    ("bower cache clear", "delete all"),
)
WHAT = ("status", "prune", "clear")
VERB = Verb(
    "cache",
    "Show or prune the cached vectors of a model server",
    (
        Field("what", "text", "", choices=WHAT, interfaces=(TYPED,), option=("WHAT",), words="?"),
        Field(
            "older_than", "text", "prune: unused for this long, such as 30d, 12h, 2w",
            interfaces=(TYPED,), metavar="AGE",
        ),
    ),
    CacheState,
    group="Look after",
    order=10,
    renderer="upkeep:cache",
    route=("GET", "/cache"),
    reach="",
    owners=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> CacheState:
    """Show it, or take out what nobody uses."""
    what, age = given.get("what", "status"), given.get("older_than")
    if what == "prune" and age is None:
        raise BadInput("prune what?", "say how old: bower cache prune --older-than 30d")
    if what != "prune" and age is not None:
        raise BadInput(f"--older-than says nothing to {what}", "leave it out, or prune")
    if what == "status":
        return bird.admin.cache_state()
    removed = bird.admin.prune_cache(older_than=age)
    return Emptied.of(bird.admin.cache_state(), removed)
