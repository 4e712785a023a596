"""``bower warm``: let today's model read now what it has not read yet, the newest alone if asked.

The built-in model leaves nothing to do: it embeds entries as they are written. A model behind a
server or in a folder has entries to embed after it was unavailable, or after it replaced another one;
that takes time, and may cost money. It works in batches, and entries are found by their words
meanwhile; an interrupted run is resumed by the next one. `bower reindex` does the same for the whole
store. --recent embeds the newest entries and the rest of their documents, and keeps the other model's
vectors of the others until all are embedded. `bower serve` warms automatically.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.health import Warmed
from bowerbird.surfaces.fields import ADMIN, FAR, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower warm", "all entries without a vector"),
    ("bower warm --recent 500", "the newest 500 entries"),
)
VERB = Verb(
    "warm",
    "Embed the entries without vectors",
    (
        Field("all", "flag", "the whole store, as without options", default=False, interfaces=(TYPED,)),
        Field(
            "recent", "whole", "only this many entries, the newest",
            low=1, high=FAR, metavar="N",
        ),
    ),
    Warmed,
    "rebuild",
    group="Look after",
    order=9,
    renderer="upkeep:warm",
    route=("POST", "/warm"),
    reach="",
    slow=True,
    role=ADMIN,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Warmed:
    """Read, a batch at a time."""
    if given.get("all") and given.get("recent") is not None:
        raise BadInput("--all and --recent contradict each other", "give one of them")
    done = bird.admin.warm(recent=given.get("recent"), progress=given.get("progress"))
    return done.replace(model=bird.status().model_used)
