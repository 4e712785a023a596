"""``bower modules``: what memory knows of each module of a project.

A module is the folder of a file, two levels deep, or a name that memories give. A file counts as covered
if a memory is about it; a memory is stale if its file changed since.
"""

from bowerbird.core.overview import Modules
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (("bower modules", "files, memories and sessions of each module"),)
VERB = Verb(
    "modules",
    "Show what memory knows of each module",
    (
        Field(
            "limit", "whole", "maximum number (default 50)", default=50, low=1, high=1_000,
            metavar="N",
        ),
    ),
    Modules,
    group="Look after",
    order=8,
    route=("GET", "/modules"),
    reach="project",
    renderer="overview:modules",
)  # fmt: skip
