"""``bower facets``: how many entries there are, by what a list could be narrowed by.

The filters are those of `bower list`.
"""

from bowerbird.core.overview import Facets
from bowerbird.surfaces.fields import Field, Verb
from bowerbird.surfaces.narrowing import FILTERS, with_real_path

EXAMPLES = (
    ("bower facets --memories", "memories by kind, module, trust and state"),
    ("bower facets --module auth", "those of a module"),
)
# Seconds that counting may take in all.
_SECONDS = 0.5
VERB = Verb(
    "facets",
    "Count entries by kind, module, trust and state",
    (
        *FILTERS,
        Field(
            "seconds", "number", "leave out what takes longer (default .5)",
            default=_SECONDS, low=0.0, high=30.0, metavar="X",
        ),
    ),
    Facets,
    group="Ask",
    order=5,
    route=("GET", "/facets"),
    renderer="overview:facets",
)  # fmt: skip
typed = with_real_path
