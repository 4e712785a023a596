"""``bower outline``: what an indexed file defines, with lines, without its text."""

from bowerbird.core.code_map import CodeMap
from bowerbird.surfaces.fields import BOTH, Field, Verb

EXAMPLES = (("bower outline src/auth.py", "its classes, functions and constants"),)
VERB = Verb(
    "outline",
    "Show what a file defines",
    (
        Field(
            "file", "text", "a file, or the end of its path", low=1, high=1_000, needed=True,
            interfaces=BOTH, option=("FILE",),
        ),
    ),
    CodeMap,
    group="Ask",
    order=5,
    route=("GET", "/outline"),
    renderer="map:outline",
)  # fmt: skip
