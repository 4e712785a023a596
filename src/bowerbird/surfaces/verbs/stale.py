"""``bower stale``: memories that are about files or symbols which changed, moved or went.

A memory is tied to the files that it names (`--files`; `src/` is a folder, `*.sql` a type of files), and
to the symbols of indexed code that its
text names, as they were when it was written. `bower query`, `context` and `get` report what became of
them, and this lists every memory with such a report, the least certain first. `bower edit ID --file
PATH` confirms that it still holds, `bower forget ID` removes it.
"""

from bowerbird.core.anchors import Strayed
from bowerbird.surfaces.fields import EVERYWHERE, TYPED, Field, Tool, Verb

EXAMPLES = (
    ("bower stale", "memories of this project about code that has changed"),
    ("bower stale --all-projects --limit 10", "the ten least certain of all"),
)
VERB = Verb(
    "stale",
    "List memories whose files or symbols changed, moved or are gone",
    (
        Field(
            "limit", "whole", "maximum number (default 50)", default=50, low=1, high=1_000,
            interfaces=EVERYWHERE, metavar="N",
        ),
        Field("all_projects", "flag", "include every project", default=False, interfaces=(TYPED,)),
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
