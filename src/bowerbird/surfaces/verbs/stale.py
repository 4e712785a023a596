"""``bower stale``: memories that are about files or symbols which changed, moved or went.

A memory is tied to the files that it names (`--file`), and to the symbols of indexed code that its text
names, as they stood when it was written. `bower query`, `context` and `get` tell what became of them, and
this lists every memory of which something is to be told, the least sure first. `bower edit ID --file
PATH` says that it still holds, and `bower forget ID` that it does not.
"""

from bowerbird.core.anchors import Strayed
from bowerbird.surfaces import EVERYWHERE, TYPED, Field, Tool, Verb

EXAMPLES = (
    ("bower stale", "what this project's memories say of code that is another one now"),
    ("bower stale --all-projects --limit 10", "the ten least sure of all"),
)
VERB = Verb(
    "stale",
    "List memories whose files or symbols changed, moved or went",
    (
        Field(
            "limit", "whole", "tell so many at most (default 50)", default=50, low=1, high=1_000,
            doors=EVERYWHERE, metavar="N",
        ),
        Field("all_projects", "flag", "of every project", default=False, doors=(TYPED,)),
    ),
    Strayed,
    group="Look after",
    order=8,
    route=("GET", "/stale"),
    tool=Tool(
        "memory_stale",
        "See which memories are out of date",
        "List memories about files or symbols that changed, moved or went since they were stored."
        " Use it before relying on them, or to clean up after a refactoring.",
        always=("memories", "total"),
    ),
)  # fmt: skip
