"""``bower history``: how a memory came to be what it is.

Every version of its text, who did what to it and why, and what it is linked with. Passages of files
have none: their history is that of the file.
"""

from bowerbird.core.history import History
from bowerbird.surfaces import TYPED, Field, Verb

EXAMPLES = (
    ("bower history 019a2f6c-81d4-7000", "from its first version on"),
    ("bower history 019a2f6c-81d4-7000 --verbose", "with every text in full"),
)
VERB = Verb(
    "history",
    "Show how a memory came to be what it is",
    (
        Field(
            "id", "text", "the id or its first characters, at least six",
            needed=True, doors=(TYPED,), option=("ID",),
        ),
    ),
    History,
    group="Keep",
    order=3,
    route=("GET", "/history/{id}"),
    renderer="memory:history",
)  # fmt: skip
