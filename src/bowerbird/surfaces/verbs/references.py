"""``bower references``: every line that uses a function, class, constant or file.

Lines are grouped by file, tests after all others, each with how it is used (imports, calls, inherits,
references) and in which definition. What is guessed by its name alone says so. Files that changed since
they were indexed are listed, and what they use is left out.
"""

from bowerbird.core.usages import References
from bowerbird.surfaces.fields import CODE_BUDGET, EVERYWHERE, Field, Tool, Verb

EXAMPLES = (
    ("bower references Store.open", "where a method is used"),
    ("bower references src/auth.py:verify --limit 500", "of a function in a file, more of them"),
    ("bower references src/auth.py", "what imports a file"),
)
VERB = Verb(
    "references",
    "Show every line that uses a definition",
    (
        Field(
            "target", "text", "a file, file:symbol, or a symbol such as Store.open", low=1, high=1_000,
            needed=True, interfaces=EVERYWHERE, option=("TARGET",),
        ),
        Field(
            "limit", "whole", "maximum number of lines (default 100)", default=100, low=1, high=5_000,
            interfaces=EVERYWHERE, metavar="N", option=("-n", "--limit"),
        ),
    ),
    References,
    group="Ask",
    order=5,
    route=("GET", "/references"),
    tool=Tool(
        "memory_references",
        "See where code is used",
        "Every line of the indexed code that uses a function, class, constant or file, tests last.",
        always=("target", "total"),
        budget=CODE_BUDGET,
    ),
)  # fmt: skip
