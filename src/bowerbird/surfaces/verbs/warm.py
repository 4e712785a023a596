"""``bower warm``: let today's model read now what it has not read yet, the newest alone if asked.

With the built-in model alone nothing is left to do: it reads what is written. One behind a server or in
a folder has something to read when it was away, or when another one read before; that takes time, and
may cost money. It is read a batch at a time, found by its words meanwhile; stopped, the next run goes on.
`bower reindex` does the same for the whole store. --recent takes what was written last, with the rest of
the documents that it stands in, and leaves what another model read of the others until all is read.
`bower serve` warms by itself.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.health import Warmed
from bowerbird.surfaces import FAR, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower warm", "all that the model has not read yet"),
    ("bower warm --recent 500", "of the 500 entries that were written last"),
)
VERB = Verb(
    "warm",
    "Let the model read what waits for it, the newest alone if asked",
    (
        Field("all", "flag", "the whole store, as without options", default=False, doors=(TYPED,)),
        Field(
            "recent", "whole", "only of so many entries, those that were written last",
            low=1, high=FAR, metavar="N",
        ),
    ),
    Warmed,
    "anew",
    group="Look after",
    order=9,
    renderer="upkeep:warm",
    route=("POST", "/warm"),
    reach="",
    slow=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Warmed:
    """Read, a batch at a time."""
    if given.get("all") and given.get("recent") is not None:
        raise BadInput("--all and --recent contradict each other", "give one of them")
    done = bird.admin.warm(recent=given.get("recent"), progress=given.get("progress"))
    return done.replace(model=bird.status().model_used)
