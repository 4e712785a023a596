"""``bower history``: how a memory came to be what it is.

Shows every version of its text, who changed what and why, and its links. Passages of files have no
history of their own.
"""

from bowerbird.core.history import History
from bowerbird.surfaces.fields import TYPED, Field, Verb

EXAMPLES = (
    ("bower history 019a2f6c-81d4-7000", "from its first version on"),
    ("bower history 019a2f6c-81d4-7000 --verbose", "with every text in full"),
)
VERB = Verb(
    "history",
    "Show the versions and changes of a memory",
    (
        Field(
            "id", "text", "the id or its first characters, at least six",
            needed=True, interfaces=(TYPED,), option=("ID",),
        ),
    ),
    History,
    group="Keep",
    order=3,
    route=("GET", "/history/{id}"),
    renderer="memory:history",
    by_words="id",
)  # fmt: skip
