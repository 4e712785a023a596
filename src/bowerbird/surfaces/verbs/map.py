"""``bower map``: the definitions that the indexed code uses most, by file, within a budget of tokens.

Files and definitions are ranked by what uses them (PageRank over calls, imports, base classes and
references; guesses and tests do not count), so that a few thousand tokens show what a repository is
built around. A folder restricts what is listed, not what counts.
"""

from bowerbird.core.code_map import CodeMap
from bowerbird.surfaces.fields import EVERYWHERE, Field, Tool, Verb

EXAMPLES = (
    ("bower map", "what the project is built around"),
    ("bower map src --budget 4000", "of one folder, in more detail"),
)
VERB = Verb(
    "map",
    "Show the most used definitions of the code",
    (
        Field(
            "folder", "text", "only what is in a folder", default="", high=1_000,
            interfaces=EVERYWHERE, option=("FOLDER",), words="?",
        ),
        Field(
            "budget", "whole", "maximum tokens (default 2000)", default=2_000, low=100, high=50_000,
            interfaces=EVERYWHERE, metavar="N",
        ),
    ),
    CodeMap,
    group="Ask",
    order=5,
    route=("GET", "/map"),
    tool=Tool(
        "memory_map",
        "See what code is built around",
        "The definitions that the indexed code uses most, by file: for a first look at a repository.",
        always=("code", "more"),
    ),
)  # fmt: skip
