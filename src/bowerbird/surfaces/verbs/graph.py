"""``bower graph``: what a memory hangs together with: other memories and files, up to three steps away.

Relations come with their strength and who stated them. Over HTTP each point has its place in a picture.
"""

from bowerbird.core.overview import Around
from bowerbird.surfaces.fields import ONE_ID, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower graph 019a2f6c-81d4", "what it is directly related to"),
    ("bower graph 019a2f6c-81d4 --depth 2", "and what those are related to"),
)
VERB = Verb(
    "graph",
    "Show what a memory hangs together with",
    (
        ONE_ID.replace(interfaces=(TYPED,)),
        Field("depth", "whole", "steps away (default 1)", default=1, low=1, high=3, metavar="N"),
        Field(
            "limit", "whole", "maximum number of points (default 60)", default=60, low=1, high=200,
            metavar="N",
        ),
    ),
    Around,
    group="Ask",
    order=7,
    route=("GET", "/graph/{id}"),
    renderer="overview:around",
    by_words="id",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Around:
    """Follow its relations."""
    about = dict(given)
    return bird.around(about.pop("id"), **about)
